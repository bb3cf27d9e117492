"""The words of a sentence in large type, each under a wash as strong as its weight; a second query draws lines."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviewer.core.i18n import tr
from attnviewer.ui.textsize import scaled
from attnviewer.ui.theme import LIGHT, Tokens
from attnviewer.ui.widgets.bars import fraction

SIZE, LARGE, PAD, GAP, LEADING = 20, 36, 7, 6, 16
WASH, LINE = 150, 5


class SentenceView(QWidget):
    """Words that wrap at the width there is.

    Signals
    -------
    hovered(int) : the word under the pointer, -1 for none.
    """

    hovered = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._tokens, self._large = LIGHT, False
        self.words: tuple[str, ...] = ()
        self.washes: tuple[float, ...] = ()
        self.lines: tuple[float, ...] = ()
        self.unknown: frozenset[int] = frozenset()
        self.setMouseTracking(True)
        self.setAccessibleName(tr("The sentence, each word as strong as its weight"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.set_tokens(LIGHT)

    def show_words(
        self, words: Sequence[str], washes: Sequence[float], lines: Sequence[float] = (), unknown: Sequence[int] = ()
    ) -> None:
        """Show words with their weights: `washes` of the first query, `lines` of a second one."""
        self.words, self.washes, self.lines = tuple(words), tuple(washes), tuple(lines)
        self.unknown = frozenset(unknown)
        self.update()

    def set_large(self, on: bool) -> None:
        """Letters for a room, or for a desk."""
        self._large = on
        self.set_tokens(self._tokens)

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        font = QFont(self.font())
        font.setPixelSize(scaled(LARGE if self._large else SIZE))
        self.setFont(font)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(400, 200)

    def boxes(self) -> list[QRectF]:
        """Where each word stands."""
        metrics, found, x, y = QFontMetricsF(self.font()), [], 0.0, 0.0
        high = metrics.height() + 2 * PAD
        for word in self.words:
            wide = metrics.horizontalAdvance(word) + 2 * PAD
            if x and x + wide > self.width():
                x, y = 0.0, y + high + LEADING
            found.append(QRectF(x, y, wide, high))
            x += wide + GAP
        return found

    def word_at(self, point: QPointF) -> int:
        """The word under a point, -1 for none."""
        return next((index for index, box in enumerate(self.boxes()) if box.contains(point)), -1)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.hovered.emit(self.word_at(event.position()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        top, deep = max(self.washes, default=0.0) or 1.0, max(self.lines, default=0.0) or 1.0
        for index, box in enumerate(self.boxes()):
            painter.setPen(Qt.PenStyle.NoPen)
            if index < len(self.washes):
                painter.setBrush(_faded(self._tokens.accent, fraction(self.washes[index] / top)))
                painter.drawRoundedRect(box, 8, 8)
            if index < len(self.lines):
                painter.setBrush(_faded(self._tokens.caution, fraction(self.lines[index] / deep)))
                painter.drawRoundedRect(QRectF(box.x() + 4, box.bottom() + 3, box.width() - 8, LINE), 2, 2)
            painter.setPen(QColor(self._tokens.muted if index in self.unknown else self._tokens.text))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.words[index])
        painter.end()


def _faded(colour: str, share: float) -> QColor:
    made = QColor(colour)
    made.setAlpha(round(WASH * share))
    return made
