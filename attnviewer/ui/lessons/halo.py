"""A halo around the widget to look at, and an arrow to it; it lets all events through."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRect, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

FOLLOW_MS = 200
BEATS = 8  # how often it blinks before it rests
EDGE, AIR, ROUND, HEAD = 3, 4, 10, 9.0


class Halo(QWidget):
    """Lies over the whole window, and follows its target while that can be seen."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.target: QWidget | None = None
        self._over, self._around, self._beat = parent, QRect(), 0
        self._timer = QTimer(self)
        self._timer.setInterval(FOLLOW_MS)
        self._timer.timeout.connect(self._follow)
        self.hide()

    def point_at(self, target: QWidget | None) -> None:
        """Lie around a widget, or go."""
        self.target, self._beat = target, 0
        if target is None:
            self._timer.stop()
            self.hide()
            return
        target.destroyed.connect(self._lost)
        self._timer.start()
        self._follow()

    def _lost(self, *_: object) -> None:
        self.target = None

    def _follow(self) -> None:
        target, over = self.target, self._over
        seen = target is not None and target.isVisible() and target.window() is over
        self.setVisible(seen)
        if target is None or not seen:
            return
        corner = target.mapTo(over, QPoint(0, 0))
        around = QRect(corner, target.size()).adjusted(-AIR, -AIR, AIR, AIR)
        around = around.intersected(over.rect().adjusted(EDGE, EDGE, -EDGE, -EDGE))
        self._beat += 1
        if around != self._around or self.geometry() != over.rect() or self._beat <= BEATS:
            self._around = around
            self.setGeometry(over.rect())
            self.raise_()
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = QColor(self.palette().highlight().color())
        colour.setAlpha(110 if self._beat < BEATS and self._beat % 2 else 255)
        painter.setPen(QPen(colour, 2 * EDGE - 2))
        painter.drawRoundedRect(self._around, ROUND, ROUND)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        tip = QPointF(self._around.center().x(), max(self._around.top(), 1.2 * HEAD))
        above = -1.3 * HEAD
        painter.drawPolygon(QPolygonF([tip, tip + QPointF(-HEAD, above), tip + QPointF(HEAD, above)]))
        painter.end()
