"""Views of attention maps as plain maths: upsampling, colour range, entropy, distances, and where cells lie.

Letters: T words, H heads, L locations. A map is one distribution [L] over the locations.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnviewer.core import trace as ways
from attnviewer.core.heads import ALL, MAX, looking, shown_head
from attnviewer.core.i18n import later, tr
from attnviewer.core.regions import coverage
from attnviewer.core.trace import TOLERANCE, Floats, Grid, Step, Tokens, Trace, frozen

Rect = tuple[float, float, float, float]
Doubles = NDArray[np.float64]

COPIED, LOOKED_UP = later("copied from the source"), later("looked up in the glossary")
BY_RULE, KEPT = later("put together by rule"), later("kept as it was")
_FOUND = {ways.COPIED: COPIED, ways.LOOKED_UP: LOOKED_UP, ways.RULE: BY_RULE, ways.KEPT: KEPT}
ORIGIN = "origin"  # the head of maps that tell where words came from
FEW, OUTLYING = 4, 1.5  # a peak so many times the third quartile of so many words' peaks is an outlier
HARDLY_CHANGES = 0.05  # mean total variation between the maps of neighbouring words
NEARLY_UNIFORM = 0.97  # mean entropy as a share of the most there can be


@dataclass(frozen=True)
class Range:
    """The span of the colour table, 0..high, and the level that a uniform map would have everywhere.

    `peak` is the largest weight of all; where it lies above `high` it is painted as `high` is.
    """

    high: float
    uniform: float
    low: float = 0.0
    peak: float = field(default=0.0, compare=False)

    @property
    def clipped(self) -> bool:
        """Whether some weights lie above the span."""
        return self.peak > self.high


@dataclass(frozen=True)
class Facts:
    """Figures of one map: peak and its weight, entropy in bits and as a share 0..1, distance to the map before."""

    peak: int
    weight: float
    bits: float
    normalized_entropy: float
    moved: float | None
    gate: float | None
    sampled: int | None


def maps(trace: Trace, head: int | None = None) -> Floats:
    """The maps [T, L] of one head, or of the head that the trace shows; [0, L] where there is no attention."""
    rows = [step.weights for step in trace.steps if len(step.weights)]
    if not rows:
        return frozen(np.zeros((0, len(trace.locations))))
    stack = np.stack(rows)  # [T, H, L]
    return _of_head(trace, stack, head)


def word_map(trace: Trace, word: int, head: int | None = None) -> Floats | None:
    """The map [L] that chose the word, or None where that word had no attention."""
    weights = trace.steps[word].weights
    if not len(weights):
        return None
    return _of_head(trace, weights, head)


def _of_head(trace: Trace, weights: Floats, head: int | None) -> Floats:
    """One map [..., L] of weights [..., H, L]: of a head by its place, else as the trace shows: mean, maximum, one."""
    shown = shown_head(trace) if head is None else trace.heads[head]
    if shown == MAX:
        return frozen(weights.max(axis=-2))
    if shown in trace.heads:
        return frozen(weights[..., trace.heads.index(shown), :])
    return frozen(weights.mean(axis=-2, dtype=np.float64))


def has_origins(trace: Trace) -> bool:
    """Whether every word of a trace tells where it came from."""
    return bool(trace.steps) and all(step.origin is not None for step in trace.steps)


def shows_origins(trace: Trace) -> bool:
    """Whether the maps of a trace are those that `origins` put there."""
    return trace.heads == (ORIGIN,)


def found_by(trace: Trace, step: Step) -> str:
    """How an unknown word of a trace was found.

    Where it isn't told, a word that stands like that in the source was copied.
    """
    if step.found in _FOUND:
        return _FOUND[step.found]
    return COPIED if isinstance(trace.locations, Tokens) and step.word in trace.locations.tokens else LOOKED_UP


def origins(trace: Trace) -> Trace | None:
    """The trace with the maps that tell where its words came from in place of those that chose them; None without."""
    if not has_origins(trace):
        return None
    steps = tuple(
        replace(step, weights=step.origin[None], scores=None) for step in trace.steps if step.origin is not None
    )
    return replace(trace, heads=(ORIGIN,), steps=steps)


def upsample(weights: ArrayLike, rows: int, columns: int, height: int, width: int) -> Floats:
    """Draw a grid map [L] smoothly at [height, width], in the unit of the weights.

    Values lie at the centres of the cells and run straight between them; beyond the outer centres they stay level.
    So no mass moves, nothing is negative, and at a cell's centre the map's own value is seen.
    """
    grid = np.asarray(weights, dtype=np.float64).reshape(rows, columns)
    return frozen(_axis(rows, height) @ grid @ _axis(columns, width).T)


def cells(weights: ArrayLike, rows: int, columns: int) -> Floats:
    """The raw cells [rows, columns], the top row first."""
    return frozen(np.asarray(weights).reshape(rows, columns))


def _axis(cells: int, pixels: int) -> Doubles:
    """The share [pixels, cells] that each cell has in each pixel; rows sum to 1."""
    return _between(cells, pixels) if pixels >= cells else _over(cells, pixels)


def _between(cells: int, pixels: int) -> Doubles:
    place = np.clip((np.arange(pixels) + 0.5) * cells / pixels - 0.5, 0, cells - 1)
    return np.asarray(np.clip(1 - np.abs(place[:, None] - np.arange(cells)[None, :]), 0, 1))


def _over(cells: int, pixels: int) -> Doubles:
    """Where pixels are fewer than cells each takes the mean of what it covers."""
    edges = np.arange(pixels + 1) * cells / pixels
    low, high = edges[:-1, None], edges[1:, None]
    at = np.arange(cells)[None, :]
    overlap = np.clip(np.minimum(high, at + 1) - np.maximum(low, at), 0, None)
    return np.asarray(overlap / overlap.sum(axis=1, keepdims=True))


def colour_range(trace: Trace, word: int | None = None, head: int | None = None) -> Range:
    """One range over all words, or that of one `word`; 0..1 where there is nothing to show.

    Over many words it ends where most of their peaks do, so that one word which looks very hard, as the first often
    does, doesn't make all others invisible.
    """
    return _whole_range(trace, head) if word is None else _range(trace, word, head)


@lru_cache(maxsize=8)
def _whole_range(trace: Trace, head: int | None) -> Range:
    """The range over all words, which every thumbnail of a filmstrip asks for."""
    return _range(trace, None, head)


def _range(trace: Trace, word: int | None, head: int | None) -> Range:
    if head is None and shown_head(trace) == ALL:
        trace = looking(trace, MAX)  # one range for all that stand side by side
    shown = maps(trace, head) if word is None else word_map(trace, word, head)
    top = float(shown.max(initial=0)) if shown is not None else 0.0
    high = min(top, _usual_peak(shown)) if word is None and shown is not None else top
    return Range(high if high > 0 else 1.0, 1 / max(len(trace.locations), 1), peak=top)


def _usual_peak(shown: Floats) -> float:
    """The level that most maps [T, L] keep below; no bound where there are too few of them to tell."""
    if len(shown) < FEW:
        return math.inf
    return OUTLYING * float(np.quantile(shown.max(axis=1), 0.75))


def entropy(weights: ArrayLike) -> float:
    """Entropy of a map in bits: 0 for one certain location, log2 L for a uniform map.

    The maximum of several heads is no distribution; it is made one first.
    """
    p = np.asarray(weights, dtype=np.float64)
    p = p / p.sum() if p.sum() > 1 + 10 * TOLERANCE else p
    p = p[p > 0]
    return max(0.0, float(-(p * np.log2(p)).sum()))


def normalized_entropy(weights: ArrayLike) -> float:
    """Entropy as a share of the most there can be, 0..1; 0 for a single location."""
    length = np.asarray(weights).size
    return min(1.0, entropy(weights) / float(np.log2(length))) if length > 1 else 0.0


def distance(first: ArrayLike, second: ArrayLike) -> float:
    """Total variation between two maps: the share of the mass that has to move, 0..1."""
    return min(1.0, float(np.abs(np.asarray(first, np.float64) - np.asarray(second, np.float64)).sum() / 2))


def distances(trace: Trace, head: int | None = None) -> Doubles:
    """How far each map lies from the one before it [T - 1], 0..1."""
    shown = maps(trace, head).astype(np.float64)
    return np.asarray(np.abs(np.diff(shown, axis=0)).sum(axis=1) / 2).clip(0, 1)


def badge(trace: Trace, head: int | None = None) -> str | None:
    """A warning where the maps say little, or None; a picture of them would look better than they are."""
    shown = maps(trace, head)
    if len(trace.locations) < 2 or not len(shown):
        return None
    if np.mean([normalized_entropy(row) for row in shown]) >= NEARLY_UNIFORM:
        return tr("The maps are nearly uniform: the model looked everywhere alike.")
    if len(shown) > 2 and distances(trace, head).mean() <= HARDLY_CHANGES:
        return tr("The map hardly changes from word to word.")
    return None


def facts(trace: Trace, word: int, head: int | None = None) -> Facts | None:
    """The figures of one word's map, or None where it had no attention."""
    shown = word_map(trace, word, head)
    if shown is None or not shown.size:
        return None
    before = word_map(trace, word - 1, head) if word else None
    step, peak_at = trace.steps[word], peak(shown)
    return Facts(
        peak=peak_at,
        weight=float(shown[peak_at]),
        bits=entropy(shown),
        normalized_entropy=normalized_entropy(shown),
        moved=None if before is None else distance(before, shown),
        gate=step.gate,
        sampled=step.sampled,
    )


