"""BLEU by the length of the source: a small figure with a line for each way to attend."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviewer.core.i18n import tr
from attnviewer.core.modes import MODES
from attnviewer.ui.installed import LENGTHS
from attnviewer.ui.pens import pen_of
from attnviewer.ui.textsize import factor, scaled
from attnviewer.ui.theme import LIGHT, Tokens

LEFT, RIGHT, TOP, FOOT, KEY = 44, 16, 14, 40, 24
ABOVE, BELOW, RIGHTWARD = QPointF(-25, -21), QPointF(-25, 4), QPointF(1, -9)
GRID = 20  # BLEU between two lines of the ground


def name_of(mode: str) -> str:
    """A mode in the key of the lines."""
    return MODES[mode].label("translate")


class Curve(QWidget):
    """Lines told apart by their dashes as well as by their colour; each point has its number."""

    def __init__(self, curves: Mapping[str, tuple[float, ...]]) -> None:
        super().__init__()
        self.curves, self._tokens = dict(curves), LIGHT
        self.setFixedSize(self.sizeHint())
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("BLEU by the length of the source sentence"))
        said = {mode: ", ".join(map(self._said, LENGTHS.values(), line)) for mode, line in curves.items()}
        told = [f"{name_of(mode)}: {numbers}" for mode, numbers in said.items()]
        self.setAccessibleDescription("; ".join(told))

    @staticmethod
    def _said(length: str, value: float) -> str:
        return tr("{length} words {value:.1f}", length=length, value=value)

    def sizeHint(self) -> QSize:
        return QSize(scaled(400), scaled(250 + KEY))

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.setFixedSize(self.sizeHint())
        self.update()

    @property
    def top(self) -> float:
        """BLEU at the upper edge."""
        highest = max((value for line in self.curves.values() for value in line), default=0.0)
        return GRID * (int(highest // GRID) + 1)

    @property
    def _field(self) -> QRectF:
        return QRectF(self.rect()).adjusted(scaled(LEFT), TOP + scaled(KEY), -RIGHT, -scaled(FOOT))

    def points(self, mode: str) -> list[QPointF]:
        """Where a line runs."""
        box, line = self._field, self.curves[mode]
        step, unit = box.width() / len(line), box.height() / self.top
        return [QPointF(box.x() + (i + 0.5) * step, box.bottom() - unit * bleu) for i, bleu in enumerate(line)]

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter)
        for order, mode in enumerate(self.curves):
            self._paint_line(painter, mode)
            self._paint_key(painter, mode, order)
        painter.end()

    def _pen(self, mode: str) -> QPen:
        return pen_of(mode, self._tokens)

    def _paint_ground(self, painter: QPainter) -> None:
        box, right = self._field, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for level in range(0, int(self.top) + 1, GRID):
            y = box.bottom() - box.height() * level / self.top
            painter.setPen(QColor(self._tokens.line))
            painter.drawLine(QPointF(box.x(), y), QPointF(box.right(), y))
            painter.setPen(QColor(self._tokens.muted))
            painter.drawText(QRectF(0, y - scaled(10), scaled(LEFT) - 8, scaled(20)), right, str(level))
        step = box.width() / len(LENGTHS)
        for index, name in enumerate(LENGTHS.values()):
            room = QRectF(box.x() + (index + 0.5) * step - 40, box.bottom() + 4, 80, scaled(16))
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, name)
        foot = QRectF(box.x(), box.bottom() + scaled(20), box.width(), scaled(18))
        painter.drawText(foot, Qt.AlignmentFlag.AlignCenter, tr("words of the sentence"))

    def _paint_line(self, painter: QPainter, mode: str) -> None:
        pen, points = self._pen(mode), self.points(mode)
        painter.setPen(pen)
        painter.drawPolyline(QPolygonF(points))
        painter.setBrush(pen.color())
        for index, (point, value) in enumerate(zip(points, self.curves[mode], strict=True)):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawEllipse(point, 3.5, 3.5)
            painter.setPen(pen.color())
            box = QRectF(point + self._beside(mode, index) * factor(), QSizeF(50, 17) * factor())
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, f"{value:.1f}")
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _beside(self, mode: str, index: int) -> QPointF:
        """Where a number stands: the highest above its point, the lowest below, any between to the right."""
        values = [line[index] for line in self.curves.values()]
        value = self.curves[mode][index]
        return ABOVE if value == max(values) else BELOW if value == min(values) else RIGHTWARD

    def _paint_key(self, painter: QPainter, mode: str, order: int) -> None:
        start, middle = scaled(LEFT), scaled(KEY) / 2
        left = start + order * (self.width() - start) / max(2, len(self.curves))
        painter.setPen(self._pen(mode))
        painter.drawLine(QPointF(left, middle), QPointF(left + 24, middle))
        painter.setPen(QColor(self._tokens.text))
        painter.drawText(QRectF(left + 30, 0, scaled(120), scaled(KEY)), Qt.AlignmentFlag.AlignVCenter, name_of(mode))
