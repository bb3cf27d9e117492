"""The state of the query panel without a widget: what is asked of what, how, and the answers of the queries."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from attnviewer.core.content import ContentTrace, best
from attnviewer.core.images import Picture
from attnviewer.core.lines import split_words
from attnviewer.core.regions import place
from attnviewer.core.request import QueryRequest
from attnviewer.core.trace import Floats, Grid

KINDS = (REGIONS := "regions", WORDS := "words", LINES := "lines")
LANES = (FIRST := "query-first", SECOND := "query-second")
KEY_NAMES = {
    "bow": "Bag of words",
    "tfidf": "TF-IDF",
    "words": "Word vectors",
    "words-raw": "Word vectors, raw",
    "sentence": "Sentence",
}
MOST_SHOWN = 24
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
    score, contribution, norm, scale : of the first series.
    known : whether it has a vector.
    """

    item: int
    label: str
    values: tuple[float, ...]
    score: float
    contribution: float
    norm: float
    scale: float
    known: bool = True


@dataclass
class QueryState:
    """What is wanted and what came back.

    Parameters
    ----------
    texts : the query of each lane; an empty second one is no comparison.
    keys : how words and lines become vectors; regions have keys of their own.
    temperature : None for what suits the items.
    scales : items that are stretched, by their place.
    """

    kind: str = REGIONS
    texts: dict[str, str] = field(default_factory=lambda: {FIRST: "", SECOND: ""})
    sentence: str = SENTENCE
    lines: tuple[str, ...] = LINES_SAMPLE
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
    def trace(self) -> ContentTrace | None:
        """The answer to the first query."""
        return self.traces.get(FIRST)

    @property
    def lanes(self) -> tuple[str, ...]:
        """The queries that are asked: the first always, the second where it says something."""
        return LANES if self.texts[SECOND].strip() else (FIRST,)

    def request(self, lane: str) -> QueryRequest | None:
        """What to ask of the engine, None where there is nothing to look at."""
        items: dict[str, tuple[str, Any]] = {
            REGIONS: ("picture", self.picture),
            WORDS: ("sentence", self.sentence if any(map(str.isalnum, self.sentence)) else None),
            LINES: ("lines", self.lines or None),
        }
        name, given = items[self.kind]
        if given is None or not self.texts[lane].strip():
            return None
        return QueryRequest(
            self.texts[lane], **{name: given}, keys=self.keys.get(self.kind), score=self.score,
            temperature=self.temperature, hard=self.hard, scales=self._scales(),
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
        self.scales.clear()
        self.traces.clear()

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
        other = self.traces.get(SECOND) if len(self.lanes) > 1 else None
        shown = [trace, *([other] if other is not None and len(other.locations) == len(trace.locations) else [])]
        return {f"{'AB'[row]}: {one.words[0] or '(empty)'}": one.weights[0, 0] for row, one in enumerate(shown)}

    def rows(self) -> list[Row]:
        """The items to show: those with the most weight in any series, best first or in the order of the source."""
        trace = self.trace
        if trace is None:
            return []
        weights = np.stack(list(self.series.values()))  # [series, L]
        chosen = best(weights.max(axis=0), MOST_SHOWN)
        lookup = trace.lookups[0]
        return [
            Row(
                item, item_label(trace, item), tuple(map(float, weights[:, item])), float(lookup.scores[item]),
                float(lookup.contributions[item]), float(lookup.key_norms[item]), self.scales.get(item, 1.0),
                item not in trace.unknown,
            )
            for item in (chosen if self.sort else sorted(chosen))
        ]  # fmt: skip

    @property
    def hidden(self) -> int:
        """How many items are not shown."""
        return max(0, len(self.trace.locations) - MOST_SHOWN) if self.trace is not None else 0


def item_label(trace: ContentTrace, item: int) -> str:
    """An item in words: where a region is, or the text itself."""
    where = trace.locations
    if not isinstance(where, Grid):
        return where.tokens[item]
    row, column = divmod(item, where.columns)
    return f"{place(where, item)} ({row + 1}, {column + 1})"


def brief(text: str, most: int = 48) -> str:
    """A text cut to a length."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def formula(trace: ContentTrace, row: Row) -> tuple[str, ...]:
    """The formula with the live numbers of one item, a line a step."""
    lookup = trace.lookups[0]
    q, k, s, t = lookup.query_norm, row.norm, row.score, trace.temperature
    cosine = {"dot": s, "scaled": s * lookup.size**0.5}.get(trace.score, s * q * k) / (q * k) if q * k else 0.0
    scores = {
        "dot": f"s = q·k = |q| |k| cos = {q:.3g} × {k:.3g} × {cosine:.3f} = {s:.4g}",
        "scaled": f"s = q·k / √D = {q:.3g} × {k:.3g} × {cosine:.3f} / √{lookup.size} = {s:.4g}",
        "cosine": f"s = q·k / (|q| |k|) = {s:.4f}",
    }
    soft = f"p = exp(s / T − log Σ) = exp({s:.4g} / {t:.3g} − {lookup.total:.4g}) = {row.values[0]:.4f}"
    hard = f"p = 1 for the greatest score, else 0: here {row.values[0]:.0f}"
    size = row.contribution / row.values[0] if row.values[0] else 0.0
    added = f"|p v| = {row.values[0]:.4f} × {size:.3g} = {row.contribution:.4g}"
    return scores[trace.score], hard if trace.hard else soft, added


def answer(trace: ContentTrace) -> str:
    """What z means: the items whose values lie nearest to it."""
    names = [brief(item_label(trace, item)) for item in trace.lookups[0].nearest[:3]]
    return f"z = Σ p v lies nearest to: {' · '.join(names)}" if names else "z = Σ p v is zero: nothing is added up."


def presence(trace: ContentTrace) -> str:
    """Whether what was asked for is there at all, in words with the probability."""
    if trace.presence is None:
        return ""
    words = ((0.3, "Probably not there"), (0.6, "Hard to say whether it is there"), (2.0, "Probably there"))
    return f"{next(text for top, text in words if trace.presence < top)}: {trace.presence:.0%}."
