"""The translate panel: a Spanish sentence, its English words one by one, and which source words each looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from attnviewer.core.errors import UserError
from attnviewer.core.events import Event, Failed, Finished, Progress, Progressed, Started, Stepped
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.modes import own
from attnviewer.core.trace import Trace
from attnviewer.ui.controls import column, row
from attnviewer.ui.desk import Desk
from attnviewer.ui.doubting import Doubting, above
from attnviewer.ui.panels.translate.hands import Hands
from attnviewer.ui.panels.translate.head import TranslateHead
from attnviewer.ui.panels.translate.lines import Lines
from attnviewer.ui.panels.translate.side import TranslateSide
from attnviewer.ui.panels.translate.stage import TranslateStage, foot_of
from attnviewer.ui.panels.translate.state import CAME, LOOKED, TranslateState, lane_of
from attnviewer.ui.panels.translate.tools import TranslateTools
from attnviewer.ui.player import Player
from attnviewer.ui.theme import Tokens
from attnviewer.ui.whatif import OWN
from attnviewer.ui.widgets.ramp import RampLegend
from attnviewer.ui.widgets.story import StoryLine
from attnviewer.ui.widgets.transport import Transport


class TranslatePanel(Doubting):
    """Head, stage, side and foot; all follow one word clock, and the newest sentence wins."""

    photos = False

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        modes = desk.installed.ways or own("translate")[:1]
        self.state = TranslateState(modes, history=desk.settings["translated"], cards=desk.installed.cards)
        last = desk.settings["translate"]
        self.state.mode = last if last in self.state.keys else modes[0]
        self.player = Player(self)
        self.lines = Lines(self)
        self.head, self.stage = TranslateHead(desk.installed.sentences), TranslateStage(modes)
        self.side, self.story = TranslateSide(), StoryLine()
        self.transport, self.legend = Transport(self.player, desk.settings), RampLegend()
        self.foot = foot_of(self.transport, 1, self.legend)
        self.hands = Hands(self)
        self._tools = TranslateTools(self.state.keys, desk.installed.curves, self.choose_mode)
        self._handlers: dict[type[Event], Callable[[Any], None]] = {
            Started: lambda _: self.desk.progress.emit(Progress(tr("Reading the sentence"))),
            Progressed: lambda event: self.desk.progress.emit(event.progress),
            Stepped: self._on_step,
            Finished: self._on_finished,
            Failed: self._on_failed,
        }
        self._lay_out()
        self._connect()
        self._begin()
        self.set_tokens(desk.tokens)

    def _lay_out(self) -> None:
        middle, told = QWidget(), QWidget()
        left = column(self.story, self.stage, self.hands.bar, spacing=0)
        left.setStretch(1, 1)
        told.setLayout(left)
        line = row(told, self.side, spacing=0)
        line.setStretch(0, 1)
        middle.setLayout(line)
        rows = column(self.head, middle, self.foot, spacing=0)
        rows.setStretch(1, 1)
        self.setLayout(rows)

    def _connect(self) -> None:
        self.desk.tokens_changed.connect(self.set_tokens)
        self.desk.worker.happened.connect(self.on_event)
        self.desk.worker.busy_changed.connect(lambda _: self._show() if self.isVisible() else None)
        self.player.word_changed.connect(self._show_word)
        self.head.entered.connect(self.translate)
        self.stage.chosen.connect(self._choose_word)
        self.stage.hovered.connect(self.stage.mark)
        self.stage.matrix.dragged.connect(self.dragged)
        self.stage.hovered.connect(lambda place: self.side.show_place(self.state.trace, self.player.word, place))
        self.stage.shuffled.connect(self.shuffle)
        self.stage.asked.connect(self.ask_maps)
        self.stage.headed.connect(self.choose_head)
        self.add_pages("translate", self.side, partial(above, self, self.foot, self.head))
        self.pages.append(self.hands.page)
        self.beam.chosen.connect(self.hands.take_branch)

    def _begin(self) -> None:
        """The sentence of last time, or the first sample, is there; it is translated once the panel is seen."""
        known = (*self.state.history, *(sample.text for sample in self.desk.installed.sentences))
        self.head.show_history(self.state.history)
        self._tools.show_mode(self.state.mode)
        if known:
            self.head.show_sentence(known[0])
            self.state.take(known[0])

    def tools(self) -> QWidget:
        return self._tools

    def commands(self) -> Mapping[str, Callable[[], object]]:
        return (
            {mode: lambda mode=mode: self.choose_mode(mode) for mode in self.state.keys}
            | self.player.commands()
            | self.page_commands()
            | self.hands.commands()
            | {
                "shuffle": lambda: self.shuffle(not self.state.shuffling),
                "origin": lambda: self.ask_maps(LOOKED if self.state.asking == CAME else CAME),
                "type": self.head.edit,
                "how": self.side.toggle_how,
            }
            | self.lines.commands()
        )

    def take_text(self, text: str) -> bool:
        """Translate a text that was dropped or pasted."""
        sentence = " ".join(text.split())
        if sentence:
            self.head.pick(sentence)
        return bool(sentence)

    def take_file(self, path: Path) -> bool:
        """Translate the lines of a text file, one after the other."""
        return self.lines.take(path)

    def result(self) -> tuple[Trace, Picture | None] | None:
        trace = self.state.held(self.state.main)  # whose steps hold both maps
        return (trace, None) if trace is not None and trace.steps else None

    def comparison(self) -> Mapping[str, Trace] | None:
        found = {mode: self.state.trace_of(mode) for mode in self.state.shown}
        said = {mode: trace for mode, trace in found.items() if trace is not None and trace.steps}
        return said if said and (len(said) > 1 or self.state.asking == CAME) else None

    def show_trace(self, trace: Trace, picture: Picture | None) -> None:
        self._cancel(self.state.lanes())
        self.state.take_saved(trace)
        self.head.show_sentence(self.state.sentence)
        self._tools.show_mode(self.state.mode)
        self.player.clear()
        self._show()
        self._settle()

    def set_presenter(self, on: bool) -> None:
        for part in (self.head, self.foot, self.hands.bar):
            part.setVisible(not on)
        self.hands.presenting = on
        for view in (self.side, self.story, self.stage):
            view.set_large(on)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask()

    def translate(self, sentence: str) -> None:
        """Translate another sentence; what was said of the last one goes."""
        self.state.take(sentence)
        self._cancel(self.state.lanes())
        self.say("")
        self._restart()
        if not self.state.failed:
            self.state.remember()
            self.desk.settings["translated"] = self.state.history
            self.head.show_history(self.state.history)

    def choose_mode(self, mode: str) -> None:
        """Attention, location, none, or two side by side; what was said already is shown at once."""
        if mode in self.state.keys and mode != self.state.mode:
            self.state.mode = self.desk.settings["translate"] = mode
            self._restart()
        self._tools.show_mode(self.state.mode)

    def shuffle(self, on: bool) -> None:
        """Shuffle the source, or put it back in order."""
        self.state.shuffle(on)
        self._cancel(lane_of(mode, moved=True) for mode in self.state.modes)
        self._restart()

    def choose_head(self, head: str) -> None:
        """Show the maps of another head, their mean or maximum, or all side by side."""
        self.state.head = head
        self._show()

    def ask_maps(self, asking: str) -> None:
        """Show the maps that chose the words, or those that tell where they came from."""
        if asking == LOOKED or self.state.tells:
            self.state.asking = asking
            self._show()

    def changed(self) -> None:
        """Something was changed: the clock stays where it is."""
        self._cancel(self.state.lanes())
        self._show()
        self._ask()

    def _restart(self) -> None:
        """Something else is wanted; the clock stays where it is if its words are known."""
        self.hands.at = -1
        self.state.failed.clear()
        if not self.state.settled:
            self.player.clear()
        self._show()
        self._ask()

    def _ask(self) -> None:
        """Run what is shown and not known, once it can be seen; stop what is no longer shown."""
        if not self.isVisible():
            return
        self.head.show_fault("")
        self._cancel(set(self.state.lanes()).difference(self.state.wanted))
        for lane in self.state.missing:
            if not self.desk.worker.runs(lane):
                self._ask_lane(lane)
        self._settle()

    def _cancel(self, lanes: Iterable[str]) -> None:
        for lane in lanes:
            self.desk.worker.cancel(lane)

    def _ask_lane(self, lane: str) -> None:
        try:
            self.desk.worker.ask(lane, self.state.request(lane))
        except UserError as error:
            self.state.failed.add(lane)
            self.head.show_fault(str(error))

    def _settle(self) -> None:
        """Once all that is shown is whole: play it."""
        if self.state.settled and self.state.count:
            self.player.finish(self.state.count)

    @Slot(object)
    def on_event(self, event: Event) -> None:
        """Take an event of one of this panel's lanes."""
        if event.lane in self.state.wanted:
            self._handlers.get(type(event), lambda _: None)(event)

    def _on_step(self, event: Stepped) -> None:
        if len(event.trace.steps) <= self.hands.at:
            return
        self.state.traces[event.lane] = event.trace
        self.desk.progress.emit(Progress(tr("writing, word {number}", number=len(event.trace.steps))))
        self.player.grow(self.state.count)
        self._show()

    def _on_finished(self, event: Finished) -> None:
        self.state.finish(event.lane, event.trace)
        self.hands.at = -1
        self.tell_run(event.trace, event.seconds, partly=bool(self.state.failed))
        self._show()
        if event.lane in map(self.state.lane, self.state.shown):
            self._settle()
            self.hands.listen()

    def _on_failed(self, event: Failed) -> None:
        if self.state.edits.now != OWN and self.state.retract():  # what can't be done wasn't done
            self.changed()
            return self.say(event.message, fault=True)
        self.state.failed.add(event.lane)
        self.head.show_fault(event.message)
        self._show()
        return self._settle()

    def _choose_word(self, mode: str, word: int) -> None:
        self.state.lead = mode or self.state.lead
        self.player.go(word)
        self._show()

    def _show(self) -> None:
        self.state.running = any(map(self.desk.worker.runs, self.state.missing))
        trace = self.state.trace
        self.stage.show_state(self.state)
        self.side.show_trace(trace, whole=self.state.settled)
        uniform = self.state.uniform
        self.hands.show()
        self.legend.show_range(self.state.top if uniform else 0.0, uniform, self.desk.look)
        self._show_word(self.player.word)

    def _show_word(self, word: int) -> None:
        self.stage.show_word(word)
        self.side.show_word(self.state.trace, word, self.hands.earlier_step(word))
        self.story.show_word(self.state.trace, word)
        self.follow_pages(word)
        self.hands.page.show_word(word)

    def set_tokens(self, tokens: Tokens) -> None:
        """Paint in the colours of the theme."""
        for view in (self.stage, self.side, self.transport, self.legend, self._tools):
            view.set_tokens(tokens)
        self._show()
