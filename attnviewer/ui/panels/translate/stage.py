"""The stage of the translate panel: a column of linked words for each way to attend, and the matrix below."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QVBoxLayout, QWidget

from attnviewer.core.heads import ALL, shown_head
from attnviewer.core.i18n import later, tr
from attnviewer.core.modes import MODES
from attnviewer.ui.controls import Segments, button, column, label, refresh, row
from attnviewer.ui.look import Look
from attnviewer.ui.panels.translate.state import CAME, LOOKED, TranslateState
from attnviewer.ui.theme import Tokens
from attnviewer.ui.widgets.headchooser import HeadChooser
from attnviewer.ui.widgets.headsgrid import HeadsGrid
from attnviewer.ui.widgets.links import Links
from attnviewer.ui.widgets.matrix import Matrix

ROOMY = 2000  # a stage that is wider has room for large letters
NARROW = 760  # in a stage that is narrower, what shuffling shows stands below its switch
SHORT = 400  # a stage that is lower has no room for a remark that says nothing of its words
LOW = 520  # a comparison in a stage that is lower has no room for the matrix
NOTHING = later("No attention: the whole sentence went through one vector, so there are no weights to draw.")
WAITING = later("Cells appear with the words: what was read from left to right, what is written from top to bottom.")
QUESTION = later("Do the weights go with the words or with the places? Shuffle what the attention is given and see (X)")
ASKING = {
    LOOKED: (later("Looked at"), later("What the model looked at to choose each word: the attention itself (O)")),
    CAME: (later("Came from"), later("Where each word came from, asked once it is known; nothing depends on it (O)")),
}
OFFER = later("Click: make this word look there and nowhere else.")
ABOUT = later("Location or content? Shuffle the source, and see what the weights do.")


class Column(QFrame):
    """Linked words with a title, which is there in a comparison alone."""

    def __init__(self, mode: str) -> None:
        super().__init__()
        title = MODES[mode].title("translate")
        self.title, self.links = label(title, "title"), Links()
        self.links.setAccessibleName(f"{title}: {self.links.accessibleName()}")
        self.title.setContentsMargins(16, 8, 0, 0)
        rows = column(self.title, self.links, spacing=0)
        rows.setStretch(1, 1)
        self.setLayout(rows)


class TranslateStage(QFrame):
    """Columns, matrix, and the switch that shuffles the source.

    Signals
    -------
    chosen(str, int) : a word of a column, or of the matrix, was clicked.
    hovered(int) : the source word under the pointer, -1 for none.
    shuffled(bool) : the source is to be shuffled, or put back.
    headed(str) : which head's maps are to be shown.
    forced(int, int) : a word is to look at one source word.
    struck(int) : a source word is to be struck out, or put back.
    asked(str) : which maps are to be shown, those that chose the words or those that tell where they came from.
    """

    chosen = Signal(str, int)
    hovered = Signal(int)
    shuffled = Signal(bool)
    asked = Signal(str)
    headed = Signal(str)
    forced = Signal(int, int)
    struck = Signal(int)

    def __init__(self, modes: Sequence[str]) -> None:
        super().__init__()
        self.setObjectName("stage")
        self.columns = {mode: Column(mode) for mode in modes}
        self.matrix, self._mapped, self._large, self._grown = Matrix(), "", False, False
        self.heads, self.chooser = HeadsGrid(), HeadChooser()
        self.heads.hide()
        self._several = False
        self.shuffle = button(tr("Shuffle the source"), QUESTION, self._shuffle, glyph="shuffle", look="segment")
        self.shuffle.setCheckable(True)
        self.asking = Segments([(key, *text) for key, text in ASKING.items()], self.asked.emit, tr("Maps"))
        self.asking.hide()
        self.seen = label(ABOUT, "muted", wrap=True)
        self.bar, self._line = QFrame(), QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._rows = QVBoxLayout(self)
        self._lay_out()
        for mode, one in self.columns.items():
            one.links.chosen.connect(lambda word, mode=mode: self.chosen.emit(mode, word))
            one.links.hovered.connect(self.hovered)
            one.links.struck.connect(self.struck)
        self.matrix.chosen.connect(lambda word: self.chosen.emit(self._mapped, word))
        self.matrix.hovered.connect(self.hovered)
        self.matrix.forced.connect(self.forced)
        self.matrix.offer = tr(OFFER)
        for chosen in (self.heads.chosen, self.chooser.chosen):
            chosen.connect(self.headed)

    def _lay_out(self) -> None:
        self._line.setContentsMargins(12, 6, 16, 6)
        self._line.setSpacing(12)
        self._line.addLayout(row(self.chooser, self.asking, self.shuffle, spacing=12))
        self._line.addWidget(self.seen, 1)
        self.bar.setLayout(self._line)
        self._row.setSpacing(0)
        for one in self.columns.values():
            self._row.addWidget(one, 1)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(0)
        self._rows.addWidget(self.bar)
        self._rows.addLayout(self._row, 4)
        self._rows.addWidget(self.matrix, 5)
        self._rows.addWidget(self.heads, 5)

    def _shuffle(self) -> None:
        self.shuffled.emit(self.shuffle.isChecked())

    def show_state(self, state: TranslateState) -> None:
        """Show the traces of the state, each in its column."""
        looking = [mode for mode in state.shown if MODES[mode].has_attention]
        self._mapped = looking[0] if looking else ""
        for mode, one in self.columns.items():
            one.setVisible(mode in state.shown)
            one.title.setVisible(len(state.shown) > 1)
            if mode in state.shown:
                empty = "" if MODES[mode].has_attention else tr(NOTHING)
                one.links.hidden = state.hidden
                one.links.show_trace(state.trace_of(mode), state.source(mode), state.top, empty)
        if looking:
            trace = state.trace_of(self._mapped)
            empty = "" if trace is not None and trace.steps else tr(WAITING)
            self.matrix.show_trace(trace, state.source(self._mapped), state.top, empty)
            self.chooser.show_heads(trace.heads if trace is not None else (), shown_head(trace) if trace else "")
            self._several = trace is not None and bool(trace.steps) and shown_head(trace) == ALL
            self.heads.show_word(trace, 0, Look())
        self._show_bar(state, bool(looking))
        self._fit()

    def _show_bar(self, state: TranslateState, looking: bool) -> None:
        self.bar.setVisible(looking and not self._large)
        self.shuffle.setChecked(state.shuffling)
        self.asking.show_choice(state.asking)
        self.asking.setVisible(state.tells)
        seen, comparing = state.seen(), state.shuffling and state.running
        self.seen.setText(seen or tr(later("Comparing…") if comparing else ABOUT))
        if self.seen.property("role") != ("" if seen else "muted"):
            self.seen.setProperty("role", "" if seen else "muted")
            refresh(self.seen)

    def show_word(self, word: int) -> None:
        """Make a word the current one everywhere."""
        for one in self.columns.values():
            one.links.show_word(word)
        self.matrix.show_word(word)
        self.heads.mark_word(word)

    def mark(self, place: int) -> None:
        """Mark a source word everywhere."""
        for one in self.columns.values():
            one.links.mark(place)
        self.matrix.mark(place)

    def set_large(self, on: bool) -> None:
        """Letters for a room, or for a desk."""
        self._large = on
        self.bar.setVisible(not on and bool(self._mapped))
        self._grow()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._grow()
        self._fit()

    def _grow(self) -> None:
        """Large letters for a room, and where there is room on the screen."""
        grown = self._large or self.width() > ROOMY
        if grown != self._grown:
            self._grown = grown
            for one in self.columns.values():
                one.links.set_large(grown)
            self.matrix.set_large(grown)

    def _fit(self) -> None:
        """Columns stand side by side where all their words can be seen then, else one above the other."""
        shown = [one for one in self.columns.values() if not one.isHidden()]
        wide = max((one.links.needs for one in shown), default=0.0) * len(shown) > self.width()
        self.seen.setVisible(self.height() >= SHORT or self.seen.text() != ABOUT)
        down, across = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._row.setDirection(down if wide else across)
        self._line.setDirection(down if self.width() < NARROW else across)
        stacked = wide and len(shown) > 1
        self._rows.setStretch(self._rows.indexOf(self._row), 7 if stacked else 4)
        room = bool(self._mapped) and not (stacked and self.height() < LOW)
        self.matrix.setVisible(room and not self._several)
        self.heads.setVisible(room and self._several)

    def set_tokens(self, tokens: Tokens) -> None:
        for one in self.columns.values():
            one.links.set_tokens(tokens)
        self.matrix.set_tokens(tokens)
        self.heads.set_tokens(tokens)


def foot_of(*parts: QWidget | int) -> QFrame:
    """A foot with parts from left to right."""
    made = QFrame()
    made.setObjectName("foot")
    made.setLayout(row(*parts, spacing=12, margins=(12, 8, 16, 8)))
    return made
