"""The right column of the translate panel: the translation, the next word, and what the current word looked at."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QVBoxLayout, QWidget

from attnviewer.core import lens
from attnviewer.core.i18n import later, tr
from attnviewer.core.trace import Floats, Step, Trace
from attnviewer.ui.controls import Segments, button, column, label, named, row
from attnviewer.ui.textsize import scaled
from attnviewer.ui.theme import Tokens
from attnviewer.ui.widgets.bars import Bar, Bars
from attnviewer.ui.widgets.how import How
from attnviewer.ui.widgets.ownwords import TextField
from attnviewer.ui.widgets.side import WIDTH, Page, beside, next_words, pinned, scrolled
from attnviewer.ui.widgets.terms import explaining
from attnviewer.ui.widgets.wordnotes import source_of, strongest, unknown_note

LARGE = 460  # points, for a room
TALLEST, BESIDE = 112, 44  # of the translation: its height at most, what stands beside it
CAVEAT = later("The darker a cell or a line, the more the model looked there. The map shows where, not why.")
AFTERWARDS = later("This map was asked once the word was known; it had no part in choosing it.")
LOOKED_AT, CAME_FROM = later("This word looked at"), later("This word came from")
NO_MAP = later("This model has no attention: the whole sentence went through one vector.")
BEAM = later("The hypotheses that the beam search kept and dropped, as a tree (B)")
DOUBT = later("Hide the source words one by one: does this word need those it looked at? (M)")
STRIKE = later("Read the sentence as if nobody could make this word out (Ctrl and a click on any source word)")
ECHO = later("Every word of before, now that source words are struck out")
LONGEST_WORD, MOST_ECHOED = 60, 30
ONE = 0.9  # of the attention on one word: hardly any is left for others
SPREADS = ((0.6, later("a few words")), (0.9, later("much of the sentence")),
           (2.0, later("nearly all words alike")))  # fmt: skip
PAGES = (
    ("facts", later("This word"), later("What this word looked at")),
    ("how", later("How it works"), later("How this word came about: the arithmetic with its real numbers (W)")),
)


class TranslateSide(QFrame):
    """Everything that is said about the current word.

    Signals
    -------
    doubted() : does it matter where this word looked?
    searched() : what did the beam search keep and drop?
    said(str) : another word is to be said here; it was typed, or its bar was clicked.
    struck(int) : a source word is to be struck out, or put back.
    """

    doubted = Signal()
    searched = Signal()
    said = Signal(str)
    struck = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("side")
        self._large = False
        self._fit()
        self.text = label("", "", wrap=True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop)
        flags = Qt.TextInteractionFlag
        self.text.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
        self.text.setAccessibleName(tr("Translation"))
        self.area = scrolled(self.text)
        self.copy = button(tr("Copy"), tr("Copy the translation"), self._copy)
        self.bars = Bars(tr("The model's most probable words at this place"), tr("No words yet."))
        self.bars.set_pickable(tr("Click a word to say it instead; the translation goes on from there."))
        self.bars.picked.connect(self.said)
        self.other = named(TextField(), tr("Another word"), tr("Type a word to say here instead; Enter takes it"))
        self.other.setPlaceholderText(tr("Or type another word"))
        self.other.setMaxLength(LONGEST_WORD)
        self.other.returnPressed.connect(self._type)
        self.strike = button("", tr(STRIKE), lambda: self.struck.emit(self._strongest))
        self._strongest = -1
        self.echo_title = label(tr(ECHO), "title", wrap=True)
        self.echo = Bars(tr(ECHO), "", most=MOST_ECHOED)
        self.how, self.caveat = label(LOOKED_AT, "title"), label(tr(CAVEAT), "muted", wrap=True)
        self.looked, self.spread = label("", "value", wrap=True), explaining("", "entropy", "muted")
        self.spread.setWordWrap(True)
        self.spread.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.facts = QWidget()
        self.facts.setLayout(column(self.looked, self.spread, spacing=4))
        self.how_it_works = How()
        self.pages = Segments([(key, tr(name), tr(tip)) for key, name, tip in PAGES], self.show_page, tr("This word"))
        self.doubt = button(tr("Does it matter?"), tr(DOUBT), self.doubted.emit)
        self.beam = button(tr("Beam"), tr(BEAM), self.searched.emit, name=tr("Beam tree"))
        self._place, self._echoed = -1, False
        self.note, self.warning = label("", "badge", wrap=True), label("", "badge", wrap=True)
        self._lay_out()
        self.show_trace(None)
        self.show_word(None, -1)

    def _lay_out(self) -> None:
        page, head = Page(), QWidget()
        head.setLayout(row(label(tr("Translation"), "title"), 1, self.copy))
        rows = QVBoxLayout(page)
        rows.setContentsMargins(16, 10, 16, 14)
        rows.setSpacing(8)
        next_word = QWidget()
        next_word.setLayout(beside(explaining(tr("Next word"), "alternatives"), self.beam))
        self._all = (head, self.pages, self.note, self.warning, self.caveat)
        tools = QWidget()
        tools.setLayout(row(self.strike, self.doubt, 1, spacing=6))
        self._facts_page = (next_word, self.bars, self.other, self.how, self.facts, tools)
        parts = (head, self.area, self.pages, next_word, self.bars, self.other, self.how, self.facts, tools,
                 self.echo_title, self.echo, self.note, self.warning, self.how_it_works)  # fmt: skip
        for part in parts:
            rows.addWidget(part)
        rows.addStretch(1)
        pinned(self, page, self.caveat)
        self.show_page("facts")

    def show_page(self, key: str) -> None:
        """Show what the word looked at, or how it came about."""
        self.pages.show_choice(key)
        for part in self._facts_page:
            part.setVisible(key == "facts")
        self.how_it_works.setVisible(key == "how")
        self._show_echoed()

    def set_large(self, on: bool) -> None:
        """For a room: the five most probable words alone, in large letters."""
        self.show_page("facts")
        for part in (*self._all, *self._facts_page):
            part.setVisible(not on or part is self.bars)
        self.bars.set_large(on)
        self.area.setVisible(not on)
        self._large = on
        self._fit()
        if not on:
            self.show_page("facts")

    def _fit(self) -> None:
        self.setFixedWidth(scaled(LARGE if self._large else WIDTH))

    def toggle_how(self) -> None:
        """From what the word looked at to how it works, and back."""
        self.show_page("facts" if self.facts.isHidden() else "how")

    def show_place(self, trace: Trace | None, word: int, place: int) -> None:
        """Follow the arithmetic for a source word; -1 for none."""
        self._place = place
        self.how_it_works.show_word(trace, word, place)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.text())

    def show_trace(self, trace: Trace | None, *, whole: bool = False) -> None:
        """Show the translation so far; what all its maps have in common is told once it is whole."""
        self.text.setText(trace.text if trace is not None else "")
        self.copy.setEnabled(bool(self.text.text()))
        high = self.text.heightForWidth(scaled(WIDTH) - BESIDE)
        self.area.setFixedHeight(min(scaled(TALLEST), max(20, high)))
        badge = (lens.badge(trace) or "") if whole and trace is not None and trace.heads else ""
        self._say(self.warning, " ".join(filter(None, (*(trace.notes if trace is not None else ()), badge))))

    def show_echo(self, before: Trace | None, after: Trace | None) -> None:
        """Show how probable each word of before is, now that source words are struck out."""
        bars = [] if before is None or after is None else compared(before, after)
        self.echo.show_bars(bars)
        self._echoed = bool(bars)
        self._show_echoed()

    def _show_echoed(self) -> None:
        shown = self._echoed and self.how_it_works.isHidden() and not self.area.isHidden()
        for part in (self.echo_title, self.echo):
            part.setVisible(shown)
        self.echo.setMinimumHeight(self.echo.row * min(len(self.echo.bars), MOST_ECHOED))

    def _type(self) -> None:
        if word := self.other.text().strip():
            self.other.clear()
            self.said.emit(word)

    def show_word(self, trace: Trace | None, word: int, earlier: Step | None = None) -> None:
        """Show the alternatives of a word, with their chances in an `earlier` step, and what it looked at."""
        known = trace if trace is not None and 0 <= word < len(trace.steps) else None
        self.bars.show_bars([] if known is None else next_words(known.steps[word], earlier))
        self.other.setEnabled(known is not None)
        self._show_strongest(known, word)
        came = known is not None and lens.shows_origins(known)
        self.how.setText(tr(CAME_FROM if came else LOOKED_AT))
        self.caveat.setText(tr(AFTERWARDS if came else CAVEAT))
        self.how_it_works.show_word(known, word, self._place)
        looked, spread, note = ("", "", "") if known is None else facts_of(known, word)
        for part, text in ((self.looked, looked), (self.spread, spread), (self.note, note)):
            self._say(part, text)

    def _show_strongest(self, trace: Trace | None, word: int) -> None:
        """Offer to strike out the source word that this one looked at most."""
        weights = lens.word_map(trace, word) if trace is not None and trace.heads else None
        self._strongest = -1 if weights is None or not weights.size else int(weights.argmax())
        self.strike.setVisible(self._strongest >= 0)
        if trace is not None and self._strongest >= 0:
            self.strike.setText(tr("Strike out “{word}”", word=source_of(trace)[self._strongest]))

    def _say(self, part: QLabel, text: str) -> None:
        part.setText(text)
        part.setVisible(bool(text))

    def set_tokens(self, tokens: Tokens) -> None:
        self._fit()
        self.bars.set_tokens(tokens)
        self.echo.set_tokens(tokens)


def compared(before: Trace, after: Trace) -> list[Bar]:
    """Every word of before, with its probability now and then."""
    pairs = zip(before.steps, after.steps, strict=False)
    return [Bar(old.word, chance(new.logprob), before=chance(old.logprob)) for old, new in pairs]


def chance(logprob: float) -> float:
    """A log-probability as a probability."""
    return math.exp(min(logprob, 0.0)) if math.isfinite(logprob) else 0.0


def facts_of(trace: Trace, word: int) -> tuple[str, str, str]:
    """What a word looked at, how sharply, and why it is underlined."""
    note, found = unknown_note(trace, word), lens.facts(trace, word) if trace.heads else None
    if found is None:
        return "", tr(NO_MAP), note
    weights = lens.word_map(trace, word)
    assert weights is not None
    return strongest(weights, source_of(trace)), how_sharp(weights), note


def how_sharp(weights: Floats) -> str:
    """How sharply a map over words looks, in plain words and in bits."""
    if weights.size < 2:
        return tr("There is only this one word to look at.")
    bits, spread = lens.entropy(weights), lens.normalized_entropy(weights)
    one = float(weights.max()) >= ONE
    looked = tr("one word") if one else tr(next(text for top, text in SPREADS if spread < top))
    most = f"{math.log2(weights.size):.1f}"
    return tr("Looked at: {what}. Entropy {bits} of at most {most} bits.", what=looked, bits=f"{bits:.1f}", most=most)
