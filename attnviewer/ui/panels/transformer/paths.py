"""Two paths in a plane, a dot a layer, among words that lie near to where they end."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from attnviewer.core.i18n import tr
from attnviewer.core.trace import Floats
from attnviewer.core.transformer.findings import Context
from attnviewer.ui.controls import plain
from attnviewer.ui.theme import LIGHT, Tokens

EDGE, DOT, NEAR, KEY = 46.0, 5.0, 14.0, 24.0
LOOKS = (("accent", Qt.PenStyle.SolidLine), ("caution", Qt.PenStyle.DashLine))


class PathMap(QWidget):
    """The paths of one word in two sentences; the second is dashed and has squares for dots.

    Signals
    -------
    chosen(int) : a layer was clicked, 0 for what enters the first.
    """

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._tokens = LIGHT
        self.found: Context | None = None
        self.layer = -1
        self.setAccessibleName(tr("The word's path through the layers"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(260, 200)

    def sizeHint(self) -> QSize:
        return QSize(520, 420)

    def show_paths(self, found: Context | None, layer: int) -> None:
        """Show both paths, one layer marked."""
        self.found, self.layer = found, layer
        self.update()

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.update()

    def place(self, point: Floats) -> QPointF:
        """Where a point of the plane lies on the widget."""
        assert self.found is not None
        every = np.concatenate([self.found.places, *(path.points for path in self.found.paths)])
        low, high = every.min(axis=0), every.max(axis=0)
        share = (point - low) / np.maximum(high - low, 1e-6)
        wide, tall = self.width() - 2 * EDGE - 30, self.height() - 2 * EDGE - KEY
        return QPointF(EDGE + float(share[0]) * wide, KEY + EDGE + (1 - float(share[1])) * tall)

    def at(self, point: QPointF) -> tuple[int, int] | None:
        """Sentence and layer of the dot near to a point."""
        if self.found is None:
            return None
        dots = [
            ((self.place(dot) - point).manhattanLength(), number, layer)
            for number, path in enumerate(self.found.paths)
            for layer, dot in enumerate(path.points)
        ]
        far, number, layer = min(dots)
        return (number, layer) if far < NEAR else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if (found := self.at(event.position())) is not None:
            self.chosen.emit(found[1])

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), plain(self.tip(QPointF(event.pos()))), self)
            return True
        return super().event(event)

    def tip(self, point: QPointF) -> str:
        """What is known of the dot near to a point."""
        found = self.at(point)
        if found is None or self.found is None:
            return self.accessibleName()
        near = ", ".join(f"{word} {cosine:.2f}" for word, cosine in self.found.paths[found[0]].near[found[1]])
        return f"{' '.join(self.found.paths[found[0]].tokens)} · {layer_name(found[1])}: {near}"

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.found is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(self._tokens.muted))
        for word, place in zip(self.found.landmarks, self.found.places, strict=True):
            middle = self.place(place)
            painter.drawText(QRectF(middle.x() - 60, middle.y() - 9, 120, 18), Qt.AlignmentFlag.AlignCenter, word)
        for number in range(len(self.found.paths)):
            self._paint_path(painter, number)
        painter.end()

    def _paint_path(self, painter: QPainter, number: int) -> None:
        assert self.found is not None
        name, style = LOOKS[number]
        colour, path = QColor(getattr(self._tokens, name)), self.found.paths[number]
        dots = [self.place(dot) for dot in path.points]
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour, 2, style))
        painter.drawPolyline(QPolygonF(dots))
        self._paint_key(painter, number, QPen(colour, 2, style))
        for layer, dot in enumerate(dots):
            painter.setPen(QPen(QColor(self._tokens.text if layer == self.layer else colour), 2))
            painter.setBrush(colour)
            size = DOT + 3 if layer == self.layer else DOT
            box = QRectF(dot.x() - size, dot.y() - size, 2 * size, 2 * size)
            painter.drawRect(box) if number else painter.drawEllipse(box)
            painter.setPen(QColor(self._tokens.text))
            if layer in (0, len(dots) - 1, self.layer):
                painter.drawText(dot + QPointF(size + 4, -size - 2), tr("in") if layer == 0 else str(layer - 1))

    def _paint_key(self, painter: QPainter, number: int, pen: QPen) -> None:
        assert self.found is not None
        half = self.width() / 2
        painter.setPen(pen)
        painter.drawLine(QPointF(6 + number * half, 12), QPointF(30 + number * half, 12))
        painter.setPen(QColor(self._tokens.text))
        text = " ".join(self.found.paths[number].tokens[1:-1])
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(half) - 44)
        painter.drawText(QRectF(36 + number * half, 0, half - 40, KEY), Qt.AlignmentFlag.AlignVCenter, shown)


def layer_name(layer: int) -> str:
    """What the place behind a layer is called; 0 is before the first."""
    return tr("before layer 0") if layer == 0 else tr("after layer {layer}", layer=layer - 1)
