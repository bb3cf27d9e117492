"""A frame over the window while a photo is dragged over it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

EDGE = 10
TEXT = "Drop to open"


class DropVeil(QWidget):
    """Says that the drop will be taken; lets all events through."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(TEXT)
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
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, TEXT)
        painter.end()
