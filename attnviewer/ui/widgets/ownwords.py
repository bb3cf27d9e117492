"""A field for the user's own caption, which the model then measures word by word."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QDragEnterEvent, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

from attnviewer.core.i18n import tr
from attnviewer.core.trace import Trace
from attnviewer.ui.controls import button, column, label, named, row
from attnviewer.ui.sources import offered, worth_taking

MOST = 200


class TextField(QLineEdit):
    """A line of text that leaves dropped or pasted photos to the window."""

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if worth_taking(event.mimeData()):
            event.ignore()
        else:
            super().dragEnterEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._photo_paste(event):
            event.ignore()
            return False
        return super().event(event)

    def _photo_paste(self, event: QKeyEvent) -> bool:
        return event.matches(QKeySequence.StandardKey.Paste) and bool(offered(QGuiApplication.clipboard().mimeData()))


class OwnWords(QWidget):
    """The field, a button that measures it, and the way back to the model's own caption.

    Signals
    -------
    measure(str) : the user wants this caption measured.
    back() : the user wants the model's own caption again.
    """

    measure = Signal(str)
    back = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.field = named(
            TextField(),
            tr("Your own caption"),
            tr("Type a caption and press Enter: the model says how likely each word is"),
        )
        self.field.setPlaceholderText(tr("Try your own caption"))
        self.field.setMaxLength(MOST * 12)
        self.go = button(tr("Measure"), tr("Let the model measure your caption word by word"), self._ask)
        self.undo = button(
            tr("Back to the model's caption"), tr("Undo your caption (Ctrl+Z)"), self.back.emit, glyph="undo"
        )
        self.sum = label("", "muted", wrap=True)
        line = QWidget()
        line.setLayout(row(self.field, self.go))
        self.setLayout(column(line, self.sum, self.undo, spacing=6))
        self.field.textChanged.connect(self._enable)
        self.field.returnPressed.connect(self._ask)
        self._enable()
        self.show_trace(None)

    def show_trace(self, trace: Trace | None) -> None:
        """Say how likely the user's caption is, where the trace is of one."""
        own = trace is not None and any(trace.forced) and bool(trace.request.get("words"))
        self.undo.setVisible(own)
        self.sum.setVisible(own)
        if trace is not None and own:
            total, count = float(trace.logprobs.sum()), len(trace.steps)
            self.sum.setText(
                tr("Your caption: log-probability {total:.1f}, {each:.2f} a word.", total=total, each=total / count)
            )

    def _enable(self, *_: str) -> None:
        self.go.setEnabled(bool(self.field.text().strip()))

    def _ask(self) -> None:
        if self.field.text().strip():
            self.measure.emit(self.field.text())
