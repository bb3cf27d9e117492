"""The image panel: a photo, its caption word by word, and where the model looked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from attnviewer.core.boxed import boxed
from attnviewer.core.events import Event, Failed, Finished, Progress, Progressed, Started, Stepped
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.modes import own
from attnviewer.core.trace import Trace
from attnviewer.ui.controls import column, row
from attnviewer.ui.desk import Desk
from attnviewer.ui.doubting import Doubting, above
from attnviewer.ui.look import Look, levels, word_map
from attnviewer.ui.panels.image.echo import Echoes
from attnviewer.ui.panels.image.foot import ImageFoot
from attnviewer.ui.panels.image.hands import Hands
from attnviewer.ui.panels.image.modes import Modes
from attnviewer.ui.panels.image.own import open_model
from attnviewer.ui.panels.image.saved import lay_under, show_saved, take_found, tell_again
from attnviewer.ui.panels.image.side import ImageSide
from attnviewer.ui.panels.image.stages import Stages
from attnviewer.ui.panels.image.state import COMPARE, DRAWS, ImageState, attention_of, columns_of, lane_of
from attnviewer.ui.panels.image.subtitle import Subtitle
from attnviewer.ui.panels.image.tools import ImageTools
from attnviewer.ui.player import Player
from attnviewer.ui.theme import Tokens
from attnviewer.ui.widgets.missing import MissingPhoto
from attnviewer.ui.widgets.story import StoryLine


class ImagePanel(Doubting):
    """Stage, words, filmstrip and facts; all follow one word clock."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        chosen = desk.settings["attention"]
        modes = desk.installed.modes or own("caption")[:1]
        start = chosen if chosen in (*modes, *(COMPARE,) * (len(columns_of(modes)) > 1)) else modes[0]
        self.state = ImageState(modes, start, pick=desk.settings["pick"], cards=desk.installed.cards)
        self.player = Player(self)
        self.stages, self.subtitle, self.story = Stages(), Subtitle(self.player), StoryLine()
        self.side, self.modes = ImageSide(self.player), Modes(desk, self.state)
        self.hands = Hands(self)
        self.foot, self.missing = ImageFoot(desk, self.player), MissingPhoto()
        self.strip, self.transport, self.lookbar = self.foot.strip, self.foot.transport, self.foot.lookbar
        self.echoes = Echoes(desk.worker, self.state, self._show_bits)
        self._tools = ImageTools(desk, self.state, self.choose_mode, self.choose_model)
        self._handlers: dict[type[Event], Callable[[str, Any], None]] = {
            Started: lambda *_: desk.progress.emit(Progress(tr("Looking at the photo"))),
            Progressed: lambda _, event: desk.progress.emit(event.progress),
            Stepped: self._on_step,
            Finished: self._on_finished,
            Failed: self._on_failed,
        }
        self._lay_out()
        self._connect()
        self._show_stages()
        self.set_tokens(desk.tokens)

    def _lay_out(self) -> None:
        stage = column(self.story, self.stages, self.missing, self.modes.bar, self.hands.bar, self.subtitle, spacing=0)
        stage.setStretch(1, 1)
        top = row(self.side, spacing=0)
        top.insertLayout(0, stage, 1)
        rows = column(self.foot, spacing=0)
        rows.insertLayout(0, top, 1)
        self.setLayout(rows)

    def _connect(self) -> None:
        self.desk.picture_changed.connect(self.take_picture)
        self.desk.model_opened.connect(partial(open_model, self))
        self.desk.look_changed.connect(self._show_look)
        self.desk.tokens_changed.connect(self.set_tokens)
        self.desk.worker.happened.connect(self.on_event)
        self.player.word_changed.connect(self._show_word)
        self.stages.hovered.connect(self._hover)
        self.stages.dragged.connect(self.dragged)
        self.stages.crowded.connect(self.story.setHidden)
        for chosen in (self.stages.headed, self.foot.heads.chosen):
            chosen.connect(self.choose_head)
        self.side.facts.pointed.connect(self.stages.mark)
        self.stages.chosen.connect(self.modes.choose_lead)
        self.modes.rearranged.connect(self._rearrange)
        self.modes.redrawn.connect(self._redraw)
        self.modes.resampled.connect(self.restart)
        self.add_pages("image", self.side, partial(above, self, self.foot))
        self.pages.append(self.hands.keeping.page)
        self.missing.found.connect(partial(take_found, self))

    def tools(self) -> QWidget:
        return self._tools

    def commands(self) -> Mapping[str, Callable[[], object]]:
        modes = {mode: lambda mode=mode: self.choose_mode(mode) for mode in self._tools.keys}
        own: dict[str, Callable[[], object]] = {
            "shape": self.lookbar.toggle_shape,
            "how": self.side.toggle_how,
            "ground": self.lookbar.next_ground,
            "stronger": partial(self.lookbar.more, 1),
            "fainter": partial(self.lookbar.more, -1),
        }
        return (
            modes | self.modes.commands() | self.player.commands() | self.page_commands() | self.hands.commands() | own
        )

    def comparison(self) -> Mapping[str, Trace] | None:
        found = {mode: trace for mode, trace in self.state.maps.items() if mode != DRAWS and trace.steps}
        return found if self.state.mode == COMPARE and len(found) > 1 else None

    def result(self) -> tuple[Trace, Picture | None] | None:
        trace = self.state.trace
        return (boxed(trace, self.hands.inside.box), self.state.picture) if trace is not None and trace.steps else None

    def set_presenter(self, on: bool) -> None:
        self.foot.setVisible(not on)
        for view in (self.story, self.side):
            view.set_large(on)
        self.modes.set_presenter(on)
        self.hands.folding.fit()
        self.subtitle.setVisible(on)

    @property
    def look(self) -> Look:
        """The desk's look, over a colour range that all captions shown share."""
        return replace(self.desk.look, ceiling=self.state.ceiling)

    @Slot(object)
    def take_picture(self, picture: Picture) -> None:
        """Show another photo, and ask for its caption."""
        self.state.take_picture(picture)
        self.missing.show_for(None)
        self.player.clear()
        lay_under(self, picture)
        self._show_traces()
        self._ask()

    def show_trace(self, trace: Trace, picture: Picture | None) -> None:
        show_saved(self, trace, picture)

    def show_all(self) -> None:
        """Bring everything up to date with the state."""
        for show in (self._tools.show_mode, self._show_stages, self._show_traces):
            show()

    def choose_head(self, head: str) -> None:
        """Show the maps of another head, their mean or maximum, or all side by side."""
        self.state.head = head
        self._show_traces()

    def choose_mode(self, mode: str) -> None:
        """Soft, hard, none, or all side by side; what was said already is shown at once."""
        if mode not in self._tools.keys or mode == self.state.mode:
            return self._tools.show_mode()
        self.say("") if self.state.failed else None  # what was said of the other mode's fault is done with
        self.state.mode = self.desk.settings["attention"] = mode
        self._tools.show_mode()
        return self._rearrange()

    def _rearrange(self) -> None:
        """Other stages are wanted; the clock stays where it is if their words are known."""
        self._show_stages()
        if self.state.missing:
            self.player.clear()
        self._show_traces()
        self._ask()

    def _redraw(self) -> None:
        """The same traces are shown otherwise."""
        self._show_stages()
        self._show_traces()
        self.echoes.listen()

    def _show_stages(self) -> None:
        self.stages.show_modes(self.state.stages, self.state.main)
        self.modes.show_bar()

    def choose_model(self, model: str) -> None:
        """Use another model for the current mode."""
        self.desk.settings["model"] = model
        self.state.choose_model(self.state.main, model)
        self.restart()

    def take_branch(self, words: tuple[str, ...], whole: bool) -> None:
        self.hands.take_branch(words, whole)

    def follow(self) -> None:
        """Show what a change leads to: what is known of it at once, and the rest when it comes."""
        if self.state.missing:
            self.hands.show_steps()
        else:
            self._show_traces()
            self.player.grow(self.state.count)
        self._ask()

    def restart(self) -> None:
        """Begin the clock anew, with what is asked now."""
        self.hands.at = -1
        self.modes.show_bar()
        self.player.clear()
        self._show_traces()
        self._ask()

    def _ask(self) -> None:
        """Run what is shown and not known; stop what is no longer shown."""
        self.state.failed.clear()
        self.echoes.stop()
        for mode in self.state.columns:
            if mode not in self.state.shown:
                self.desk.worker.cancel(lane_of(mode))
        for mode in self.state.missing:
            self.desk.worker.ask(lane_of(mode), self.state.request(mode))
        self._settle()

    def _settle(self) -> None:
        """Once all that is shown is known: play it, and let the others read it."""
        if not self.state.missing and self.state.count:
            self.player.finish(self.state.count)
            self.echoes.listen()
            self.hands.settle()

    @Slot(object)
    def on_event(self, event: Event) -> None:
        """Take an event of one of this panel's lanes."""
        mode = attention_of(event.lane)
        if mode in self.state.columns:
            self._handlers.get(type(event), lambda *_: None)(mode, event)

    def _on_step(self, mode: str, event: Stepped) -> None:
        if len(event.trace.steps) > self.hands.at:
            self._take(mode, event.trace)
        self.desk.progress.emit(Progress(tr("writing, word {number}", number=len(event.trace.steps))))
        self.player.grow(self.state.count)

    def _on_finished(self, mode: str, event: Finished) -> None:
        self.state.finish(mode, event.trace)
        self._show_traces()
        self.tell_run(event.trace, event.seconds, partly=bool(self.state.failed))
        tell_again(self, event.trace)
        self._settle()

    def _on_failed(self, mode: str, event: Failed) -> None:
        self.say(event.message, fault=True)
        self.state.failed.add(mode)
        self.hands.fail()
        self.player.grow(self.state.count)
        self._settle()

    def _take(self, mode: str, trace: Trace) -> None:
        self.state.traces[mode] = trace
        self._show_traces()

    def _show_traces(self) -> None:
        trace = self.state.trace
        self.side.show_trace(trace)
        self.subtitle.show_trace(trace)
        self.foot.show_trace(trace, self.look)
        self.hands.show_steps()
        self._show_bits()
        self._show_word(self.player.word)

    def _show_bits(self) -> None:
        self.foot.show_bits(self.state.bits, coming=self.state.coming)

    def _show_look(self, *_: object) -> None:
        self.modes.show_bar()
        self.foot.show_trace(self.state.trace, self.look)
        self._show_word(self.player.word)

    def _show_word(self, word: int) -> None:
        trace, look = self.state.trace, self.look
        self.stages.show_word(self.state.maps, word, look)
        self.side.show_word(trace, word, self.hands.before(word))
        self.hands.show_word()
        self.story.show_word(trace, word)
        self.follow_pages(word)
        mapped = next((one for one in (trace, *self.state.maps.values()) if word_map(one, word) is not None), None)
        top = levels(mapped, word, look)[1] if mapped is not None else 0.0
        uniform = 1 / len(mapped.locations) if mapped is not None else 0.0
        self.lookbar.legend.show_range(top, uniform, look, 0.0 if look.per_word else self.state.peak)

    def _hover(self, location: int) -> None:
        self.strip.strip.show_location(location)
        drawn = self.state.maps.get(DRAWS) if self.state.main in self.state.drawing else None
        self.side.show_location(self.state.trace, self.player.word, location, drawn)

    def set_tokens(self, tokens: Tokens) -> None:
        """Paint in the colours of the theme."""
        for view in (self.stages, self.side, self.foot, self.subtitle):
            view.set_tokens(tokens)
