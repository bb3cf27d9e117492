"""The Transformer panel: a text goes through a real encoder, and everything inside can be looked at and changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from attnviewer.core.ablation import Ablation
from attnviewer.core.attend import AttendTrace
from attnviewer.core.errors import UserError
from attnviewer.core.events import Concluded, Event, Failed, Finished, Progressed, Shown, Stepped
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.trace import Trace
from attnviewer.ui.controls import Segments, column
from attnviewer.ui.desk import Desk
from attnviewer.ui.icons import paint_glyphs
from attnviewer.ui.panels.base import Made, Panel
from attnviewer.ui.panels.transformer.head import TransformerHead
from attnviewer.ui.panels.transformer.own import join
from attnviewer.ui.panels.transformer.state import LANES, TransformerState
from attnviewer.ui.panels.transformer.study import StudyView
from attnviewer.ui.panels.transformer.views import VIEWS, View, readers
from attnviewer.ui.staging import made_of
from attnviewer.ui.textsize import scaled_sheet
from attnviewer.ui.theme import Tokens
from attnviewer.ui.widgets.knob import GROWN

STUDY = "transformer:"  # how the lanes of experiments begin: transformer:VIEW:LANE


class TransformerPanel(Panel):
    """Text and choosers above, one view below; a change reads the text again, and the newest reading wins."""

    photos = False

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.state = TransformerState(history=tuple(desk.settings["attended"]))
        self.head, self.stack = TransformerHead(), QStackedWidget()
        self.views: dict[str, Any] = {}
        self._presenting = False
        self._picture: Picture | None = None
        self._tools = Segments(
            [(view.key, tr(view.name), tr(view.tip)) for view in VIEWS], self.choose_view, tr("View")
        )
        rows = column(self.head, self.stack, spacing=0)
        rows.setStretch(1, 1)
        self.setLayout(rows)
        if self.state.history:
            self.state.text = self.state.history[0]
        self.head.show_text(self.state.text)
        self.head.show_history(self.state.history)
        self._connect()
        self._key = desk.settings["transformer"]

    def _connect(self) -> None:
        self.desk.tokens_changed.connect(self.set_tokens)
        self.desk.worker.happened.connect(self.on_event)
        self.desk.picture_changed.connect(self._take_picture)
        self.head.entered.connect(self.read)
        self.head.head_chosen.connect(self.choose_head)
        self.head.model_chosen.connect(self.choose_model)
        self.head.show_models(readers(), self.state.model)
        join(self)

    def tools(self) -> QWidget:
        return self._tools

    def commands(self) -> Mapping[str, Callable[[], object]]:
        view = self.views.get(self._key)
        own = view.commands() if view is not None and hasattr(view, "commands") else {}
        return {
            "layer_on": lambda: self._step_layer(1),
            "layer_back": lambda: self._step_layer(-1),
            "head_on": lambda: self._step_head(1),
            "head_back": lambda: self._step_head(-1),
            "undo": lambda: self.alter(Ablation()),
            "type": self._type,
            **own,
        }

    def _type(self) -> None:
        self.head.field.setFocus()
        self.head.field.selectAll()

    def _step_layer(self, by: int) -> None:
        if self.state.maps is not None:
            self.choose_head((self.state.layer + by) % self.state.maps.shape[0], -1)

    def _step_head(self, by: int) -> None:
        if self.state.maps is not None:
            self.choose_head(-1, (self.state.head + by) % self.state.maps.shape[1])

    def take_text(self, text: str) -> bool:
        """Read a text that was dropped or pasted."""
        given = " ".join(text.split())
        if given:
            self.head.show_text(given)
            self.read(given)
        return bool(given)

    def result(self) -> tuple[Trace, Picture | None] | None:
        photo = self.state.picture if self.state.reads_photo and self.state.saved is None else self._picture
        return (self.state.shown, photo) if self.state.shown is not None else None

    def show_trace(self, trace: Trace, picture: Picture | None) -> None:
        for lane in LANES:
            self.desk.worker.cancel(lane)
        self.state.open(trace)
        self._picture = picture
        self.head.show_fault("")
        self.head.show_text(trace.source.text or "")
        self.choose_view("glance")

    def set_presenter(self, on: bool) -> None:
        self._presenting = on
        self.head.setVisible(not on)
        self.stack.setStyleSheet(scaled_sheet(GROWN) if on else "")
        for view in self.views.values():
            if isinstance(view, StudyView):
                view.set_presenter(on)

    def makes(self) -> Made | None:
        view = self.views.get(self._key)
        return made_of(self._key, view, self.key) if isinstance(view, StudyView) else None

    def words(self) -> str:
        view = self.views.get(self._key)
        return view.says.text() if isinstance(view, StudyView) else super().words()

    @Slot(object)
    def _take_picture(self, picture: Picture) -> None:
        for view in self.views.values():
            if isinstance(view, StudyView):
                view.take_picture(picture)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.choose_view(self._key)
        self._ask()

    def choose_view(self, key: str) -> None:
        """Look another way; a view is made when it is first wanted."""
        view = next((one for one in VIEWS if one.key == key), VIEWS[0])
        self._key = self.desk.settings["transformer"] = view.key
        if view.key not in self.views:
            self.views[view.key] = self._make(view)
        self._tools.show_choice(view.key)
        self.head.show_parts(view.text, view.heads)
        self.head.setVisible((view.text or view.heads) and not self._presenting)
        self.stack.setCurrentWidget(self.views[view.key])
        self._show()

    def _make(self, view: View) -> Any:
        made = view.make()
        made.set_tokens(self.desk.tokens)
        slots: dict[str, Callable[..., None]] = {
            "chosen": self.choose_step if view.key == "steps" else self.choose_head,
            "pointed": self.point,
            "way_chosen": self.choose_way,
            "altered": self.alter,
        }
        for signal, slot in slots.items():
            if hasattr(made, signal):
                getattr(made, signal).connect(slot)
        if isinstance(made, StudyView):
            self._join(view.key, made)
        paint_glyphs(made, self.desk.tokens)
        self.stack.addWidget(made)
        return made

    def _join(self, key: str, view: StudyView) -> None:
        """Run what a view wants, in lanes of its own."""
        view.wanted.connect(lambda lane, request: self._study(view, f"{STUDY}{key}:{lane}", request))
        view.stopped.connect(lambda lane: self.desk.worker.cancel(f"{STUDY}{key}:{lane}"))
        view.set_presenter(self._presenting)
        if self.desk.picture is not None:
            view.take_picture(self.desk.picture)

    def _study(self, view: StudyView, lane: str, request: Any) -> None:
        try:
            self.desk.worker.ask(lane, request)
        except UserError as error:
            view.tell(str(error), fault=True)

    def _studied(self, event: Event) -> None:
        """Hand an event of an experiment to the view that asked for it."""
        key, _, lane = event.lane.removeprefix(STUDY).partition(":")
        view = self.views[key]
        if isinstance(event, Progressed):
            self.desk.progress.emit(event.progress)
        elif isinstance(event, Failed):
            view.fail(lane, event.message)
        elif isinstance(event, Shown | Concluded):
            view.take(lane, event.finding)
        elif isinstance(event, Stepped | Finished):
            view.take_trace(lane, event.trace, event.seconds if isinstance(event, Finished) else None)
        if isinstance(event, Concluded | Finished):
            self.desk.board.succeed(f"{self.desk.worker.device}  ·  {event.seconds:.2f} s", self.key)

    def read(self, text: str) -> None:
        """Read another text."""
        text, self._picture = " ".join(text.split()), None
        if text and (text != self.state.text or self.state.saved is not None):
            for lane in LANES:
                self.desk.worker.cancel(lane)
            self.state.take(text)
            self.state.remember()
            self.desk.settings["attended"] = self.state.history
            self.head.show_history(self.state.history)
        self.head.show_fault("" if text else tr("There is nothing to read; type a text."))
        self._ask()

    def choose_model(self, model: str) -> None:
        """Let another net read, beginning with a sample in its language."""
        if model != self.state.model or self.state.saved is not None:
            for lane in LANES:
                self.desk.worker.cancel(lane)
            self.state.choose_model(model)
            self.head.mark_model(model)
            self.head.show_text(self.state.text)
            self.head.show_samples(self.state.samples)
            self._picture = None
            self._ask()

    def choose_head(self, layer: int, head: int) -> None:
        """Take another head in sight; -1 leaves the layer or the head as it is."""
        self.state.layer = layer if layer >= 0 else self.state.layer
        self.state.head = head if head >= 0 else self.state.head
        self._show()

    def choose_step(self, step: int) -> None:
        """Go to a step of the build-up."""
        self.state.step = step
        self._show()

    def choose_way(self, way: str) -> None:
        """Show another map large."""
        self.state.way = way
        self._show()

    def point(self, token: int) -> None:
        """Light another token's row."""
        self.state.token = token
        self._show()

    def alter(self, change: Ablation) -> None:
        """Change something inside, and read again."""
        self.state.alter(change)
        self._show()
        self._ask()

    def _ask(self) -> None:
        """Have read what isn't known, once the panel is seen."""
        if not self.isVisible():
            return
        for lane in self.state.lanes:
            try:
                self.desk.worker.ask(lane, self.state.request(lane))
            except UserError as error:
                self.head.show_fault(str(error))

    @Slot(object)
    def on_event(self, event: Event) -> None:
        """Take an event of one of this panel's lanes."""
        if event.lane.startswith(STUDY):
            self._studied(event)
        if event.lane not in LANES:
            return
        if isinstance(event, Progressed):
            self.desk.progress.emit(event.progress)
        elif isinstance(event, Failed):
            self.head.show_fault(event.message)
        elif isinstance(event, Finished) and isinstance(event.trace, AttendTrace):
            self.head.show_fault("")
            self.state.receive(event.lane, event.trace)
            self.tell_run(event.trace, event.seconds)
            self._show()

    def _show(self) -> None:
        maps = self.state.maps
        if maps is not None:
            self.head.show_size(*maps.shape[:2])
            self.state.layer = min(self.state.layer, maps.shape[0] - 1)
            self.state.head = min(self.state.head, maps.shape[1] - 1)
            self.head.show_head(self.state.layer, self.state.head)
        view = self.views.get(self._key)
        if view is not None:
            view.show_state(self.state)

    def set_tokens(self, tokens: Tokens) -> None:
        """Paint in the colours of the theme."""
        for view in self.views.values():
            view.set_tokens(tokens)
        self._show()
