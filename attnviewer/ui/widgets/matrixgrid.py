"""Where the cells of a matrix of words lie: as large as there is room for, and scrolled where there is not."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QFontMetricsF

LEAST, WIDEST, HIGHEST = 20.0, 5.6, 2.9  # of a cell: in points, and in heights of a letter
PAD, SLANT, LONGEST = 8.0, 50.0, 130.0  # around a label, its angle where it doesn't fit across, its length at most
SINE, COSINE = math.sin(math.radians(SLANT)), math.cos(math.radians(SLANT))


@dataclass(frozen=True)
class GridPlan:
    """Sizes of cells and labels, the place of the first cell, and the size of everything.

    Parameters
    ----------
    left, above : room for the labels of the rows, and of the columns.
    flat : whether the labels of the columns stand level.
    tail : how far the last slanted label reaches over the right edge.
    indent : free room at the left, so that everything stands in the middle.
    """

    columns: int
    rows: int
    cell: QSizeF
    left: float
    above: float
    flat: bool
    tail: float
    indent: float = 0.0

    @property
    def size(self) -> QSizeF:
        """What the whole matrix takes with its labels."""
        wide = self.left + self.columns * self.cell.width() + self.tail
        return QSizeF(wide, self.above + self.rows * self.cell.height())

    def cells(self, shift: QPointF) -> QRectF:
        """Where all cells lie, scrolled by `shift`."""
        size = QSizeF(self.columns * self.cell.width(), self.rows * self.cell.height())
        return QRectF(QPointF(self.indent + self.left, self.above) - shift, size)

    def box(self, row: int, column: int, shift: QPointF) -> QRectF:
        """Where a cell lies."""
        first = self.cells(shift).topLeft()
        return QRectF(first + QPointF(column * self.cell.width(), row * self.cell.height()), self.cell)

    def at(self, point: QPointF, shift: QPointF) -> tuple[int, int]:
        """Row and column at a point, -1 where it is beside them; labels count as theirs."""
        inside = point - self.cells(shift).topLeft()
        row = int(inside.y() // self.cell.height()) if point.y() >= self.above else -1
        column = int(inside.x() // self.cell.width()) if point.x() >= self.indent + self.left else -1
        return row if row < self.rows else -1, column if column < self.columns else -1


def plan(
    columns: Sequence[str], rows: Sequence[str], view: QSizeF, metrics: QFontMetricsF, zoom: float = 1.0
) -> GridPlan:
    """Lay out a matrix with these labels in a view; `zoom` times as large as there is room for, or smaller."""
    room = view * max(1.0, zoom)
    least = LEAST * zoom if zoom < 1 else max(LEAST, metrics.height() + 4)
    left = float(int(_length(rows, metrics) + PAD))
    label = _length(columns, metrics)
    slanted = label * SINE + metrics.height() * COSINE + PAD
    tail = label * COSINE
    across = (room.width() - left) / max(1, len(columns))
    flat = across >= label + PAD or not columns
    above = float(int(metrics.height() + PAD if flat else slanted))
    if not flat:
        across = (room.width() - left - tail) / max(1, len(columns))
    down = (room.height() - above) / max(1, len(rows))
    unit = metrics.height()
    wide = min(max(across, least), WIDEST * unit, max(least * 2, label + 2 * PAD))
    cell = QSizeF(int(wide), int(min(max(down, least), HIGHEST * unit)))  # whole points, so that no seam shows
    made = GridPlan(len(columns), len(rows), cell, left, above, flat, 0.0 if flat else tail)
    indent = float(max(0, int((view.width() - made.size.width()) / 2)))
    return replace(made, indent=indent)


def _length(labels: Sequence[str], metrics: QFontMetricsF) -> float:
    return min(LONGEST, max((metrics.horizontalAdvance(label) for label in labels), default=0.0) + 2)
