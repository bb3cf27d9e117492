"""The right column of the image panel: words, own caption, next words, facts of the map."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from attnviewer.core.i18n import later, tr
from attnviewer.core.trace import Grid, Step, Trace
from attnviewer.ui.controls import Segments, button, label, named
from attnviewer.ui.look import word_map
from attnviewer.ui.panels.image.chips import Chips
from attnviewer.ui.player import Player
from attnviewer.ui.textsize import scaled
from attnviewer.ui.theme import Tokens
from attnviewer.ui.widgets.bars import Bars, number
from attnviewer.ui.widgets.facts import CAVEAT, FactsView, cell
from attnviewer.ui.widgets.ghosts import Ghosts
from attnviewer.ui.widgets.how import How
from attnviewer.ui.widgets.ownwords import OwnWords, TextField
from attnviewer.ui.widgets.side import WIDTH, Page, beside, next_words, pinned
from attnviewer.ui.widgets.terms import explaining

LARGE = 460  # points, for a room
HINT = later("Point at the photo to see the share of a place.")
BEAM = later("The hypotheses that the beam search kept and dropped, as a tree (B)")
DOUBT = later("Cover the photo bit by bit: does this word need the places it looked at? (M)")
TYPE = later("Type a word and press Enter: it is said at this place, and the text goes on from there")
PAGES = (
    ("facts", later("This map"), later("What the map of this word says")),
    ("how", later("How it works"), later("How this word came about: the arithmetic with its real numbers (W)")),
)


class ImageSide(QFrame):
    """Everything that is said about the current word.

    Signals
    -------
    doubted() : does it matter where this word looked?
    searched() : what did the beam search keep and drop?
    typed(str) : another word is to be said at this place.
    """

    doubted = Signal()
    searched = Signal()
    typed = Signal(str)

    def __init__(self, player: Player) -> None:
        super().__init__()
        self.setObjectName("side")
        self.chips, self.own, self.facts = Chips(player), OwnWords(), FactsView()
        self.bars = Bars(tr("The model's most probable words at this place"), tr("No words yet."))
        self.bars.set_pickable(tr("Click a bar: that word is said instead, and the text goes on from there"))
        self.ghosts, self.word = Ghosts(), named(TextField(), tr("Another word"), tr(TYPE))
        self.word.setPlaceholderText(tr("Or type another word"))
        self.word.returnPressed.connect(self._type)
        self.here = label(tr(HINT), "muted", wrap=True)
        self.notes = label("", "badge", wrap=True)
        self.how = How()
        self.pages = Segments([(key, tr(name), tr(tip)) for key, name, tip in PAGES], self.show_page, tr("This word"))
        self.doubt = button(tr("Does it matter?"), tr(DOUBT), self.doubted.emit)
        self.beam = button(tr("Beam"), tr(BEAM), self.searched.emit, name=tr("Beam tree"))
        self._place, self._large, self._ghosted = -1, False, False
        page = Page()
        rows = QVBoxLayout(page)
        rows.setContentsMargins(16, 14, 16, 14)
        rows.setSpacing(8)
        next_word = QWidget()
        next_word.setLayout(beside(explaining(tr("Next word"), "alternatives"), self.beam))
        self._facts_page = (self.own, next_word, self.bars, self.word, self.here, self.facts, self.doubt)
        parts = (label(tr("Caption"), "title"), self.chips, self.ghosts, self.notes, self.pages, self.own, next_word,
                 self.bars, self.word, self.facts, self.here, self.doubt, self.how)  # fmt: skip
        self._parts = tuple(part for part in parts if part is not self.bars)
        for part in parts:
            rows.addWidget(part)
        rows.addStretch(1)
        self.caveat = label(tr(CAVEAT), "muted", wrap=True)
        pinned(self, page, self.caveat)
        self.show_page("facts")
        self.notes.hide()
        self._fit()

    def _type(self) -> None:
        if text := self.word.text().strip():
            self.word.clear()
            self.window().setFocus()  # so that the keys of the clock work at once
            self.typed.emit(text)

    def show_trace(self, trace: Trace | None) -> None:
        """Show the words of a trace."""
        self.chips.show_trace(trace)
        self.own.show_trace(trace)
        notes = " ".join(trace.notes) if trace is not None else ""
        self.notes.setText(notes)
        self.notes.setVisible(bool(notes) and not self._large)

    def show_page(self, key: str) -> None:
        """Show the facts of the map, or how the word came about."""
        self.pages.show_choice(key)
        for part in self._facts_page:
            part.setVisible(key == "facts")
        self.how.setVisible(key == "how")

    def set_large(self, on: bool) -> None:
        """For a room: the five most probable words alone, in large letters."""
        self._ghosted = self._ghosted if self._large else not self.ghosts.isHidden()
        self._large = on
        for part in (*self._parts, self.caveat):
            part.setVisible(not on)
        self.bars.set_large(on)
        self._fit()
        if on:
            return self.bars.show()
        self.ghosts.setVisible(self._ghosted)
        self.notes.setVisible(bool(self.notes.text()))
        return self.show_page("facts")

    def _fit(self) -> None:
        self.setFixedWidth(scaled(LARGE if self._large else WIDTH))

    def toggle_how(self) -> None:
        """From the facts to how it works, and back."""
        self.show_page("facts" if self.facts.isHidden() else "how")

    def show_word(self, trace: Trace | None, word: int, before: Step | None = None) -> None:
        """Show the alternatives and the facts of a word; with their chances `before` something was imposed on it."""
        step = trace.steps[word] if trace is not None and 0 <= word < len(trace.steps) else None
        self.bars.show_bars([] if step is None else next_words(step, before))
        self.facts.show_word(trace, word)
        self.how.show_word(trace, word, self._place)

    def show_location(self, trace: Trace | None, word: int, location: int, drawn: Trace | None = None) -> None:
        """Say how much of the word's attention lies in a place, and how often it was drawn."""
        values = word_map(trace, word)
        self._place = location
        self.how.show_word(trace, word, location)
        if trace is None or values is None or location < 0 or not isinstance(trace.locations, Grid):
            return self.here.setText(tr(HINT))
        share = number(float(values[location]))
        shares = word_map(drawn, word)
        often = "" if shares is None else tr(" Taken in {share} of 100 draws.", share=number(float(shares[location])))
        where = cell(trace.locations, location)
        told = tr(
            "{where}: {share} of the attention for “{word}” (uniform: {uniform}).",
            where=where[:1].upper() + where[1:], share=share, word=trace.words[word], uniform=number(1 / len(values)),
        )  # fmt: skip
        return self.here.setText(told + often)

    def set_tokens(self, tokens: Tokens) -> None:
        self._fit()
        self.bars.set_tokens(tokens)
