"""Below the filmstrip: how much of each word's attention lies in a box or a patch, its area, and what a patch cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from attnviewer.core.i18n import later, tr
from attnviewer.ui.panels.image.filmstrip import Strip
from attnviewer.ui.player import Player
from attnviewer.ui.theme import LIGHT, Tokens
from attnviewer.ui.widgets.bars import number

HIGH, EDGE, WIDE, LETTERS = 46, 13, 16, 11
APART, WORTH = 10, 0.005  # how far two numbers are moved apart; a loss that is worth a number
TIP = later(
    "Bars: how much of each word's attention lies in the box. Dashed line: the share of the photo that the box is; so "
    "much would lie in it if the word looked everywhere alike."
)
COVERED = later("Second bars: how much less probable the patch makes the word.")
BOXED = {
    "inside": later("“{word}” gives the box {share} of its attention; the box is {area} of the photo."),
    "none": later("“{word}” has no map; the box is {area} of the photo."),
    "less": later(
        "The patch is {area} of the photo; “{word}” gives the place {share} of its attention. Without the patch "
        "“{word}” has {before}, with it {after}."
    ),
    "blind": later("The patch is {area} of the photo. Without it “{word}” has {before}, with it {after}."),
}


@dataclass(frozen=True)
class Shares:
    """What is shown of a box: shares [T] of the attention, its area; of a patch the chances [T] without and with it."""

    inside: tuple[float | None, ...]
    area: float
    before: tuple[float, ...] | None = None
    after: tuple[float, ...] | None = None
    patch: bool = False

    def cost(self, word: int) -> float:
        """How much less probable the patch makes a word; 0 where it makes it more so, or that isn't known yet."""
        if self.before is None or self.after is None or word >= min(len(self.before), len(self.after)):
            return 0.0
        return max(0.0, self.before[word] - self.after[word])

    def sentence(self, words: Sequence[str], word: int) -> str:
        """What is to be said of one word."""
        if not 0 <= word < min(len(words), len(self.inside)):
            return ""
        share = self.inside[word]
        told: dict[str, str] = {"word": words[word], "area": number(self.area)}
        told |= {} if share is None else {"share": number(share)}
        known = self.before is not None and self.after is not None and word < min(len(self.before), len(self.after))
        if known:
            assert self.before is not None
            assert self.after is not None
            told |= {"before": number(self.before[word]), "after": number(self.after[word])}
        key = {(False, False): "inside", (False, True): "none", (True, False): "less", (True, True): "blind"}
        return tr(BOXED[key[known, share is None]], **told)


class ShareLine(QWidget):
    """Bars below the words."""

    def __init__(self, strip: Strip, player: Player) -> None:
        super().__init__()
        self._strip, self._player, self._tokens = strip, player, LIGHT
        self.shares: Shares | None = None
        self.setFixedHeight(HIGH)
        self.setAccessibleName(tr("How much of each word's attention lies in the box"))
        player.word_changed.connect(self.update)

    def show_shares(self, shares: Shares | None) -> None:
        """Show these; None for nothing."""
        self.shares = shares
        if shares is not None:
            told = (tr("no map") if share is None else number(share) for share in shares.inside)
            self.setAccessibleDescription("; ".join((*told, tr("area {area}", area=number(shares.area)))))
            self.setToolTip(" ".join((tr(TIP), tr(COVERED))) if shares.patch else tr(TIP))
        self.update()

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.update()

    def bar(self, word: int, value: float, second: bool = False) -> QRectF:
        """Where a bar stands."""
        box, deep = self._strip.box(word), HIGH - EDGE - 2
        left = box.center().x() + (2 if second else -WIDE - 2 if self.shares and self.shares.patch else -WIDE / 2)
        return QRectF(left, HIGH - 2 - deep * value, WIDE, deep * value)

    def paintEvent(self, _event: QPaintEvent) -> None:
        shares = self.shares
        if shares is None:
            return
        painter, tokens = QPainter(self), self._tokens
        font = QFont(self.font())
        font.setPixelSize(LETTERS)
        painter.setFont(font)
        self._paint_area(painter, shares)
        for word, share in enumerate(shares.inside):
            if share is not None:
                self._paint_bar(painter, self.bar(word, share), tokens.accent, number(share), -1)
            if shares.patch and shares.before is not None:
                cost = shares.cost(word)
                said = f"−{number(cost)}" if cost >= WORTH else ""
                self._paint_bar(painter, self.bar(word, cost, second=True), tokens.caution, said, 1)
        painter.end()

    def _paint_area(self, painter: QPainter, shares: Shares) -> None:
        """The ground, and the line that a map which looks everywhere alike would reach."""
        painter.setPen(QPen(QColor(self._tokens.muted), 1, Qt.PenStyle.DashLine))
        level = HIGH - 2 - (HIGH - EDGE - 2) * shares.area
        painter.drawLine(QPointF(2, level), QPointF(self._strip.sizeHint().width() - 2, level))
        painter.setPen(QColor(self._tokens.line))
        painter.drawLine(QPointF(2, HIGH - 1.5), QPointF(self.width() - 2, HIGH - 1.5))

    def _paint_bar(self, painter: QPainter, bar: QRectF, colour: str, told: str, side: int) -> None:
        painter.fillRect(bar, QColor(colour))
        painter.setPen(QColor(self._tokens.text))
        wide = painter.fontMetrics().horizontalAdvance(told) + 2
        middle = bar.center().x() + (side * APART if self.shares is not None and self.shares.patch else 0)
        place = QRectF(middle - wide / 2, bar.top() - EDGE, wide, EDGE - 1)
        if told:
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, told)
