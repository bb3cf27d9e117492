"""A page that lies over a part of a panel: a title, a way to close it, and a body."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QRect, Signal
from PySide6.QtWidgets import QFrame, QWidget

from attnviewer.core.i18n import tr
from attnviewer.ui.controls import button, column, label, row


class Overlay(QFrame):
    """Hidden until it is opened; it follows the size of what it lies over.

    Signals
    -------
    closed() : the user is done with it.
    """

    closed = Signal()

    def __init__(self, host: QWidget, area: Callable[[], QRect], title: str) -> None:
        super().__init__(host)
        self._host, self._area = host, area
        self.setObjectName("overlay")
        self.setAccessibleName(title)
        self.title = label(title, "value")
        self.close_button = button("", tr("Close (Esc)"), self.leave, glyph="close", look="bare", name=tr("Close"))
        self._head = QWidget()
        self.hide()
        host.installEventFilter(self)

    def lay_out(self, body: QWidget, *tools: QWidget) -> None:
        """Put the body below the title, and some controls beside the title."""
        self._head.setLayout(row(self.title, 1, *tools, self.close_button, spacing=8))
        rows = column(self._head, body, spacing=8, margins=(16, 8, 12, 12))
        rows.setStretch(1, 1)
        self.setLayout(rows)

    @property
    def is_open(self) -> bool:
        """Whether it lies over the panel, be the panel in sight or not."""
        return not self.isHidden()

    def open(self) -> None:
        """Lie over the panel."""
        self.place()
        self.show()
        self.raise_()

    def leave(self) -> bool:
        """Close it; False where it was closed."""
        was = self.is_open
        self.hide()
        if was:
            self.closed.emit()
        return was

    def place(self) -> None:
        """Cover the area again, which may have changed."""
        self.setGeometry(self._area())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest, QEvent.Type.Show) and self.is_open:
            self.place()
        return False