def peak(weights: ArrayLike) -> int:
    """The location with the most weight (the first of equals)."""
    return int(np.argmax(np.asarray(weights)))


def inside(weights: ArrayLike, boxes: ArrayLike, rows: int, columns: int) -> float:
    """Share of a map's mass within the union of `boxes` [N, 4] (fractions of the grid's extent), 0..1."""
    p = np.asarray(weights, dtype=np.float64).ravel()
    return float(np.clip(p @ coverage(boxes, rows, columns), 0, 1))


def cell_rect(grid: Grid, location: int) -> Rect:
    """A cell's (left, top, right, bottom) in pixels of the upright source."""
    row, column = divmod(location, grid.columns)
    left, top, right, bottom = grid.extent
    wide, high = (right - left) / grid.columns, (bottom - top) / grid.rows
    return left + column * wide, top + row * high, left + (column + 1) * wide, top + (row + 1) * high


def cell_at(grid: Grid, x: float, y: float) -> int | None:
    """The location under a point of the upright source, or None outside the extent."""
    left, top, right, bottom = grid.extent
    if not (left <= x < right and top <= y < bottom):
        return None
    column = min(int((x - left) / (right - left) * grid.columns), grid.columns - 1)
    return min(int((y - top) / (bottom - top) * grid.rows), grid.rows - 1) * grid.columns + column


def looked(trace: Trace, location: int, head: int | None = None) -> Floats:
    """What each word [T] gave to one location: the filmstrip's answer to hovering."""
    shown: NDArray[Any] = maps(trace, head)
    return frozen(shown[:, location])
