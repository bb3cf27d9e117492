"""Drops on the window, and a frame over it while a photo is dragged over it."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QMainWindow, QWidget

from attnviewer.core.i18n import later, tr
from attnviewer.ui.sources import worth_taking

EDGE = 10
TEXT = later("Drop to open")


class DropVeil(QWidget):
    """Says that the drop will be taken; lets all events through."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(tr(TEXT))
        self.hide()

    def lift(self, shown: bool) -> None:
        """Show or hide the veil."""
        self.setVisible(shown)
        self.raise_()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = QColor(self.palette().window().color())
        ground.setAlpha(190)
        painter.fillRect(self.rect(), ground)
        painter.setPen(QPen(self.palette().highlight().color(), 3, Qt.PenStyle.DashLine))
        painter.drawRoundedRect(self.rect().adjusted(EDGE, EDGE, -EDGE, -EDGE), 14, 14)
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * 1.8)
        painter.setFont(font)
        painter.setPen(self.palette().windowText().color())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, tr(TEXT))
        painter.end()


class TakesDrops(QMainWindow):
    """A window on which photos and texts may be dropped anywhere; what was dragged out of it isn't taken back."""

    veil: DropVeil

    def _take(self, mime: QMimeData | None) -> None:
        """Open what was dropped."""
        raise NotImplementedError

    def _wants_text(self) -> bool:
        """Whether the panel in sight may have a use for a text."""
        return False

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.source() is not None:  # what was dragged out of this window
            event.ignore()
        elif worth_taking(event.mimeData()):
            event.acceptProposedAction()
            self.veil.lift(True)
        elif event.mimeData().hasText() and self._wants_text():
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.veil.lift(False)
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self.veil.lift(False)
        event.acceptProposedAction()
        self._take(event.mimeData())
