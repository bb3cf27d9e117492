"""RNN beside Transformer: one Spanish sentence, both translations and both maps, one clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PySide6.QtGui import QHideEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from attnviewer.core.card import ModelCard, sound_cards
from attnviewer.core.errors import UserError
from attnviewer.core.heads import looking, shown_head, usual_head
from attnviewer.core.i18n import tr
from attnviewer.core.lens import maps
from attnviewer.core.paths import shelf
from attnviewer.core.request import BEAMS, Decoding, TranslateRequest
from attnviewer.core.trace import Tokens as Places
from attnviewer.core.trace import Trace
from attnviewer.ui.controls import button, column, label, named, row
from attnviewer.ui.icons import paint_glyph
from attnviewer.ui.panels.transformer.heat import HeatMap, Shown
from attnviewer.ui.panels.transformer.pairsays import MISSING, MODEL
from attnviewer.ui.panels.transformer.spanish import sentences
from attnviewer.ui.panels.transformer.state import TransformerState
from attnviewer.ui.panels.transformer.study import StudyView
from attnviewer.ui.player import Player
from attnviewer.ui.widgets.headchooser import HeadChooser

MODELS = {"rnn": "es-en-attention", "transformer": MODEL}
TITLES = {"rnn": "RNN", "transformer": "Transformer"}


class Half(QWidget):
    """One of the two: its translation up to the word of the clock, its map, what is known of it."""

    def __init__(self, title: str, model: str) -> None:
        super().__init__()
        self.model, self.trace, self.seconds = model, None, None  # type: str, Trace | None, float | None
        self.word = -1
        self.title, self.said = label(title, "title"), label("", "says", wrap=True)
        self.map, self.facts = HeatMap(tr("Attention of the {name}", name=title)), label("", "muted", wrap=True)
        self.head = HeadChooser()
        self.head.chosen.connect(self._choose)
        policy = self.head.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # so that both halves stand level
        self.head.setSizePolicy(policy)
        top = QWidget()
        top.setLayout(row(self.title, 1, self.head))
        self.setLayout(column(top, self.said, self.map, self.facts, spacing=6))
        self.layout().setStretch(2, 1)  # type: ignore[union-attr]

    def show_trace(self, trace: Trace | None, seconds: float | None, card: ModelCard | None) -> None:
        """Show another translation; None while there is none."""
        head = shown_head(self.trace) if self.trace is not None else ""
        self.seconds = seconds
        if trace is None:
            self.trace = None
            self.map.show_matrix(None)
            self.facts.setText("")
            return
        wanted = head if head in trace.heads else usual_head(trace, {trace.model: card} if card is not None else {})
        self.trace = looking(trace, wanted)
        self.head.show_heads(trace.heads, shown_head(self.trace))
        self.facts.setText(known(trace.model, card, seconds, len(trace.words)))
        self.go(self.word)

    def _choose(self, head: str) -> None:
        if self.trace is not None and head in ("mean", "max", *self.trace.heads):
            self.trace = looking(self.trace, head)
            self.go(self.word)

    def go(self, word: int) -> None:
        """Show the words up to one of them, and their rows of the map."""
        self.word = word
        trace = self.trace
        if trace is None or not isinstance(trace.locations, Places):
            return
        at = min(word, len(trace.words) - 1)
        self.said.setText(" ".join(f"[{one}]" if n == at else one for n, one in enumerate(trace.words[: at + 1])))
        rows = np.array(maps(trace), np.float32)
        rows[at + 1 :] = 0
        self.map.show_matrix(Shown(rows, trace.words, trace.locations.tokens, high=1.0))
        self.map.mark(at)


class BesideView(StudyView):
    """The sentence above, both nets side by side, and the clock that both follow."""

    name = "beside"

    def __init__(self) -> None:
        super().__init__()
        self._asked, self.faults = False, {}  # type: bool, dict[str, str]
        self._loaded: set[str] = set()  # lanes whose net has run before: its next run is timed without loading
        self.cards = {card.id: card for card in sound_cards(shelf())[0]}
        self.player = Player(self)
        self.field = named(QLineEdit(), tr("Spanish sentence"), tr("A Spanish sentence that both translate"))
        self.field.returnPressed.connect(self.read)
        self.samples = sentences(self.field, self.read)
        self.halves = {lane: Half(TITLES[lane], model) for lane, model in MODELS.items()}
        self.play = button(tr("Play"), tr("Play or pause both (Space)"), self.player.toggle, glyph="play")
        for half in self.halves.values():
            half.map.clicked.connect(lambda at, _: self.player.go(at))
        self.player.word_changed.connect(self._go)
        self.player.playing_changed.connect(self._show_playing)
        top, both = QWidget(), QWidget()
        top.setLayout(row(self.field, self.samples, self.play))
        both.setLayout(row(*self.halves.values(), spacing=20))
        for place in range(len(self.halves)):
            both.layout().setStretch(place, 1)  # type: ignore[union-attr]
        self.lay_out(top, both, grows=1)

    def commands(self) -> dict[str, Callable[[], object]]:
        """What the keys do here."""
        return {**self.player.commands(), "type": self.field.setFocus}

    def painted(self) -> Sequence[Any]:
        return tuple(half.map for half in self.halves.values())

    def hideEvent(self, event: QHideEvent) -> None:
        self.player.pause()
        super().hideEvent(event)

    def show_state(self, state: TransformerState) -> None:
        if not self._asked:
            self.read()

    def read(self) -> None:
        """Have both translate the sentence."""
        self._asked, self.faults = True, {}
        self.player.clear()
        for lane, half in self.halves.items():
            half.show_trace(None, None, None)
            half.said.setText(tr("translating …"))
            try:
                self._run(lane)
            except UserError as error:
                return self.tell(str(error), fault=True)
        return self.tell(tr("Both translate the same sentence …"))

    def _run(self, lane: str) -> None:
        request = TranslateRequest(self.field.text(), "soft", Decoding(beam=BEAMS["translate"]), model=MODELS[lane])
        self.wanted.emit(lane, request)

    def take_trace(self, lane: str, trace: Trace, seconds: float | None) -> None:
        if seconds is not None and lane not in self._loaded:
            self._loaded.add(lane)
            self._run(lane)
            seconds = None
        half = self.halves[lane]
        half.show_trace(trace, seconds, self.cards.get(trace.model))
        if seconds is None:
            return self.player.grow(self._count)
        if all(one.seconds is not None or lane in self.faults for lane, one in self.halves.items()):
            self.player.finish(self._count)
        self._level()
        return self._say()

    def _show_playing(self, on: bool) -> None:
        self.play.setText(tr("Pause") if on else tr("Play"))
        self.play.setProperty("glyph", "pause" if on else "play")
        if self._tokens is not None:
            paint_glyph(self.play, self._tokens)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._level()

    def _level(self) -> None:
        """Let both lines of facts be equally high, so that both maps are equally large."""
        facts = [half.facts for half in self.halves.values()]
        high = max(0, *(one.heightForWidth(one.width()) for one in facts))
        for one in facts:
            one.setMinimumHeight(high)

    def fail(self, lane: str, message: str) -> None:
        missing = lane == "transformer" and MODEL in message
        self.faults[lane] = MISSING() if missing else message
        self.halves[lane].said.setText(self.faults[lane])
        self._say()

    @property
    def _count(self) -> int:
        return max((len(half.trace.words) for half in self.halves.values() if half.trace is not None), default=0)

    def _go(self, word: int) -> None:
        for half in self.halves.values():
            half.go(word)

    def _say(self) -> None:
        done = [half for half in self.halves.values() if half.trace is not None and half.seconds is not None]
        if self.faults:
            self.tell(" ".join(self.faults.values()), fault=True)
        elif len(done) == len(self.halves):
            rnn, other = (half.trace.text for half in done if half.trace is not None)
            same = tr("Both say the same.") if rnn == other else tr("They say it differently.")
            self.tell(
                tr("The RNN reads and writes word after word; the Transformer reads all words at once. {same} A row of "
                   "each map is one word: where did each look?", same=same)
            )  # fmt: skip

    def numbers(self) -> dict[str, Any]:
        return {
            lane: {"model": half.trace.model, "text": half.trace.text, "words": half.trace.words,
                   "weights": maps(half.trace), "seconds": half.seconds}
            for lane, half in self.halves.items() if half.trace is not None
        }  # fmt: skip

    def table(self) -> list[Sequence[Any]]:
        rows: list[Sequence[Any]] = [("net", "word", "probability", "looks most at")]
        for half in self.halves.values():
            if half.trace is not None and isinstance(half.trace.locations, Places):
                best, tokens = maps(half.trace).argmax(axis=1), half.trace.locations.tokens
                steps = zip(half.trace.steps, best, strict=True)
                rows += [(half.model, step.word, float(np.exp(step.logprob)), tokens[at]) for step, at in steps]
        return rows


def known(model: str, card: ModelCard | None, seconds: float | None, words: int) -> str:
    """Quality from the card, and how long this sentence took."""
    told = [model]
    if seconds is not None:
        told.append(tr("{time} ms for {words} words", time=f"{seconds * 1000:,.0f}", words=words))
    if card is not None:
        told += [tr("BLEU {bleu}", bleu=f"{card.figures['bleu']:.1f}")] if "bleu" in card.figures else []
        told += [tr("{count} million parameters", count=f"{card.parameters / 1e6:.1f}")] if card.parameters else []
        told += [tr("{hours} h of training", hours=f"{card.training.hours:g}")] if card.training.hours else []
    return "  ·  ".join(told)
