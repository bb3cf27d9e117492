"""A row of words as chips, laid out once: how wide each is, where it stands, which of them can be seen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF

PAD, GAP, WIDEST, SPREAD = 10, 6, 300, 5.0  # a row may be spread to so many times its gap
LEAST = 30


class WordRow:
    """Words side by side in one font; a word that is very long is elided."""

    def __init__(self) -> None:
        self.words: tuple[str, ...] = ()
        self.widths: NDArray[np.float64] = np.zeros(0)
        self.lefts: NDArray[np.float64] = np.zeros(0)
        self.top = self.high = 0.0
        self._font, self._known = QFont(), dict[str, float]()

    def set_font(self, font: QFont) -> None:
        """Measure the words in another font; the current word is bold, so that is what they are measured in."""
        self._font = QFont(font)
        self._font.setBold(True)
        self._known.clear()
        self.set_words(self.words)

    def set_words(self, words: Sequence[str]) -> None:
        """Take other words; those that were seen before aren't measured again."""
        metrics = QFontMetricsF(self._font)
        for word in set(words) - self._known.keys():
            self._known[word] = min(WIDEST, max(LEAST, metrics.horizontalAdvance(word) + 2 * PAD))
        self.words = tuple(words)
        self.widths = np.array([self._known[word] for word in self.words])

    @property
    def least(self) -> float:
        """How wide the row is with the smallest gaps."""
        return float(self.widths.sum()) + GAP * max(0, len(self.words) - 1)

    def least_at(self, factor: float) -> float:
        """How wide the row would be at least with letters larger by a factor."""
        fixed = len(self.words) * (2 * PAD + GAP)
        return (self.least - fixed) * factor + fixed

    def place(self, top: float, high: float, room: float, middle: bool) -> None:
        """Stand at `top`, over at most `room`: in the middle of it, or from the left with gaps that fill it."""
        self.top, self.high = top, high
        gaps = max(1, len(self.words) - 1)
        gap = GAP if middle else min(SPREAD * GAP, max(GAP, (room - float(self.widths.sum())) / gaps))
        starts = np.concatenate(([0.0], np.cumsum(self.widths[:-1] + gap)))[: len(self.words)]
        self.lefts = starts + (max(0.0, (room - self.least) / 2) if middle else 0.0)

    @property
    def centres(self) -> NDArray[np.float64]:
        return self.lefts + self.widths / 2

    def box(self, index: int) -> QRectF:
        """Where a word stands."""
        return QRectF(float(self.lefts[index]), self.top, float(self.widths[index]), self.high)

    def seen(self, left: float, right: float) -> range:
        """The words of which something stands between two places."""
        first = int(np.searchsorted(self.lefts + self.widths, left))
        return range(first, int(np.searchsorted(self.lefts, right, side="right")))

    def at(self, point: QPointF) -> int:
        """The word under a point, -1 for none."""
        if not self.top <= point.y() <= self.top + self.high:
            return -1
        return next((index for index in self.seen(point.x(), point.x()) if self.box(index).contains(point)), -1)

    def text(self, index: int, bold: bool) -> str:
        """A word as it fits its chip."""
        font = QFont(self._font)
        font.setBold(bold)
        room = float(self.widths[index]) - 2 * PAD + 6
        return QFontMetricsF(font).elidedText(self.words[index], Qt.TextElideMode.ElideRight, room)
