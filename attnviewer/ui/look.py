"""How maps are shown: smooth or in cells, how strong, over which range, in which colours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray

from attnviewer.core import lens
from attnviewer.core.colour import ceiling
from attnviewer.core.trace import Floats, Grid, Trace

FINE = 320  # pixels along the longer side of an overlay
LEVELS = 256
RISE = 0.5  # the power of a weight's share of the range that gives its colour and opacity


@dataclass(frozen=True)
class Look:
    """Smooth or raw cells, opacity 0..1, one colour range for all words or one a word, the colour table.

    `ceiling` is what the common range reaches at least, where several captions share it; `under` shows the map below
    the place that hard attention took.
    """

    smooth: bool = True
    opacity: float = 0.85
    per_word: bool = False
    table: str = "inferno"
    ceiling: float = 0.0
    under: bool = True


@lru_cache(maxsize=8)
def colours(name: str) -> NDArray[np.uint8]:
    """A perceptually uniform table [256, 3]."""
    return np.asarray(pg.colormap.get(name).getLookupTable(nPts=LEVELS), dtype=np.uint8)[:, :3]


@lru_cache(maxsize=64)
def table(look: Look) -> NDArray[np.uint8]:
    """The colour table [256, 4]: colour and opacity rise fast at first, so that one sharp peak leaves the rest visible.

    The legend is painted from this table, so it shows the same curve.
    """
    strength = np.linspace(0, 1, LEVELS) ** RISE
    alpha = (look.opacity * 255 * strength).round().astype(np.uint8)
    return np.column_stack([colours(look.table)[(strength * (LEVELS - 1)).round().astype(int)], alpha])


def word_map(trace: Trace | None, word: int) -> Floats | None:
    """The map [L] of a word on a grid; None where there is none."""
    if trace is None or not isinstance(trace.locations, Grid) or not 0 <= word < len(trace.steps):
        return None
    return lens.word_map(trace, word)


def levels(trace: Trace, word: int, look: Look) -> tuple[float, float]:
    """The ends of the colour range: never so narrow that a uniform map looks like a peak."""
    span = lens.colour_range(trace, word if look.per_word else None)
    return span.low, max(ceiling(span.high, span.uniform), 0.0 if look.per_word else look.ceiling)


def field(values: Floats, grid: Grid, look: Look) -> Floats:
    """The map as an image: upsampled smoothly, or each cell as a flat square."""
    scale = max(1, FINE // max(grid.rows, grid.columns))
    if look.smooth:
        return lens.upsample(values, grid.rows, grid.columns, grid.rows * scale, grid.columns * scale)
    return np.kron(lens.cells(values, grid.rows, grid.columns), np.ones((scale, scale), np.float32))
