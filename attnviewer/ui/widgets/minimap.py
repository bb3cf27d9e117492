"""A matrix that doesn't fit its view, whole and small in a corner, with a frame around what is in sight."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QColor, QPainter, QPen

from attnviewer.ui.theme import Tokens
from attnviewer.ui.widgets.ramp import as_image

WIDE, HIGH, EDGE = 110.0, 80.0, 6.0  # at most, in points, and the room around it


@dataclass(frozen=True)
class MiniMap:
    """Where it lies in the view, and which share of the matrix is in sight."""

    box: QRectF
    seen: QRectF

    def frame(self) -> QRectF:
        """What is in sight, as a box of the view."""
        box, seen = self.box, self.seen
        corner = QPointF(box.x() + seen.x() * box.width(), box.y() + seen.y() * box.height())
        return QRectF(corner, QSizeF(seen.width() * box.width(), seen.height() * box.height()))

    def share(self, point: QPointF) -> QPointF | None:
        """The place in the matrix (0 to 1) under a point of the view; None beside the map."""
        if not self.box.contains(point):
            return None
        return QPointF((point.x() - self.box.x()) / self.box.width(), (point.y() - self.box.y()) / self.box.height())

    def paint(self, painter: QPainter, maps: NDArray[np.float32], top: float, tokens: Tokens) -> None:
        """Paint all maps, and the frame."""
        rim = self.box.adjusted(-1, -1, 1, 1)
        painter.fillRect(rim, QColor(tokens.stage))
        painter.drawImage(self.box, as_image(maps, top, tokens, 1, 1))
        painter.setPen(QPen(QColor(tokens.muted), 1))
        painter.drawRect(rim)
        painter.setPen(QPen(QColor(tokens.accent), 2))
        painter.drawRect(self.frame())


def mini_map(cells: QRectF, view: QRectF) -> MiniMap | None:
    """The map of `cells`, of which those inside `view` are in sight; None where they all are."""
    inside = cells.intersected(view)
    if (
        cells.isEmpty()
        or inside.isEmpty()
        or (inside.width() > cells.width() - 1 and inside.height() > cells.height() - 1)
    ):
        return None
    scale = min(WIDE / cells.width(), HIGH / cells.height())
    size = QSizeF(max(8.0, cells.width() * scale), max(8.0, cells.height() * scale))
    box = QRectF(QPointF(view.right() - size.width() - EDGE, view.bottom() - size.height() - EDGE), size)
    seen = QRectF((inside.x() - cells.x()) / cells.width(), (inside.y() - cells.y()) / cells.height(),
                  inside.width() / cells.width(), inside.height() / cells.height())  # fmt: skip
    return MiniMap(box, seen)
