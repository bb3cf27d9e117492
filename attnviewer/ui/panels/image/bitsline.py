"""How much of the photo is left in each word: a line below the filmstrip for each way to attend."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviewer.core.i18n import later, tr
from attnviewer.core.modes import MODES
from attnviewer.ui.controls import plain
from attnviewer.ui.panels.image.filmstrip import Strip
from attnviewer.ui.pens import pen_of
from attnviewer.ui.player import Player
from attnviewer.ui.textsize import scaled
from attnviewer.ui.theme import LIGHT, Tokens

HIGH, EDGE, ROW, SAMPLE, AXIS = 38, 5, 17, 26, 11
LEAST = 1.0  # bits at the top of the scale, at the least
TIP = later(
    "How much of the photo is left: bits by which this photo, instead of an average one, changes the chances of the "
    "next word. Each model reads the words shown. Heights follow the square root."
)
Lines = Mapping[str, tuple[float | None, ...]]


def name_of(mode: str) -> str:
    """A mode in the key of the lines."""
    return MODES[mode].label("caption") if mode in MODES else mode


ENOUGH = 0.05  # of the greater sum, by which the sums of two modes must differ to be told apart
VERDICTS = (
    later("Over the whole caption, {first} keeps more of this photo than no attention: {own} bits against {other}."),
    later("Over the whole caption, {first} keeps no more of this photo than no attention: {own} bits against {other}."),
)


def verdict(lines: Lines) -> str:
    """What the lines say together: whether a mode keeps more of the photo than no attention does; "" without both."""
    other = lines.get("none")
    mode = next((mode for mode in lines if MODES[mode].has_attention), None)
    if other is None or mode is None or None in other or None in lines[mode]:
        return ""
    own, none = (sum(bits for bits in line if bits is not None) for line in (lines[mode], other))
    wins = own - none > ENOUGH * max(own, none)
    return tr(VERDICTS[not wins], first=name_of(mode), own=f"{own:.1f}", other=f"{none:.1f}")


class BitsLine(QWidget):
    """The lines, each point below its word."""

    def __init__(self, strip: Strip, player: Player) -> None:
        super().__init__()
        self._strip, self._player, self._tokens = strip, player, LIGHT
        self.lines: dict[str, tuple[float | None, ...]] = {}
        self.setFixedHeight(HIGH)
        self.setAccessibleName(tr("How much of the photo is left in each word, in bits"))
        self.setToolTip(plain(tr(TIP)))
        player.word_changed.connect(self.update)

    @property
    def top(self) -> float:
        """Bits at the top of the scale."""
        return max([LEAST, *(bits for line in self.lines.values() for bits in line if bits is not None)])

    def show_lines(self, lines: Lines) -> None:
        """Show the bits of each word by mode; without any the line takes no room."""
        self.lines = dict(lines)
        said = [f"{name_of(mode)}: {', '.join(map(number, line))}" for mode, line in self.lines.items()]
        self.setAccessibleDescription("; ".join(said))
        self.update()

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.update()

    def points(self, mode: str) -> list[QPointF]:
        """Where the line of a mode runs."""
        deep = HIGH - 2 * EDGE
        found = [(word, bits) for word, bits in enumerate(self.lines[mode]) if bits is not None]
        return [
            QPointF(self._strip.box(word).center().x(), EDGE + deep * (1 - (bits / self.top) ** 0.5))
            for word, bits in found
        ]

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self.lines:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        base = HIGH - EDGE + 0.5
        painter.setPen(QColor(self._tokens.line))
        painter.drawLine(QPointF(EDGE, base), QPointF(self.width() - EDGE, base))
        self._paint_axis(painter)
        for mode in self.lines:
            painter.setPen(pen_of(mode, self._tokens))
            painter.drawPolyline(QPolygonF(self.points(mode)))
            self._paint_current(painter, mode)
        painter.end()

    def _paint_axis(self, painter: QPainter) -> None:
        """What the top and the bottom of the scale stand for."""
        font = QFont(self.font())
        font.setPixelSize(scaled(AXIS))
        painter.setFont(font)
        painter.setPen(QColor(self._tokens.muted))
        room = QRectF(EDGE, 0, 60, HIGH - EDGE - 1)
        painter.drawText(room, Qt.AlignmentFlag.AlignTop, f"{self.top:.1f}")
        painter.drawText(room, Qt.AlignmentFlag.AlignBottom, "0")

    def _paint_current(self, painter: QPainter, mode: str) -> None:
        points, word = self.points(mode), self._player.word
        if 0 <= word < len(points):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(pen_of(mode, self._tokens).color())
            painter.drawEllipse(points[word], 4, 4)
            painter.setBrush(Qt.BrushStyle.NoBrush)


class BitsKey(QWidget):
    """Which line is which, and its number for the current word."""

    def __init__(self, line: BitsLine, player: Player) -> None:
        super().__init__()
        self._line, self._player, self._tokens = line, player, LIGHT
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Key of the lines: how much of the photo is left in this word"))
        self.setToolTip(plain(tr(TIP)))
        player.word_changed.connect(self.refresh)

    def refresh(self, *_: int) -> None:
        """Look again at the lines and the current word."""
        self.setAccessibleDescription("; ".join(self.rows()))
        self.updateGeometry()
        self.update()

    def rows(self) -> list[str]:
        """The text of each row."""
        word = self._player.word
        return [
            tr("{name}  {number} bits", name=name_of(mode), number=number(line[word]))
            for mode, line in self._line.lines.items()
            if 0 <= word < len(line)
        ]

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(scaled(150), scaled(ROW) * (1 + len(self._line.lines)) if self._line.lines else 0)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        rows = self.rows()
        if not rows:
            return
        painter, row = QPainter(self), scaled(ROW)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(self._tokens.muted))
        painter.drawText(QRectF(0, 0, self.width(), row), Qt.AlignmentFlag.AlignVCenter, tr("Photo left in this word"))
        for index, (mode, text) in enumerate(zip(self._line.lines, rows, strict=False), start=1):
            middle = row * (index + 0.5)
            painter.setPen(pen_of(mode, self._tokens))
            painter.drawLine(QPointF(1, middle), QPointF(SAMPLE, middle))
            painter.setPen(QColor(self._tokens.text))
            box = QRectF(SAMPLE + 8, row * index, self.width() - SAMPLE - 8, row)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()


def number(bits: float | None) -> str:
    """Bits with two digits after the point."""
    return "?" if bits is None else f"{bits:.2f}"
