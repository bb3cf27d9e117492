"""The state of the query panel without a widget: what is asked of what, how, and the answers of the queries."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from attnviewer.core.content import ContentTrace, best
from attnviewer.core.i18n import later
from attnviewer.core.images import Picture
from attnviewer.core.lines import Lines, split_words
from attnviewer.core.regions import place
from attnviewer.core.request import QueryRequest
from attnviewer.core.trace import Floats, Grid, Tokens

KINDS = (REGIONS := "regions", WORDS := "words", LINES := "lines")
LANES = (FIRST := "query-first", SECOND := "query-second")
KEY_NAMES = {
    "bow": later("Bag of words"),
    "tfidf": "TF-IDF",
    "words": later("Word vectors"),
    "words-raw": later("Word vectors, raw"),
    "sentence": later("Sentence"),
}
EXAMPLES = {REGIONS: "a person", WORDS: "animal", LINES: "something to play music with"}
MOST_SHOWN = 24
LONGEST = 120  # letters of an item
HISTORY = 30
SENTENCE = "The puppy chases a ball while the senator plays his guitar in the old church"
LINES_SAMPLE = (
    "The dog runs along the beach with a stick in its mouth.",
    "A puppy sleeps in the shade of the old oak.",
    "The orchestra tuned its violins before the concert.",
    "She picked up the guitar and sang until midnight.",
    "The senator spoke about the budget for two hours.",
    "The river rose after three days of rain.",
    "He sliced the bread and put the kettle on.",
    "The goalkeeper caught the ball with one hand.",
)


@dataclass(frozen=True)
class Row:
    """One item as it is shown.

    Parameters
    ----------
    item : its place in the source.
    values : its weight in each series (two queries, or several keys).
    weight, score, contribution, norm, scale : of the query in front.
    known : whether it has a vector.
    number : of its line, from 1, where it is one.
    """

    item: int
    label: str
    values: tuple[float, ...]
    weight: float
    score: float
    contribution: float
    norm: float
    scale: float
    known: bool = True
    number: int | None = None


@dataclass
class QueryState:
    """What is wanted and what came back.

    Parameters
    ----------
    texts : the query of each lane; an empty one isn't asked.
    front : the query whose map, formula and answer are shown where there are two.
    own : whether the user has typed a query; until then each kind of items has an example.
    saved : whether the answer came out of a file.
    numbers : of the lines, from 1.
    doing, failed : of each lane what is going on, and why there is no answer.
    keys : how words and lines become vectors; regions have keys of their own.
    temperature : None for what suits the items.
    scales : items that are stretched, by their place.
    """

    kind: str = REGIONS
    texts: dict[str, str] = field(default_factory=lambda: {FIRST: "", SECOND: ""})
    sentence: str = SENTENCE
    lines: tuple[str, ...] = LINES_SAMPLE
    numbers: tuple[int, ...] | None = None
    front: str = FIRST
    own: bool = False
    saved: bool = False
    doing: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=lambda: {WORDS: "words", LINES: "sentence"})
    score: str = "cosine"
    temperature: float | None = None
    hard: bool = False
    sort: bool = True
    scales: dict[int, float] = field(default_factory=dict)
    picture: Picture | None = None
    traces: dict[str, ContentTrace] = field(default_factory=dict)
    history: tuple[str, ...] = ()

    @property
    def answered(self) -> dict[str, ContentTrace]:
        """The answers of the queries that are asked, over the same items."""
        found = {lane: self.traces[lane] for lane in self.lanes if lane in self.traces}
        sizes = [len(trace.locations) for trace in found.values()]
        return {lane: trace for lane, trace in found.items() if len(trace.locations) == sizes[0]}

    @property
    def shown(self) -> str:
        """The query in front: the one chosen, or else the one there is."""
        return self.front if self.front in self.answered else next(iter(self.answered), FIRST)

    @property
    def trace(self) -> ContentTrace | None:
        """The answer to the query in front."""
        return self.answered.get(self.shown)

    @property
    def lanes(self) -> tuple[str, ...]:
        """The queries that are asked: those that say something."""
        return tuple(lane for lane in LANES if self.texts[lane].strip())

    def letter(self, lane: str) -> str:
        """The letter of a query: A or B."""
        return "AB"[LANES.index(lane)]

    def _given(self) -> tuple[str, Any]:
        """The items as an argument of a request; None where there is nothing to look at."""
        items: dict[str, tuple[str, Any]] = {
            REGIONS: ("picture", self.picture),
            WORDS: ("sentence", self.sentence if any(map(str.isalnum, self.sentence)) else None),
            LINES: ("lines", self.lines or None),
        }
        return items[self.kind]

    @property
    def has_items(self) -> bool:
        """Whether there is something to look at."""
        return self._given()[1] is not None

    def request(self, lane: str) -> QueryRequest | None:
        """What to ask of the engine, None where there is nothing to look at or nothing is asked."""
        name, given = self._given()
        if given is None or not self.texts[lane].strip():
            return None
        return QueryRequest(
            self.texts[lane], **{name: given}, keys=self.keys.get(self.kind), score=self.score,
            temperature=self.temperature, hard=self.hard, scales=self._scales(),
            numbers=self.numbers if self.kind == LINES else None,
        )  # fmt: skip

    def _scales(self) -> tuple[float, ...] | None:
        if not self.scales:
            return None
        return tuple(self.scales.get(item, 1.0) for item in range(self._count()))

    def _count(self) -> int:
        """How many items there are, whether or not they have been asked yet."""
        counted = {WORDS: lambda: len(split_words(self.sentence)), LINES: lambda: len(self.lines)}
        regions = len(self.trace.locations) if self.trace is not None else 0
        return counted.get(self.kind, lambda: regions)()

    def choose_kind(self, kind: str) -> None:
        """Ask other items; what was answered no longer holds."""
        self.kind = kind
        self.forget()

    def forget(self) -> None:
        """The items have changed: their scales and the answers go."""
        self.saved = False
        for known in (self.scales, self.traces, self.doing, self.failed):
            known.clear()

    def take_saved(self, trace: ContentTrace, picture: Picture | None) -> None:
        """Begin anew with an answer that was saved, and the choices that it was asked with."""
        asked, items = trace.request, trace.locations
        self.forget()
        self.kind, self.picture, self.own, self.front = _kind_of(trace), picture, True, FIRST
        self.texts = {FIRST: trace.words[0] if trace.steps else "", SECOND: ""}
        self.sentence = str(asked.get("sentence") or trace.source.text or "") if self.kind == WORDS else self.sentence
        if self.kind == LINES and isinstance(items, Tokens):
            self.lines, self.numbers = items.tokens, items.numbers
        if self.kind in self.keys and asked.get("keys"):
            self.keys[self.kind] = str(asked["keys"])
        self.score, self.temperature, self.hard = trace.score, asked.get("temperature"), trace.hard
        self.scales = {item: float(scale) for item, scale in enumerate(asked.get("scales") or ()) if scale != 1}
        self.traces[FIRST], self.saved = trace, True

    def take_lines(self, lines: Lines) -> None:
        """Ask other lines."""
        self.lines, self.numbers = lines.texts, lines.numbers

    def remember(self, text: str) -> None:
        """Put a finished query at the head of the history."""
        text = text.strip()
        if text:
            self.history = (text, *(old for old in self.history if old != text))[:HISTORY]

    @property
    def series(self) -> dict[str, Floats]:
        """The weights [L] of each series by its name: kinds of keys, or queries."""
        trace = self.trace
        if trace is None:
            return {}
        if len(trace.heads) > 1:
            return dict(zip((KEY_NAMES[head] for head in trace.heads), trace.weights[0], strict=True))
        return {f"{self.letter(lane)}: {one.words[0]}": one.weights[0, 0] for lane, one in self.answered.items()}

    def rows(self) -> list[Row]:
        """The items to show: those with the most weight in any series, best first or in the order of the source."""
        trace = self.trace
        if trace is None:
            return []
        weights = np.stack(list(self.series.values()))  # [series, L]
        chosen = best(weights.max(axis=0), MOST_SHOWN)
        return [self._row(trace, item) for item in (chosen if self.sort else sorted(chosen))]

    def row(self, item: int) -> Row | None:
        """Any item, also one that the list leaves out; None where there is none of that place."""
        trace = self.trace
        return self._row(trace, item) if trace is not None and 0 <= item < len(trace.locations) else None

    def _row(self, trace: ContentTrace, item: int) -> Row:
        lookup = trace.lookups[0]
        numbers = trace.locations.numbers if isinstance(trace.locations, Tokens) else None
        return Row(
            item, item_label(trace, item), tuple(float(weights[item]) for weights in self.series.values()),
            float(lookup.weights[item]), float(lookup.scores[item]), float(lookup.contributions[item]),
            float(lookup.key_norms[item]), self.scales.get(item, 1.0), item not in trace.unknown,
            None if numbers is None else numbers[item],
        )  # fmt: skip

    @property
    def hidden(self) -> int:
        """How many items are not shown."""
        return max(0, len(self.trace.locations) - MOST_SHOWN) if self.trace is not None else 0


def _kind_of(trace: ContentTrace) -> str:
    """What was asked: regions, words of a sentence, or lines."""
    if isinstance(trace.locations, Grid):
        return REGIONS
    return WORDS if trace.request.get("sentence") is not None else LINES


def item_label(trace: ContentTrace, item: int) -> str:
    """An item in words: where a region is, or the text itself, a long one from its best passage on."""
    where = trace.locations
    if isinstance(where, Grid):
        row, column = divmod(item, where.columns)
        return f"{place(where, item)} ({row}, {column})"
    start, _ = trace.passages[0].get(item, (0, 0)) if trace.passages else (0, 0)
    text = where.tokens[item]
    return f"…{text[start:]}"[:LONGEST] if start else text[:LONGEST]
