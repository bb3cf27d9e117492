"""A text in order and shuffled: whether its tokens' vectors are the same, in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from attnviewer.core.card import sound_cards
from attnviewer.core.i18n import tr
from attnviewer.core.paths import shelf
from attnviewer.core.transformer.findings import Shuffled
from attnviewer.core.transformer.positions import EQUAL
from attnviewer.core.transformer.requests import ShuffleRequest
from attnviewer.ui.controls import button, column, label, row
from attnviewer.ui.panels.transformer.lessonnets import shuffled_bleu
from attnviewer.ui.theme import Tokens
from attnviewer.ui.widgets.bars import Bar, Bars

MOST = 40  # bars


class ShuffledText(QWidget):
    """Two lists of bars: how far each token's vector turned by shuffling, with positions and without.

    Signals
    -------
    wanted(object) : a `ShuffleRequest`.
    """

    wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._text, self._seed = "", 0
        self._asked: tuple[str, int] | None = None
        self.found: Shuffled | None = None
        self.order = label("", "value", wrap=True)
        self.read = label("", wrap=True)
        self.again = button(tr("Shuffle again"), tr("Put the words in another order"), self.shuffle, glyph="shuffle")
        self.placed = Bars(tr("Turned by shuffling, with positions"), tr("reading …"), MOST)
        self.free = Bars(tr("Turned by shuffling, without positions"), tr("reading …"), MOST)
        self.verdicts = label("", "value", wrap=True), label("", "value", wrap=True)
        boxes = []
        titles = (tr("With positions: 1 − cosine of each vector in order and shuffled"), tr("Positions taken away"))
        for title, verdict, bars in zip(titles, self.verdicts, (self.placed, self.free), strict=True):
            box = QWidget()
            box.setLayout(column(label(title, "title", wrap=True), verdict, bars, 1, spacing=6))
            boxes.append(box)
        both, top = QWidget(), QWidget()
        both.setLayout(row(*boxes, spacing=24))
        both.layout().setStretch(0, 1)  # type: ignore[union-attr]
        both.layout().setStretch(1, 1)  # type: ignore[union-attr]
        top.setLayout(row(self.again, 1))
        self.nets = label(shuffled_bleu(sound_cards(shelf())[0]), "muted", wrap=True)
        self.setLayout(column(self.read, self.order, top, both, self.nets, spacing=8))
        self.layout().setStretch(3, 1)  # type: ignore[union-attr]

    def show_text(self, text: str) -> None:
        """Take the text that is read."""
        self._text = text

    def visit(self) -> None:
        """Read what hasn't been read yet."""
        if self._text and self._asked != (self._text, self._seed):
            self._asked = (self._text, self._seed)
            self.wanted.emit(ShuffleRequest(self._text, self._seed))

    def shuffle(self) -> None:
        """Another order."""
        self._seed += 1
        self.visit()

    def take(self, found: Shuffled) -> None:
        """Show what became of the vectors."""
        self.found = found
        moved = [found.tokens[at] for at in found.order]
        self.read.setText(tr("in order: {text}", text=" ".join(found.tokens)))
        self.order.setText(tr("shuffled: {text}", text=" ".join(moved)))
        pairs = ((self.placed, found.placed_cosines), (self.free, found.free_cosines))
        for bars, cosines in pairs:
            bars.show_bars([Bar(token, max(0.0, 1 - float(one))) for token, one in
                            zip(found.tokens, cosines, strict=True)])  # fmt: skip
        for verdict, apart in zip(self.verdicts, (found.placed, found.free), strict=True):
            verdict.setText(judged(float(apart.max())))

    def sentence(self) -> str:
        """What is seen, in words."""
        if self.found is None:
            return tr("Self-attention sees a set of tokens. Is that so? The text is read in order and shuffled …")
        return tr(
            "Without positions each word has the same vector in any order, to {same}: the net sees a set of words, so "
            "“good, not bad” is “bad, not good”. With positions vectors differ by up to {differ}.",
            same=f"{float(self.found.free.max()):.1e}", differ=f"{float(self.found.placed.max()):.2f}",
        )  # fmt: skip

    def table(self) -> list[Sequence[Any]]:
        """Each token's largest difference and cosine, both ways."""
        head = ("token", "with positions", "cosine", "without positions", "cosine")
        found = self.found
        if found is None:
            return [head]
        parts = (found.placed, found.placed_cosines, found.free, found.free_cosines)
        return [head, *zip(found.tokens, *(map(float, part) for part in parts), strict=True)]

    def set_tokens(self, tokens: Tokens) -> None:
        """Paint in the colours of the theme."""
        self.placed.set_tokens(tokens)
        self.free.set_tokens(tokens)


def judged(apart: float) -> str:
    """Whether vectors that differ by so much are the same."""
    if apart < EQUAL:
        return tr("Equal: no number differs by more than {apart}, which is rounding.", apart=f"{apart:.1e}")
    return tr("Not equal: numbers differ by up to {apart}.", apart=f"{apart:.2f}")
