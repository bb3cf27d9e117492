"""Hands on the translation: what clicks on cells, bars and source words change, and how the panel follows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from attnviewer.core.events import Event, Failed, Finished
from attnviewer.core.i18n import tr
from attnviewer.core.text import UNKNOWN_SHOWN
from attnviewer.core.trace import Step
from attnviewer.ui.doubting import above
from attnviewer.ui.keeping import Keeping
from attnviewer.ui.panels.translate.state import CAME
from attnviewer.ui.panels.translate.whatifbar import WhatIfBar
from attnviewer.ui.whatif import OWN, Change
from attnviewer.ui.widgets.variants import TextSide, VariantsPage

if TYPE_CHECKING:
    from attnviewer.ui.panels.translate.panel import TranslatePanel

ECHO_LANE = "echo-translate"
SEEN = 0.001  # of a probability


class Hands(QObject):
    """Turns clicks into changes, and asks for what comes of them."""

    def __init__(self, panel: TranslatePanel) -> None:
        super().__init__(panel)
        self.presenting = False
        self.at = -1  # the old words stand until the new ones have come beyond this one
        self._panel, self._state, self.bar = panel, panel.state, WhatIfBar()
        self.page = VariantsPage(panel, partial(above, panel, panel.foot, panel.head), TextSide)
        self.keeping = Keeping(panel, self.page, self._change, self.show)
        bar, side, stage = self.bar, panel.side, panel.stage
        bar.undone.connect(self.undo)
        bar.redone.connect(self.redo)
        bar.reset.connect(self.reset)
        bar.kept.connect(self.keep)
        bar.listed.connect(self.keeping.toggle)
        side.said.connect(self.say_word)
        side.struck.connect(self.strike)
        stage.forced.connect(self.force)
        stage.struck.connect(self.strike)
        panel.desk.worker.happened.connect(self.on_event)

    def commands(self) -> dict[str, Callable[[], object]]:
        """What the keys do."""
        return {"undo": self.undo, "redo": self.redo, "keep": self.keep, "variants": self.keeping.toggle}

    def say_word(self, word: str) -> None:
        """Say another word at the one on the clock, and go on from there."""
        trace, at = self._state.trace, self._panel.player.word
        if trace is None or not 0 <= at < len(trace.steps):
            return None
        if word == UNKNOWN_SHOWN or word == trace.words[at]:
            return self._panel.say(tr("This word is said already; choose another, or type one."))
        return self._change(self._state.edits.now.with_word(at, word, trace.words))

    def force(self, word: int, place: int) -> None:
        """Let a word look at one source word, and go on from there."""
        trace = self._state.trace
        if trace is None or word >= len(trace.steps):
            return None
        if self._state.moves(self._state.main) or self._state.asking == CAME:
            told = tr("Maps are forced on what was looked at, with the source in order; switch back to that first.")
            return self._panel.say(told)
        weights = [float(place == other) for other in range(len(trace.locations))]
        change = self._state.edits.now.with_look(word, weights, trace.words)
        return self._change(change)

    def strike(self, place: int) -> None:
        """Strike a source word out, or put it back."""
        source = self._state.source(self._state.main)
        if not 0 <= place < len(source):
            return
        number = self._state.word_at(place)
        self._change(self._state.edits.now.with_hidden(number, source[place]))

    def take_branch(self, words: tuple[str, ...], whole: bool) -> None:
        """Put a node of the beam's tree on the clock: a whole text as it is, else the words up to it, and on."""
        if whole:
            change = Change(words, hidden=self._state.edits.now.hidden, name=tr("from the beam"))
        else:
            change = OWN.with_word(len(words) - 1, words[-1], words[:-1])
        self._change(change)

    def _change(self, change: Change) -> None:
        if self._state.change(change):
            self._after()
        return

    def undo(self) -> None:
        """Take the last change back."""
        if self._state.undo():
            self._after()

    def redo(self) -> None:
        """Make again what was undone."""
        if self._state.redo():
            self._after()

    def reset(self) -> None:
        """Back to the model's own translation."""
        if self._state.reset():
            self._after()

    def keep(self) -> None:
        """Keep the translation in sight as a variant; the model's own is kept with it, to compare."""
        lane = self._state.lane(self._state.main)
        kept = self._state.keep(lane)
        if kept is None:
            return self._panel.say(tr("Wait until all words are there, then keep them."), fault=True)
        own = self._state.own(lane)
        if own is not None:
            self._state.variants.keep(OWN, own)
        self._panel.say(tr("Kept: {name}. Variants (V) compares what you kept.", name=kept.name))
        return self.show()

    def _after(self) -> None:
        self._panel.desk.worker.cancel(ECHO_LANE)
        self.at = self._panel.player.word
        self._panel.changed()

    def listen(self) -> None:
        """Read the words of before without what was struck out, where something was."""
        request = self._state.echo_request() if self._state.echo is None else None
        if request is not None:
            self._panel.desk.worker.ask(ECHO_LANE, request)

    @Slot(object)
    def on_event(self, event: Event) -> None:
        """Take the words of before, read again."""
        if event.lane == ECHO_LANE and isinstance(event, Finished):
            self._state.echo = event.trace
            self.show()
        elif event.lane == ECHO_LANE and isinstance(event, Failed):
            self._panel.say(event.message, fault=True)

    def show(self) -> None:
        """Bring the bar and the side up to date."""
        state, edits = self._state, self._state.edits
        lane = state.lane(state.main)
        self.bar.show_steps(past=bool(edits.past), future=bool(edits.future), changed=edits.now != OWN,
                            kept=len(state.variants.all))  # fmt: skip
        self.bar.show_before(state.traces.get(lane), state.earlier(lane))
        if self.presenting:
            self.bar.hide()
        self._panel.side.show_echo(state.before_hiding(), state.echo)

    def earlier_step(self, word: int) -> Step | None:
        """The step of before at a word that was reached by the same words."""
        state = self._state
        trace, before = state.trace, state.earlier(state.lane(state.main))
        if trace is None or before is None or not 0 <= word < min(len(trace.steps), len(before.steps)):
            return None
        same = before.words[:word] == trace.words[:word]
        old = before.steps[word]
        return old if same and moved(old, trace.steps[word]) else None


def moved(before: Step, after: Step) -> bool:
    """Whether any word has another chance than before, as far as that can be seen."""
    chances = dict(before.alternatives)
    return any(abs(chances.get(word, 0.0) - chance) >= SEEN for word, chance in after.alternatives)
