"""What a decoder saw of words that weren't said yet, and what of that mattered.

Letters: N layers, H heads a layer, T words.
"""

from __future__ import annotations

import numpy as np

from attnviewer.core.ablation import Pair as Cell
from attnviewer.core.trace import Floats

MEAN = -1  # all heads of a layer together


def one_map(maps: Floats, layer: int, head: int) -> Floats:
    """The map [T, L] of one head in `maps` [N, H, T, L], or the mean of its layer's."""
    layer = min(layer, len(maps) - 1)
    return np.asarray(maps[layer].mean(axis=0) if head == MEAN else maps[layer, min(head, maps.shape[1] - 1)])


def share_ahead(maps: Floats) -> float:
    """The share of all attention [N, H, T, T] that lies on words behind the one that looks."""
    return float(np.triu(maps, 1).sum(axis=-1).mean())


def moved_before(chances: Floats, other: Floats) -> float:
    """How much the probabilities [T] of all words but the last moved when the last word read was another one."""
    apart = np.abs(chances[:-1] - other[:-1])
    return float(np.nanmax(apart)) if len(apart) and not np.isnan(apart).all() else 0.0


def turned(cells: tuple[Cell, ...], cell: Cell, hide: bool) -> tuple[Cell, ...]:
    """Hidden cells with one more, or one less."""
    return tuple(sorted(set(cells) | {cell})) if hide else tuple(one for one in cells if one != cell)


def sees_something(cells: tuple[Cell, ...], row: int, count: int) -> bool:
    """Whether a word of a row of `count` cells that it could see is left one of them."""
    return sum(at == row and place < count for at, place in cells) < count
