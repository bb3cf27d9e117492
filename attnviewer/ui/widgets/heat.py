"""A table of numbers as colours, with names at the left and above; a cell can be pointed at."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviewer.ui.controls import named
from attnviewer.ui.textsize import scaled
from attnviewer.ui.theme import LIGHT, Tokens
from attnviewer.ui.widgets.raster import STEPS

HEAD, LEAST, MOST, PAD = 24, 17, 30, 6


class HeatTable(QWidget):
    """Numbers [R, C] with names; as many rows as fit.

    Signals
    -------
    picked(int, int) : row and column of a cell that was clicked or reached by the arrow keys.
    """

    picked = Signal(int, int)

    def __init__(self, name: str, tip: str, tell: Callable[[float], str] = "{:.2f}".format, share: float = 0.2) -> None:
        super().__init__()
        named(self, name, tip)
        self._tell, self._share, self._tokens = tell, share, LIGHT
        self.rows: tuple[str, ...] = ()
        self.columns: tuple[str, ...] = ()
        self.values = np.zeros((0, 0))
        self.at = (0, 0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(180, scaled(HEAD) + 4 * scaled(LEAST))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_values(self, rows: Sequence[str], columns: Sequence[str], values: ArrayLike) -> None:
        """Show this table."""
        self.rows, self.columns, self.values = tuple(rows), tuple(columns), np.asarray(values, np.float64)
        self.setMaximumHeight(scaled(HEAD) + 2 + scaled(MOST) * max(len(rows), 4))
        self.at = (min(self.at[0], max(len(rows) - 1, 0)), min(self.at[1], max(len(columns) - 1, 0)))
        self.update()

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.setMinimumSize(180, scaled(HEAD) + 4 * scaled(LEAST))
        self.setMaximumHeight(scaled(HEAD) + 2 + scaled(MOST) * max(len(self.rows), 4))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(420, scaled(HEAD) + 12 * 22)

    @property
    def room(self) -> int:
        """How many rows fit."""
        return max(1, (self.height() - scaled(HEAD)) // scaled(LEAST))

    def cell(self, row: int, column: int) -> QRectF:
        """Where a cell lies."""
        left = self.width() * self._share
        wide = (self.width() - left - 2) / max(1, len(self.columns))
        shown = min(len(self.rows), self.room)
        high = min(scaled(MOST), (self.height() - scaled(HEAD) - 2) / max(1, shown))
        return QRectF(left + column * wide, scaled(HEAD) + row * high, wide, high)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        if not self.values.size:
            return
        top = max(float(np.abs(self.values).max()), 1e-12)
        for column, name in enumerate(self.columns):
            above = QRectF(self.cell(0, column)).translated(0, -scaled(HEAD))
            self._name(painter, above, scaled(HEAD), name, column == self.at[1])
        for row in range(min(len(self.rows), self.room)):
            first = self.cell(row, 0)
            label = QRectF(0, first.y(), first.x() - PAD, first.height())
            self._name(painter, label, first.height(), self.rows[row], row == self.at[0], right=True)
            for column in range(len(self.columns)):
                self._paint_cell(painter, row, column, top)

    def _name(self, painter: QPainter, box: QRectF, high: float, text: str, bold: bool, *, right: bool = False) -> None:
        box.setHeight(high)
        font = painter.font()
        font.setBold(bold)
        painter.setFont(font)
        painter.setPen(QColor(self._tokens.text if bold else self._tokens.muted))
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignHCenter
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(box.width()))
        painter.drawText(box, side | Qt.AlignmentFlag.AlignVCenter, shown)

    def _paint_cell(self, painter: QPainter, row: int, column: int, top: float) -> None:
        box, value = self.cell(row, column), float(self.values[row, column])
        colour = QColor(self._tokens.accent)
        colour.setAlphaF(min(1.0, abs(value) / top) ** 0.7)
        painter.fillRect(box, QColor(self._tokens.surface))
        painter.fillRect(box.adjusted(1, 1, -1, -1), colour)
        font = painter.font()
        font.setBold(False)
        painter.setFont(font)
        strong = abs(value) / top > 0.45
        painter.setPen(QColor(self._tokens.on_accent if strong else self._tokens.text if value else self._tokens.line))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._tell(value))
        if (row, column) == self.at:
            painter.setPen(QPen(QColor(self._tokens.text), 2))
            painter.drawRect(box.adjusted(1, 1, -1, -1))

    def place(self, point: QPointF) -> tuple[int, int] | None:
        """The cell at a point; the names count as theirs."""
        for row in range(min(len(self.rows), self.room)):
            for column in range(len(self.columns)):
                if self.cell(row, column).contains(point):
                    return row, column
        return None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self.place(event.position())
        if found is not None:
            self.pick(found)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = STEPS.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        last = min(len(self.rows), self.room) - 1, len(self.columns) - 1
        self.pick(tuple(min(max(at + by, 0), most) for at, by, most in zip(self.at, step, last, strict=True)))  # type: ignore[arg-type]

    def pick(self, place: tuple[int, int]) -> None:
        """Point at a cell and tell the others."""
        self.at = place
        self.update()
        self.picked.emit(*place)
