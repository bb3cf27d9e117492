"""A small plot: lines told apart by dashes as well as by colour, axes with few ticks, a mark that can be moved."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviewer.ui.controls import named
from attnviewer.ui.textsize import scaled
from attnviewer.ui.theme import LIGHT, Tokens

LEFT, RIGHT, TOP, BOTTOM, KEY = 58, 14, 8, 34, 20
DASHES = {
    "": Qt.PenStyle.SolidLine,
    "--": Qt.PenStyle.DashLine,
    ":": Qt.PenStyle.DotLine,
    "-.": Qt.PenStyle.DashDotLine,
}
TICKS = 4


@dataclass(frozen=True)
class Line:
    """Points of one line; `colour` is one of the theme's."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    colour: str = "accent"
    dash: str = ""
    points: bool = False


@dataclass(frozen=True)
class Axis:
    """One axis.

    Parameters
    ----------
    log : whether it is logarithmic.
    low, high : its ends; None: those of the lines.
    tell : how numbers are told.
    step : from one tick to the next; None takes a round number.
    """

    title: str = ""
    log: bool = False
    low: float | None = None
    high: float | None = None
    tell: Callable[[float], str] = "{:g}".format
    step: float | None = None


class Plot(QWidget):
    """Some lines over two axes.

    Signals
    -------
    picked(float) : a place on the x axis was clicked.
    """

    picked = Signal(float)

    def __init__(self, name: str, tip: str, x: Axis, y: Axis, *, empty: str = "", title: str = "") -> None:
        super().__init__()
        named(self, name, tip)
        self._tip = tip
        self.across, self.up, self.empty, self._tokens = x, y, empty, LIGHT
        self.lines: tuple[Line, ...] = ()
        self.title = title  # stands where else the key of the lines does
        self.mark: float | None = None
        self.setMinimumSize(160, 110)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_lines(self, lines: Sequence[Line], mark: float | None = None) -> None:
        """Show these lines, and an upright line at `mark`."""
        self.lines, self.mark = tuple(line for line in lines if line.x), mark
        told = "; ".join(f"{line.name}: {self.up.tell(line.y[-1])}" for line in self.lines)
        self.setAccessibleDescription(told or self._tip)
        self.update()

    def set_empty(self, text: str) -> None:
        """Say something else where there are no lines."""
        self.empty = text
        self.update()

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, 180)

    def field(self) -> QRectF:
        """Where the lines lie."""
        return QRectF(self.rect()).adjusted(scaled(LEFT), TOP + scaled(KEY), -RIGHT, -scaled(BOTTOM))

    def ends(self, axis: Axis, values: Sequence[float]) -> tuple[float, float]:
        """Both ends of an axis; they differ."""
        low = min(values, default=0.0) if axis.low is None else axis.low
        high = max(values, default=1.0) if axis.high is None else axis.high
        if axis.log:
            low, high = max(low, 1e-12), max(high, 1e-12)
            return (low, high) if high > low else (low / 2, low * 2)
        return (low, high) if high > low else (low, low + 1)

    def _scales(self) -> tuple[tuple[float, float], tuple[float, float]]:
        x = self.ends(self.across, [v for line in self.lines for v in line.x])
        return x, self.ends(self.up, [v for line in self.lines for v in line.y if math.isfinite(v)])

    def point(self, x: float, y: float) -> QPointF:
        """Where a pair of numbers lies."""
        wide, high = self._scales()
        box = self.field()
        right, above = _share(self.across, wide, x) * box.width(), _share(self.up, high, y) * box.height()
        return QPointF(box.left() + right, box.bottom() - above)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.lines:
            painter.setPen(QColor(self._tokens.muted))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.empty)
            return
        self._paint_axes(painter)
        if self.mark is not None:
            painter.setPen(QPen(QColor(self._tokens.muted), 1, Qt.PenStyle.DashLine))
            top, bottom = self.field().top(), self.field().bottom()
            place = self.point(self.mark, self._scales()[1][0]).x()
            painter.drawLine(QPointF(place, top), QPointF(place, bottom))
        for order, line in enumerate(self.lines):
            self._paint_line(painter, line)
            if not self.title:
                self._paint_key(painter, line, order)
        painter.setPen(QColor(self._tokens.text))
        painter.drawText(QRectF(LEFT, TOP - 6, self.width() - LEFT, KEY), Qt.AlignmentFlag.AlignVCenter, self.title)

    def _paint_axes(self, painter: QPainter) -> None:
        (left, right), (low, high) = self._scales()
        box, middle = self.field(), Qt.AlignmentFlag.AlignCenter
        for value in ticks(self.up, low, high):
            y = self.point(left, value).y()
            painter.setPen(QPen(QColor(self._tokens.line), 1))
            painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))
            painter.setPen(QColor(self._tokens.muted))
            side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(0, y - scaled(9), scaled(LEFT) - 6, scaled(18)), side, self.up.tell(value))
        painter.setPen(QColor(self._tokens.muted))
        found = ticks(self.across, left, right)
        room = box.width() / max(1, len(found))
        for value in found:
            text = painter.fontMetrics().elidedText(self.across.tell(value), Qt.TextElideMode.ElideRight, int(room))
            edge = self.width() - painter.fontMetrics().horizontalAdvance(text) / 2
            x = min(self.point(value, low).x(), edge)
            painter.drawText(QRectF(x - room / 2, box.bottom() + 1, room, scaled(16)), middle, text)
        painter.drawText(
            QRectF(box.left(), box.bottom() + scaled(15), box.width(), scaled(18)), middle, self.across.title
        )

    def _pen(self, line: Line) -> QPen:
        return QPen(QColor(getattr(self._tokens, line.colour)), 2, DASHES[line.dash])

    def _paint_line(self, painter: QPainter, line: Line) -> None:
        points = [self.point(x, y) for x, y in zip(line.x, line.y, strict=True) if math.isfinite(y)]
        painter.setPen(self._pen(line))
        painter.drawPolyline(QPolygonF(points))
        if line.points or len(points) == 1:
            painter.setBrush(QColor(getattr(self._tokens, line.colour)))
            for point in points:
                painter.drawEllipse(point, 3, 3)
            painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_key(self, painter: QPainter, line: Line, order: int) -> None:
        left, wide = self._keys(painter.fontMetrics())[order]
        painter.setPen(self._pen(line))
        painter.drawLine(QPointF(left, TOP + 4), QPointF(left + 22, TOP + 4))
        painter.setPen(QColor(self._tokens.text))
        room = QRectF(left + 28, TOP + 4 - scaled(KEY) / 2, wide - 32, scaled(KEY))
        text = painter.fontMetrics().elidedText(line.name, Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)

    def _keys(self, metrics: QFontMetrics) -> list[tuple[float, float]]:
        """Where the key of each line begins and how wide it is: as its name needs, or alike where all don't fit."""
        room, needs = self.width() - 12, [metrics.horizontalAdvance(line.name) + 44.0 for line in self.lines]
        if sum(needs) > room:
            needs = [room / len(needs)] * len(needs)
        return [(6 + sum(needs[:n]), wide) for n, wide in enumerate(needs)]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.lines and self.field().contains(event.position()):
            (left, right), box = self._scales()[0], self.field()
            share = (event.position().x() - box.left()) / box.width()
            self.picked.emit(left * (right / left) ** share if self.across.log else left + share * (right - left))


def _share(axis: Axis, ends: tuple[float, float], value: float) -> float:
    low, high = ends
    if axis.log:
        return math.log(max(value, low) / low) / math.log(high / low)
    return (value - low) / (high - low)


def ticks(axis: Axis, low: float, high: float) -> list[float]:
    """A few round numbers from `low` to `high`; powers of ten on a logarithmic axis."""
    if axis.log:
        first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
        if last - first < 2:  # within two decades
            rounds = [m * 10.0**power for power in range(first - 1, last + 1) for m in (1, 2, 5)]
            return [value for value in rounds if low <= value <= high]
        step = max(1, -(-(last - first) // TICKS))
        return [10.0**power for power in range(first, last + 1, step)]
    rough = (high - low) / TICKS
    base = 10.0 ** math.floor(math.log10(rough))
    apart = axis.step or next(base * m for m in (1, 2, 5, 10) if base * m >= rough * 0.999)
    return [n * apart for n in range(math.ceil(low / apart - 1e-9), math.floor(high / apart + 1e-9) + 1)]
