"""The query panel: a query looks up regions of the photo, words of a sentence, or lines of text, while one types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from attnviewer.core.content import ContentTrace
from attnviewer.core.events import Event, Failed, Finished, Progressed
from attnviewer.core.i18n import later, tr
from attnviewer.core.images import Picture
from attnviewer.core.lines import Lines
from attnviewer.core.modes import MODES, of
from attnviewer.core.trace import Trace
from attnviewer.ui.controls import Segments, row
from attnviewer.ui.desk import Desk
from attnviewer.ui.panels.base import Panel
from attnviewer.ui.panels.query.saved import show_saved, take_found
from attnviewer.ui.panels.query.side import QuerySide
from attnviewer.ui.panels.query.source import QuerySource
from attnviewer.ui.panels.query.state import EXAMPLES, FIRST, LANES, LINES, REGIONS, WORDS, QueryState
from attnviewer.ui.panels.query.warming import Warming
from attnviewer.ui.sources import text_file
from attnviewer.ui.theme import Tokens

SHOWING = ("sort", "front")  # choices that ask nothing anew
KINDS = (
    (REGIONS, later("Regions"), later("Ask the regions of the photo")),
    (WORDS, later("Words"), later("Ask the words of a sentence")),
    (LINES, later("Lines"), later("Ask lines of text, up to 100,000")),
)


class QueryPanel(Panel):
    """Source on the left, queries and weights on the right; every change asks again, and the newest question wins."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        kinds = KINDS if desk.installed.regions else KINDS[1:]
        last = desk.settings["query"]
        kind = last if last in [name for name, *_ in kinds] else kinds[0][0]
        self.state = QueryState(kind=kind, history=tuple(desk.settings["queries"]))
        self.source, self.side = QuerySource(desk), QuerySide()
        self._warming = Warming(self)
        self._tools = Segments(kinds, self.choose_kind, tr("Items"))
        self._stale = True
        self.setAcceptDrops(True)
        layout = row(self.source, self.side, spacing=0)
        layout.setStretch(0, 1)
        self.setLayout(layout)
        self._connect()
        self._show_example()
        self._show_kind()
        self._show()
        self.set_tokens(desk.tokens)

    def _connect(self) -> None:
        self.desk.picture_changed.connect(self.take_picture)
        self.desk.look_changed.connect(self._show)
        self.desk.tokens_changed.connect(self.set_tokens)
        self.desk.worker.happened.connect(self.on_event)
        self.source.sentence_changed.connect(self.take_sentence)
        self.source.lines_changed.connect(self.take_lines)
        self.source.hovered.connect(self._hover)
        self.source.stage.dragged.connect(self.dragged)
        self.source.missing.found.connect(partial(take_found, self))
        self.side.typed.connect(self.ask_for)
        self.side.entered.connect(self._remember)
        self.side.changed.connect(self.choose)
        self.side.stretched.connect(self.stretch)
        self.side.hovered.connect(self._point)
        self.side.chosen.connect(self._go_to)

    def tools(self) -> QWidget:
        return self._tools

    def about(self) -> str:
        return self.desk.source if self.state.kind == REGIONS else ""

    def commands(self) -> Mapping[str, Callable[[], object]]:
        return {
            **{mode: partial(self.choose, "hard", MODES[mode].draws) for mode in of("query")},
            "shape": self.source.lookbar.toggle_shape,
            **{name: partial(self.source.lookbar.more, by) for name, by in (("stronger", 1), ("fainter", -1))},
        }

    def result(self) -> tuple[Trace, Picture | None] | None:
        trace = self.state.trace
        return (trace, self.state.picture if self.state.kind == REGIONS else None) if trace is not None else None

    def show_trace(self, trace: Trace, picture: Picture | None) -> None:
        assert isinstance(trace, ContentTrace)
        self._stale = False
        show_saved(self, trace, picture)

    def show_all(self) -> None:
        """Bring everything up to date with the state, and ask nothing."""
        self.side.show_texts(self.state)
        self._show_kind()
        self._show()

    def set_presenter(self, on: bool) -> None:
        for part in (self.source, self.side):
            part.set_large(on)
        self.show_all()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self.ask()
        self._warming.start()

    def _show_example(self) -> None:
        """Until the user has typed a query, ask an example that suits what is asked."""
        if not self.state.own:
            self.state.texts[FIRST] = self._example()
            self.side.show_texts(self.state)

    def _example(self) -> str:
        path = self.state.picture.path if self.state.picture is not None else None
        samples = [one.query for one in self.desk.installed.samples if path is not None and str(one.path) == str(path)]
        known = [text for text in samples if text and self.state.kind == REGIONS]
        return next(iter(known), EXAMPLES[self.state.kind])

    @Slot(object)
    def take_picture(self, picture: Picture) -> None:
        """Ask another photo."""
        self.state.picture = picture
        self.source.missing.show_for(None)
        self.source.show_picture(picture)
        self._show_example()
        if self.state.kind == REGIONS:
            self._new_items()

    def take_sentence(self, sentence: str) -> None:
        """Ask another sentence."""
        self.state.sentence = sentence
        self._new_items()

    def take_lines(self, lines: Lines) -> None:
        """Ask other lines."""
        self.state.take_lines(lines)
        self._new_items()

    def choose_kind(self, kind: str) -> None:
        """Ask regions, words or lines."""
        self.state.choose_kind(kind)
        self.desk.settings["query"] = kind
        self._show_example()
        self._show_kind()
        self._new_items()

    def _show_kind(self) -> None:
        self._tools.show_choice(self.state.kind)
        self.source.show_kind(self.state.kind)
        self.side.show_kind(self.state.kind)
        self.side.fit(self.state.kind, self.width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.side.fit(self.state.kind, self.width())
        super().resizeEvent(event)

    def choose(self, name: str, value: Any) -> None:
        """Take a choice of the side and ask again."""
        if name == "keys":
            self.state.keys[self.state.kind] = value
            self.state.forget()
        elif name == "scales":
            self.state.scales.clear()
        else:
            setattr(self.state, name, value)
        if name in SHOWING:
            self._show()
        else:
            self.ask()

    def stretch(self, item: int, scale: float) -> None:
        """Give an item's vector another length."""
        self.state.scales[item] = scale
        self.ask()

    def ask_for(self, lane: str, text: str) -> None:
        """Take the text of a query as it is typed."""
        self.state.texts[lane], self.state.own = text, self.state.own or lane == FIRST
        self.state.failed.pop(lane, None)
        if not text.strip():
            self.state.traces.pop(lane, None)
            self.desk.worker.cancel(lane)
            self._show()
        self.ask(lane)

    def ask(self, *lanes: str) -> None:
        """Ask the engine; what was asked before in the same lane is dropped."""
        self._stale = not self.isVisible()
        if self._stale:
            return
        for lane in lanes or self.state.lanes:
            request = self.state.request(lane)
            if request is not None:
                self.state.failed.pop(lane, None)
                self.desk.worker.ask(lane, request)
        self.side.show_state(self.state)
        if self.state.trace is None:
            self.side.show_answers(self.state)

    def _new_items(self) -> None:
        for lane in LANES:
            self.desk.worker.cancel(lane)
        self.state.forget()
        self._show()
        self.ask()

    def _remember(self, text: str) -> None:
        self.state.remember(text)
        self.desk.settings["queries"] = self.state.history

    @Slot(object)
    def on_event(self, event: Event) -> None:
        """Take an event of one of this panel's lanes."""
        if event.lane not in LANES:
            return
        if isinstance(event, Progressed):
            self.state.doing[event.lane] = event.progress.text
            self.desk.progress.emit(event.progress)
        elif isinstance(event, Failed):
            self.state.failed[event.lane] = event.message
            self.state.traces.pop(event.lane, None)
            self.say(event.message, fault=True)
            self._show()
        elif isinstance(event, Finished) and isinstance(event.trace, ContentTrace):
            self.state.traces[event.lane] = event.trace
            self._warming.done = self._warming.done or self.state.kind != WORDS
            self._show()
            self.tell_run(event.trace, event.seconds)
        if isinstance(event, (Failed, Finished)):
            self.state.doing.pop(event.lane, None)
        elif self.state.trace is None:
            self.side.show_answers(self.state)

    def _show(self, *_: object) -> None:
        self.side.show_state(self.state)
        self.side.show_answers(self.state)
        self.source.show_state(self.state, self.desk.look)

    def _hover(self, location: int) -> None:
        self.side.item = location
        self.side.show_formula(self.state)

    def _go_to(self, item: int) -> None:
        if self.state.kind == LINES:
            self.source.go_to(self.state, item)

    def _point(self, item: int) -> None:
        self._hover(item)
        if self.state.kind == REGIONS:
            self.source.stage.mark(item)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take text files; photos go to the window."""
        if text_file(event.mimeData()) is not None:
            event.acceptProposedAction()
        else:
            event.ignore()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self.dragEnterEvent(event)  # type: ignore[arg-type]

    def dropEvent(self, event: QDropEvent) -> None:
        path = text_file(event.mimeData())
        if path is not None and self.take_file(path):
            event.acceptProposedAction()

    def take_file(self, path: Path) -> bool:
        """Ask the lines of a text file."""
        if not self.source.open_file(path):
            return False
        self.choose_kind(LINES)
        return True

    def set_tokens(self, tokens: Tokens) -> None:
        """Paint in the colours of the theme."""
        self.source.set_tokens(tokens)
        self.side.set_tokens(tokens)
        self._show()
