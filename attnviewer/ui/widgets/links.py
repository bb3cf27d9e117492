"""Two rows of words, what was read above, what was written below, joined by lines as wide as the weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen, QResizeEvent

from attnviewer.core import lens
from attnviewer.core.i18n import later, tr
from attnviewer.core.trace import Trace
from attnviewer.ui.textsize import scaled
from attnviewer.ui.widgets.chippaint import Chip, faded, paint_chip
from attnviewer.ui.widgets.wordnotes import about_source, about_target, looked_at
from attnviewer.ui.widgets.wordrow import WordRow
from attnviewer.ui.widgets.wordscroll import WordScroll

SIZE, LARGE, EDGE, CHIP = 15, 26, 16, 14  # sizes of letters, the margin, what a chip adds to a letter's height
FAINT, STRONG = 0.06, 0.01  # weights below these aren't drawn: of other words, of the current one
THICK, TALLEST, SCROLL, SMALLEST = 9.0, 220.0, 8, 0.8
NAME = later("The sentence above, its translation below, joined by the attention")


class Links(WordScroll):
    """Paints only what can be seen; a click on a source word moves the clock to the word that looked most at it.

    Signals
    -------
    struck(int) : a source word was clicked with Ctrl, so it is to be struck out or put back.
    """

    struck = Signal(int)

    def __init__(self) -> None:
        super().__init__(tr(NAME))
        self._large, self._scale = SIZE, SIZE
        self.source, self.target = WordRow(), WordRow()
        self.trace: Trace | None = None
        self.maps: NDArray[np.float32] = np.zeros((0, 0), np.float32)
        self.pairs: NDArray[np.int64] = np.zeros((0, 2), np.int64)
        self.top, self.empty = 1.0, ""
        self.hidden: frozenset[int] = frozenset()  # source words that are struck out
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.set_large(False)

    def set_large(self, on: bool) -> None:
        """Letters for a room, or for a desk."""
        super().set_large(on)
        self._large = scaled(LARGE if on else SIZE)
        self._take_size(self._large)
        self._place()

    def _take_size(self, size: int) -> None:
        self._scale = size
        self.set_size(size)
        for words in (self.source, self.target):
            words.set_font(self.font())

    def _shrink(self) -> None:
        """Take somewhat smaller letters where all words can be seen then."""
        room = self.viewport().width() - 2 * EDGE - 2
        sizes = range(self._large, round(self._large * SMALLEST) - 1, -1)
        size = next((size for size in sizes if self._needs(size) <= room), self._large)
        if size != self._scale:
            self._take_size(size)

    def _needs(self, size: int) -> float:
        return max(words.least_at(size / self._scale) for words in (self.source, self.target))

    def sizeHint(self) -> QSize:
        return QSize(520, 220)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 3 * (self._scale + CHIP) + 2 * EDGE + SCROLL)

    @property
    def needs(self) -> float:
        """How wide the view has to be to show all words."""
        return self._needs(self._large) + 2 * EDGE

    def show_trace(self, trace: Trace | None, source: Sequence[str], top: float = 1.0, empty: str = "") -> None:
        """Show the words so far; `source` stands already before there are any.

        Parameters
        ----------
        top : the weight that is painted strongest.
        empty : what is said in the middle where there are no weights to draw.
        """
        self.trace, self.top, self.empty = trace, top, empty
        self.maps = lens.maps(trace) if trace is not None and trace.heads else np.zeros((0, len(source)), np.float32)
        self.pairs = np.argwhere(self.maps >= FAINT)
        self.source.set_words(source)
        self.target.set_words(trace.words if trace is not None else ())
        self.pointed = self.pointed if self.pointed < len(source) else -1
        self._place()

    def show_word(self, word: int) -> None:
        """Make a word the current one and bring it into sight."""
        self.word = word
        self.setAccessibleDescription(looked_at(self.trace, word) if self.trace is not None else "")
        if 0 <= word < len(self.target.words):
            self._bring(float(self.target.centres[word]))
        self.viewport().update()

    def _bring(self, centre: float) -> None:
        bar, wide = self.horizontalScrollBar(), self.viewport().width()
        if not bar.value() + wide * 0.15 <= centre + EDGE <= bar.value() + wide * 0.85:
            bar.setValue(round(centre + EDGE - wide / 2))

    def _place(self) -> None:
        self._shrink()
        wide, high = self.viewport().width() - 2 * EDGE, self._scale + CHIP
        needs = max(self.source.least, self.target.least)
        between = min(TALLEST * self._scale / SIZE, max(high, self.viewport().height() - 2 * EDGE - 2 * high))
        top = max(float(EDGE), (self.viewport().height() - 2 * high - between) / 2)
        for words, y in ((self.source, top), (self.target, top + high + between)):
            words.place(y, high, max(wide, needs), middle=needs <= wide)
        bar = self.horizontalScrollBar()
        bar.setRange(0, max(0, round(needs - wide)))
        bar.setPageStep(max(1, wide))
        bar.setSingleStep(40)
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    @property
    def _shift(self) -> QPointF:
        return QPointF(EDGE - self.horizontalScrollBar().value(), 0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.font())
        painter.translate(self._shift)
        left = -self._shift.x()
        right = left + self.viewport().width()
        self._paint_lines(painter, left, right)
        for index in self.source.seen(left, right):
            paint_chip(painter, self.source, index, self._source_chip(index), self._tokens)
        for index in self.target.seen(left, right):
            paint_chip(painter, self.target, index, self._target_chip(index), self._tokens)
        self._paint_empty(painter, left)
        self.paint_focus(painter)
        painter.end()

    def _paint_lines(self, painter: QPainter, left: float, right: float) -> None:
        shown = self.pairs[self.pairs[:, 0] != self.word]
        low = np.minimum(self.source.centres[shown[:, 1]], self.target.centres[shown[:, 0]])
        high = np.maximum(self.source.centres[shown[:, 1]], self.target.centres[shown[:, 0]])
        for word, place in shown[(high >= left) & (low <= right)]:
            self._paint_line(painter, int(word), int(place), place == self.pointed)
        if 0 <= self.word < len(self.maps):
            for place in np.flatnonzero(self.maps[self.word] >= STRONG):
                self._paint_line(painter, self.word, int(place), self.pointed in (-1, place))

    def _paint_line(self, painter: QPainter, word: int, place: int, strong: bool) -> None:
        weight = float(self.maps[word, place])
        share = min(1.0, weight / self.top)
        colour = faded(self._tokens.accent, 0.4 + 0.6 * share) if strong else faded(self._tokens.muted, 0.34 * share)
        painter.setPen(QPen(colour, max(0.8, THICK * self._scale / SIZE * weight), c=Qt.PenCapStyle.FlatCap))
        start, end = self.source.box(place), self.target.box(word)
        path = QPainterPath(QPointF(start.center().x(), start.bottom()))
        bend = (end.top() - start.bottom()) * 0.45
        path.cubicTo(
            QPointF(start.center().x(), start.bottom() + bend), QPointF(end.center().x(), end.top() - bend),
            QPointF(end.center().x(), end.top()),
        )  # fmt: skip
        painter.strokePath(path, painter.pen())

    def _source_chip(self, index: int) -> Chip:
        weight = float(self.maps[self.word, index]) if 0 <= self.word < len(self.maps) else 0.0
        return Chip(weight / self.top, ring=index == self.pointed, struck=index in self.hidden)

    def _target_chip(self, index: int) -> Chip:
        assert self.trace is not None
        pointed = self.pointed >= 0 and index < len(self.maps)
        wash = float(self.maps[index, self.pointed]) / self.top if pointed else 0.0
        return Chip(wash, current=index == self.word, under=self.trace.steps[index].unknown)

    def _paint_empty(self, painter: QPainter, left: float) -> None:
        if self.empty:
            painter.setPen(faded(self._tokens.muted, 1.0))
            box = self.viewport().rect().translated(round(left), 0)
            box.setTop(round(self.source.top + self.source.high))
            box.setBottom(round(self.target.top))
            font = QFont(self.font())
            font.setPixelSize(self._large * 13 // SIZE)
            painter.setFont(font)
            wrap = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(box.adjusted(EDGE, 0, -EDGE, 0), wrap, self.empty)

    def _at(self, point: QPointF) -> tuple[int, int]:
        """The source word and the produced word under a point of the viewport, -1 for none."""
        inside = point - self._shift
        return self.source.at(inside), self.target.at(inside)

    @property
    def places(self) -> int:
        return len(self.source.words)

    def about(self, place: int) -> str:
        return about_source(self.trace, self.source.words, place) if 0 <= place < self.places else ""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place, word = self._at(event.position())
        hand = Qt.CursorShape.PointingHandCursor if max(place, word) >= 0 else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(hand)
        self.point(place)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place, word = self._at(event.position())
        if place >= 0 and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return self.struck.emit(place)
        if word < 0 <= place and len(self.maps):
            word = int(self.maps[:, place].argmax())
        if word >= 0:
            self.chosen.emit(word)
        return None

    def tip_at(self, point: QPointF) -> str:
        place, word = self._at(point)
        if word >= 0 and self.trace is not None:
            return about_target(self.trace, word)
        return about_source(self.trace, self.source.words, place) if place >= 0 else self.accessibleName()
