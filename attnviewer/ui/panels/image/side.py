"""The right column of the image panel: words, own caption, next words, facts of the map."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QVBoxLayout

from attnviewer.core.trace import Grid, Trace
from attnviewer.ui.controls import label
from attnviewer.ui.look import word_map
from attnviewer.ui.panels.image.chips import Chips
from attnviewer.ui.player import Player
from attnviewer.ui.theme import Tokens
from attnviewer.ui.widgets.bars import Bars, number
from attnviewer.ui.widgets.facts import FactsView
from attnviewer.ui.widgets.ownwords import OwnWords
from attnviewer.ui.widgets.side import WIDTH, Page, next_words, scrolled

HINT = "Point at the photo to see the share of a place."


class ImageSide(QFrame):
    """Everything that is said about the current word."""

    def __init__(self, player: Player) -> None:
        super().__init__()
        self.setObjectName("side")
        self.setFixedWidth(WIDTH)
        self.chips, self.own, self.facts = Chips(player), OwnWords(), FactsView()
        self.bars = Bars("The model's most probable words at this place", "No words yet.")
        self.here = label(HINT, "muted", wrap=True)
        page = Page()
        rows = QVBoxLayout(page)
        rows.setContentsMargins(16, 14, 16, 14)
        rows.setSpacing(8)
        parts = (label("Caption", "title"), self.chips, self.own, label("Next word", "title"), self.bars,
                 label("This map", "title"), self.facts, self.here)  # fmt: skip
        for part in parts:
            rows.addWidget(part)
        rows.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(1, 0, 0, 0)
        outer.addWidget(scrolled(page))

    def show_trace(self, trace: Trace | None) -> None:
        """Show the words of a trace."""
        self.chips.show_trace(trace)
        self.own.show_trace(trace)

    def show_word(self, trace: Trace | None, word: int) -> None:
        """Show the alternatives and the facts of a word."""
        step = trace.steps[word] if trace is not None and 0 <= word < len(trace.steps) else None
        self.bars.show_bars([] if step is None else next_words(step))
        self.facts.show_word(trace, word)

    def show_location(self, trace: Trace | None, word: int, location: int, drawn: Trace | None = None) -> None:
        """Say how much of the word's attention lies in a place, and how often it was drawn."""
        values = word_map(trace, word)
        if trace is None or values is None or location < 0 or not isinstance(trace.locations, Grid):
            return self.here.setText(HINT)
        row, column = divmod(location, trace.locations.columns)
        share = f"{number(float(values[location]))} of the attention for “{trace.words[word]}”"
        shares = word_map(drawn, word)
        often = "" if shares is None else f" Taken in {number(float(shares[location]))} of 100 draws."
        where = f"Row {row + 1}, column {column + 1}"
        return self.here.setText(f"{where}: {share} (uniform: {number(1 / len(values))}).{often}")

    def set_tokens(self, tokens: Tokens) -> None:
        self.bars.set_tokens(tokens)
