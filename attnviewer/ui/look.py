"""How maps are shown: smooth or in cells, how strong, over which range, in which colours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pyqtgraph as pg
from numpy.typing import ArrayLike, NDArray

from attnviewer.core import lens
from attnviewer.core.colour import DARK, TINY, ceiling, shade, strength
from attnviewer.core.trace import Floats, Grid, Trace

FINE = 560  # pixels along the longer side of an overlay
LEVELS = 2048  # entries of the colour table: so many that no step between two of them shows
MIDDLING = 127.5
Paint = NDArray[np.uint8]


@dataclass(frozen=True)
class Look:
    """Smooth or raw cells, opacity 0..1, one colour range for all words or one a word, the colour table.

    `ceiling` is what the common range reaches at least, where several captions share it; `under` shows the map below
    the place that hard attention took. `ground` is how the photo lies below the map, one of `colour.GROUNDS`; with
    "spotlight" the map is the light on it.
    """

    smooth: bool = True
    opacity: float = 0.85
    per_word: bool = False
    table: str = "inferno"
    ceiling: float = 0.0
    under: bool = True
    ground: str = "grey"


@lru_cache(maxsize=8)
def colours(name: str) -> NDArray[np.float64]:
    """A perceptually uniform table [LEVELS, 3], 0..255."""
    places = np.linspace(0, 1, LEVELS)
    return np.asarray(255 * pg.colormap.get(name).map(places, mode=pg.ColorMap.FLOAT)[:, :3], np.float64)


@lru_cache(maxsize=64)
def table(look: Look) -> Paint:
    """What is laid over the photo for strengths from 0 to 1: colours and opacity [LEVELS, 4].

    The legend is painted from this table, so it shows the same. Where an opacity had to be rounded, the colour makes up
    for it, as over a middling ground.
    """
    strengths = np.linspace(0, 1, LEVELS)
    if look.ground == "spotlight":
        return np.column_stack([np.zeros((LEVELS, 3), np.uint8), _as_bytes(255 * DARK * (1 - strengths))])
    opacity = look.opacity * strengths
    rounded = _as_bytes(255 * opacity)
    taken = np.maximum(rounded / 255, TINY)[:, None]
    wanted = MIDDLING * (taken - opacity[:, None]) + opacity[:, None] * colours(look.table)
    return np.column_stack([_as_bytes(wanted / taken), rounded])


def _as_bytes(values: NDArray[np.float64]) -> Paint:
    return np.clip(values, 0, 255).round().astype(np.uint8)


def tinted(strengths: ArrayLike, look: Look) -> Paint:
    """What is laid over the photo for each strength [...]: RGBA [..., 4]."""
    places = np.asarray(strengths) * (LEVELS - 1)
    return table(look)[places.round().astype(np.intp)]


def word_map(trace: Trace | None, word: int) -> Floats | None:
    """The map [L] of a word on a grid; None where there is none."""
    if trace is None or not isinstance(trace.locations, Grid) or not 0 <= word < len(trace.steps):
        return None
    return lens.word_map(trace, word)


def levels(trace: Trace, word: int, look: Look) -> tuple[float, float]:
    """The ends of the colour range: never so narrow that a uniform map looks like a peak."""
    span = lens.colour_range(trace, word if look.per_word else None)
    return span.low, max(ceiling(span.high, span.uniform), 0.0 if look.per_word else look.ceiling)


def field(values: Floats, grid: Grid, look: Look, top: float) -> Floats:
    """The map as strengths 0..1: drawn smoothly, or each cell as a flat square."""
    scale = max(1, FINE // max(grid.rows, grid.columns))
    if look.smooth:
        return shade(values, grid.rows, grid.columns, grid.rows * scale, grid.columns * scale, top)
    return np.kron(lens.cells(strength(values, top), grid.rows, grid.columns), np.ones((scale, scale), np.float32))
