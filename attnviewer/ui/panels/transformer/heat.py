"""A matrix as a heat map: any size, with labels where there is room, a marked row and column, and numbers on hover."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from attnviewer.core.trace import Floats
from attnviewer.core.transformer.shades import LEVELS, shades, shrink
from attnviewer.core.transformer.sums import plain as number
from attnviewer.ui.controls import plain
from attnviewer.ui.theme import LIGHT, Tokens

SIDE, TOP, TAIL, LARGEST, READABLE, MOST = 92.0, 58.0, 26.0, 80.0, 11.0, 1400


@dataclass(frozen=True, eq=False)
class Shown:
    """What a heat map shows: `values` [R, C], names of rows and columns (or none), whether 0 is the middle, the top."""

    values: Floats
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    signed: bool = False
    high: float | None = None
    square: bool = True
    above: bool = False  # keep the room for names of columns, so that rows stand level with those of a neighbour


class HeatMap(QWidget):
    """One matrix.

    Signals
    -------
    hovered(int, int) : row and column under the pointer, -1 for none.
    clicked(int, int) : the same, pressed.
    dragged(int, int) : the pressed pointer came to another cell.
    """

    hovered = Signal(int, int)
    clicked = Signal(int, int)
    dragged = Signal(int, int)

    def __init__(self, name: str) -> None:
        super().__init__()
        self._tokens, self._image, self._place = LIGHT, QImage(), QRectF()
        self.shown: Shown | None = None
        self.row = self.column = -1
        self._pressed = (-1, -1)
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setMinimumSize(60, 60)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return QSize(240, 240)

    def show_matrix(self, shown: Shown | None) -> None:
        """Show another matrix, or none."""
        before, self.shown = self.shown, shown
        if not _alike(before, shown):
            self._paint_image()
        self.update()

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return 0 if self.shown is None else int(self.shown.values.shape[1])

    def mark(self, row: int, column: int = -1) -> None:
        """Light a row and a column; -1 for none."""
        if (row, column) != (self.row, self.column):
            self.row, self.column = row, column
            self.update()

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self._paint_image()
        self.update()

    def _paint_image(self) -> None:
        if self.shown is None or not self.shown.values.size:
            self._image = QImage()
            return
        values = shrink(self.shown.values, MOST) if not self.shown.signed else self.shown.values
        places = shades(values, self.shown.signed, self.shown.high)
        self._image = image_of(places, table(self._tokens, self.shown.signed))

    def cells(self) -> QRectF:
        """Where the cells lie: as large as there is room for, square where tokens meet tokens."""
        shown = self.shown
        if shown is None:
            return QRectF()
        rows, columns = shown.values.shape
        left, above = (SIDE if shown.rows else 2.0), (TOP if shown.columns or shown.above else 2.0)
        wide, high = self.width() - left - 4, self.height() - above - 4
        across, down = wide / max(columns, 1), min(high / max(rows, 1), LARGEST)
        if shown.square:
            across = down = min(across, down, LARGEST)
        if shown.columns and across * columns > wide - TAIL:
            across = (wide - TAIL) / columns
            down = min(across, down) if shown.square else down
        return QRectF(left, above, max(across * columns, 1.0), max(down * rows, 1.0))

    def at(self, point: QPointF) -> tuple[int, int]:
        """Row and column at a point, -1 beside the cells."""
        box = self.cells()
        if self.shown is None or not box.contains(point):
            return -1, -1
        rows, columns = self.shown.values.shape
        row = min(int((point.y() - box.y()) / box.height() * rows), rows - 1)
        return row, min(int((point.x() - box.x()) / box.width() * columns), columns - 1)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        found = self.at(event.position())
        self.hovered.emit(*found)
        if event.buttons() & Qt.MouseButton.LeftButton and found != self._pressed and found[0] >= 0:
            self._pressed = found
            self.dragged.emit(*found)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.hovered.emit(-1, -1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row, column = self.at(event.position())
        if row >= 0:
            self._pressed = row, column
            self.clicked.emit(row, column)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), plain(self.tip(QPointF(event.pos()))), self)
            return True
        return super().event(event)

    def tip(self, point: QPointF) -> str:
        """Names and number of the cell at a point."""
        row, column = self.at(point)
        if self.shown is None or row < 0:
            return self.accessibleName()
        names = _name(self.shown.rows, row), _name(self.shown.columns, column)
        return f"{names[0]} → {names[1]}: {number(self.shown.values[row, column])}"

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.shown is None or self._image.isNull():
            return
        painter, box = QPainter(self), self.cells()
        painter.drawImage(box, self._image)
        rows, columns = self.shown.values.shape
        self._labels(painter, box, rows, columns)
        painter.setPen(QPen(QColor(self._tokens.line), 1))
        painter.drawRect(box)
        painter.setPen(QPen(QColor(self._tokens.text), 1.6))
        if 0 <= self.row < rows:
            high = box.height() / rows
            painter.drawRect(QRectF(box.x(), box.y() + self.row * high, box.width(), high))
        if 0 <= self.column < columns:
            wide = box.width() / columns
            painter.drawRect(QRectF(box.x() + self.column * wide, box.y(), wide, box.height()))
        painter.end()

    def _labels(self, painter: QPainter, box: QRectF, rows: int, columns: int) -> None:
        assert self.shown is not None
        font = self.font()
        high, wide = box.height() / rows, box.width() / columns
        font.setPixelSize(int(max(9, min(13, high if high >= READABLE else 12))))
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        for row, text in _visible(self.shown.rows, high, self.row, metrics.height()):
            painter.setPen(QColor(self._tokens.text if row == self.row else self._tokens.muted))
            place = QRectF(0, box.y() + row * high - 4, SIDE - 6, high + 8)
            elided = metrics.elidedText(text, Qt.TextElideMode.ElideRight, SIDE - 8)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, elided)
        for column, text in _visible(self.shown.columns, wide, self.column, metrics.height()):
            painter.setPen(QColor(self._tokens.text if column == self.column else self._tokens.muted))
            painter.save()
            painter.translate(box.x() + (column + 0.5) * wide + 3, box.y() - 5)
            painter.rotate(-52)
            painter.drawText(QPointF(0, 0), metrics.elidedText(text, Qt.TextElideMode.ElideRight, TOP + 6))
            painter.restore()


def _alike(one: Shown | None, other: Shown | None) -> bool:
    """Whether two matrices have the same image: the arrays themselves are the same, and their colours."""
    if one is None or other is None:
        return False
    return one.values is other.values and (one.signed, one.high) == (other.signed, other.high)


def _visible(names: Sequence[str], size: float, marked: int, least: float) -> list[tuple[int, str]]:
    """The names that have room: all, or as many as fit, the marked one among them."""
    if not names:
        return []
    every = max(1, int(np.ceil(least * 0.86 / max(size, 0.01))))
    kept = [
        number for number in range(0, len(names), every) if every == 1 or abs(number - marked) >= every or marked < 0
    ]
    if 0 <= marked < len(names) and marked not in kept:
        kept.append(marked)
    return [(number, names[number]) for number in kept]


def _name(names: Sequence[str], place: int) -> str:
    return names[place] if place < len(names) else str(place)


def table(tokens: Tokens, signed: bool) -> NDArray[np.uint32]:
    """256 colours: from the surface to the accent, or from the caution colour over the surface to the accent."""
    surface, accent, other = (_rgb(getattr(tokens, name)) for name in ("surface", "accent", "caution"))
    share = np.linspace(-1 if signed else 0, 1, LEVELS)[:, None]
    mixed = np.where(share >= 0, surface + (accent - surface) * share, surface + (other - surface) * -share)
    parts = np.rint(mixed).astype(np.uint32)
    return np.asarray(0xFF000000 | parts[:, 0] << 16 | parts[:, 1] << 8 | parts[:, 2], dtype=np.uint32)


def image_of(places: NDArray[np.uint8], colours: NDArray[np.uint32]) -> QImage:
    """An image of places [R, C] in a table of colours."""
    pixels = np.ascontiguousarray(colours[places])
    rows, columns = places.shape
    return QImage(pixels.data, columns, rows, columns * 4, QImage.Format.Format_RGB32).copy()


def _rgb(colour: str) -> NDArray[np.float64]:
    return np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)], dtype=np.float64)
