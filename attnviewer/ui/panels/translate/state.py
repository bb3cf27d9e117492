"""The state of the translate panel without a widget: the sentence, the ways to attend, and the traces of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from attnviewer.core.card import ModelCard
from attnviewer.core.colour import ceiling
from attnviewer.core.explore.requests import SourceMatterRequest, TreeRequest
from attnviewer.core.heads import ALL, MAX, MEAN, looking, usual_head
from attnviewer.core.i18n import tr
from attnviewer.core.lens import colour_range, has_origins, origins
from attnviewer.core.modes import MODES, compared
from attnviewer.core.places import agreement, told
from attnviewer.core.request import Decoding, TranslateRequest, usual_beam
from attnviewer.core.spanish import read_spanish
from attnviewer.core.trace import Tokens, Trace
from attnviewer.ui.panels.translate.steered import Steered
from attnviewer.ui.whatif import OWN, Change, change_of

COMPARE = "compare"
LANE, MOVED = "translate-", "-moved"
HISTORY = 20
LOOKED, CAME = "looked", "came"


def lane_of(mode: str, moved: bool = False) -> str:
    """The lane in which a way to attend runs, on the sentence in order or shuffled."""
    return f"{LANE}{mode}{MOVED if moved else ''}"


@lru_cache(maxsize=4)
def came_from(trace: Trace) -> Trace:
    """A trace with the maps of where its words came from, or itself where it has none."""
    return origins(trace) or trace


@dataclass
class TranslateState(Steered):
    """What is wanted and what came back; traces are kept by their lane.

    Parameters
    ----------
    modes : the ways to attend that are installed.
    mode : one of them, or "compare" for attention and none side by side.
    lead : the column of the comparison whose words and bars are shown at the side.
    shuffling : whether the source is shuffled.
    asking : "looked" for the maps that chose the words, "came" for those that tell where they came from.
    head : the head whose maps are shown; "" for the usual one of the model, which its card among `cards` tells.
    running : whether something that is missing runs, and so may yet come.
    """

    modes: tuple[str, ...]
    mode: str = "soft"
    lead: str = "soft"
    sentence: str = ""
    shuffling: bool = False
    asking: str = LOOKED
    running: bool = False
    head: str = ""
    cards: Mapping[str, ModelCard] = field(default_factory=dict)
    history: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """All that can be chosen: the ways to attend, and the comparison where both its sides are there."""
        return (*self.modes, *((COMPARE,) if set(compared("translate")) <= set(self.modes) else ()))

    @property
    def shown(self) -> tuple[str, ...]:
        """The ways to attend in sight, from left to right."""
        return compared("translate") if self.mode == COMPARE else (self.mode,)

    @property
    def main(self) -> str:
        """The one whose words and bars are shown at the side."""
        return self.lead if self.lead in self.shown else self.shown[0]

    @property
    def words(self) -> tuple[str, ...]:
        """The words and marks of the text in order."""
        return read_spanish(self.sentence).tokens

    @property
    def _order(self) -> NDArray[np.int64]:
        """The word that stands at each place of the shuffled text."""
        return read_spanish(self.sentence).order(self.seed)

    def moves(self, mode: str) -> bool:
        """Whether a way to attend is shown on the shuffled source; without attention there is nothing to shuffle."""
        return self.shuffling and MODES[mode].has_attention and read_spanish(self.sentence).movable

    def lane(self, mode: str) -> str:
        """The lane whose trace is shown for a way to attend."""
        return lane_of(mode, self.moves(mode))

    def trace_of(self, mode: str) -> Trace | None:
        """The trace that is shown for a way to attend, with the maps that are asked for where it has them."""
        return self._asked(self.lane(mode))

    def held(self, mode: str) -> Trace | None:
        """The trace of a way to attend with all its maps, as the head that is chosen sees it."""
        trace, shown = self.traces.get(self.lane(mode)), self.trace_of(mode)
        return trace if trace is None or shown is None or self.asking == CAME else shown

    @property
    def trace(self) -> Trace | None:
        """The trace whose words and bars are shown at the side."""
        return self.trace_of(self.main)

    def source(self, mode: str) -> tuple[str, ...]:
        """The words that were read, in the order in which they are looked at."""
        trace, words = self.trace_of(mode), self.words
        if trace is not None and isinstance(trace.locations, Tokens):
            return trace.locations.tokens
        return tuple(words[i] for i in self._order) if self.moves(mode) else words

    def _asked(self, lane: str) -> Trace | None:
        trace = self.traces.get(lane)
        if trace is None:
            return None
        known = self.head in (MEAN, MAX, ALL, *trace.heads)
        shown = looking(trace, self.head if known else usual_head(trace, self.cards))
        return came_from(trace) if self.asking == CAME else shown

    @property
    def tells(self) -> bool:
        """Whether something shown tells where its words came from."""
        traces = [self.traces.get(self.lane(mode)) for mode in self.shown]
        return any(trace is not None and has_origins(trace) for trace in traces)

    @property
    def wanted(self) -> tuple[str, ...]:
        """The lanes that have to run: what is shown, and where it is shuffled what it is compared with."""
        lanes = [lane for mode in self.shown for lane in (lane_of(mode), self.lane(mode))]
        return tuple(dict.fromkeys(lanes)) if self.words else ()

    @property
    def missing(self) -> tuple[str, ...]:
        """The lanes that have yet to be asked or to end."""
        return tuple(lane for lane in self.wanted if lane not in self.done | self.failed)

    @property
    def settled(self) -> bool:
        """Whether all that is shown is whole."""
        return all(self.lane(mode) in self.done | self.failed for mode in self.shown)

    @property
    def count(self) -> int:
        """Words of the longest translation shown."""
        traces = [self.trace_of(mode) for mode in self.shown]
        return max((len(trace.steps) for trace in traces if trace is not None), default=0)

    @property
    def top(self) -> float:
        """The weight painted strongest: the largest shown, but never so small that a uniform map looks sharp."""
        ranges = [colour_range(trace) for trace in self._mapped]
        return max((ceiling(one.high, one.uniform) for one in ranges), default=1.0)

    @property
    def uniform(self) -> float:
        """The weight that a map has everywhere which looks everywhere alike; 0 where no map is shown."""
        return next((colour_range(trace).uniform for trace in self._mapped), 0.0)

    @property
    def _mapped(self) -> list[Trace]:
        found = [trace for mode in self.shown if (trace := self.trace_of(mode)) is not None]
        return [trace for trace in found if trace.heads and trace.steps]

    def lanes(self) -> Iterator[str]:
        """Every lane of this panel."""
        return (lane_of(mode, moved) for mode in self.modes for moved in (False, True))

    def request(self, lane: str, change: Change | None = None) -> TranslateRequest:
        """What to ask of the engine in a lane, with what is changed; `UserError` where the sentence is no good.

        Maps can't be imposed where there are none, nor by places that have been moved.
        """
        now, moved = change or self.edits.now, lane.endswith(MOVED)
        mode = lane.removeprefix(LANE).removesuffix(MOVED)
        looks = MODES[mode].has_attention and not moved
        imposed = now.interventions if looks else tuple(one for one in now.interventions if one.word is not None)
        decoding = Decoding(usual_beam("translate", mode, steered=now.steered, words=len(self.words)))
        return TranslateRequest(self.sentence, mode, decoding, now.words, None, interventions=imposed,
                                shuffle=self.seed if moved else None, hidden=now.hidden)  # fmt: skip

    def echo_request(self) -> TranslateRequest | None:
        """Read the text before words were struck out again, without them; None where none is."""
        lane, before = self.lane(self.main), self.before_hiding()
        if before is None or not self.edits.now.hidden or lane not in self.done:
            return None
        asked = self.request(lane, OWN)
        return replace(asked, decoding=Decoding(1, alternatives=1), words=before.words, hidden=self.edits.now.hidden)

    def before_hiding(self) -> Trace | None:
        """The text before words were struck out."""
        whole = next((one for one in reversed(self.edits.past) if one.hidden != self.edits.now.hidden), None)
        return None if whole is None else self.memory.get(self._made(self.lane(self.main), whole))

    @property
    def hidden(self) -> frozenset[int]:
        """The locations of the words that are struck out, in the order in which they are looked at."""
        places = self.edits.now.hidden
        if not self.moves(self.main):
            return frozenset(places)
        return frozenset(place for place, word in enumerate(self._order.tolist()) if word in places)

    def matter_request(self, word: int) -> SourceMatterRequest | None:
        """Ask whether it matters where a word looked; None before all words are there."""
        lane = self.lane(self.main)
        return SourceMatterRequest(self.request(lane), word) if self.settled and self.words else None

    def tree_request(self, word: int) -> TreeRequest | None:
        """Ask for the tree of the model's own search; None before there is a sentence."""
        return TreeRequest(self.request(self.lane(self.main), OWN), word) if self.words else None

    def word_at(self, place: int) -> int:
        """The word of the text, in its own order, that stands at a place."""
        return int(self._order[place]) if self.moves(self.main) else place

    def take(self, sentence: str) -> None:
        """Begin anew with another sentence."""
        self.sentence = " ".join(sentence.split())
        if self.shuffling:
            self._reshuffle()
        self.begin_anew()
        self._drop(set(self.lanes()))

    def take_saved(self, trace: Trace) -> None:
        """Begin anew with a trace that was saved."""
        self.shuffling, asked = False, str(trace.request.get("attention"))
        self.take(trace.source.text or "")
        self.mode = asked if asked in self.modes else self.modes[0]
        self.edits.now = change_of(trace.request)
        self.finish(self.lane(self.mode), trace)

    def remember(self) -> None:
        """Put the sentence at the head of the recent ones."""
        if self.words:
            self.history = (self.sentence, *(old for old in self.history if old != self.sentence))[:HISTORY]

    def shuffle(self, on: bool) -> None:
        """Shuffle the source, each time into another order, or put it back."""
        self.shuffling = on
        if on:
            self._reshuffle()
            self._drop({lane_of(mode, moved=True) for mode in self.modes})

    def _reshuffle(self) -> None:
        """Another order, one in which some word stands elsewhere."""
        self.seed += 1
        while read_spanish(self.sentence).movable and (self._order == range(len(self.words))).all():
            self.seed += 1

    def _drop(self, lanes: set[str]) -> None:
        for lane in lanes:
            self.traces.pop(lane, None)
        self.done -= lanes
        self.failed -= lanes

    def seen(self) -> str:
        """What shuffling shows, measured on the maps of both runs; "" until both are whole."""
        mode = next((mode for mode in self.shown if self.moves(mode)), None)
        if mode is None or not {lane_of(mode), lane_of(mode, moved=True)} <= self.done:
            return ""
        plain, moved = self._asked(lane_of(mode)), self._asked(lane_of(mode, moved=True))
        assert plain is not None  # both are done
        assert moved is not None
        said = told(agreement(plain, moved, self._order))
        same = tr("The translation stayed the same.") if plain.words == moved.words else tr("The translation changed.")
        return f"{said} {same}" if said else ""
