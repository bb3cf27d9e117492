"""A soft brush over a grid of locations: what a stroke covers, and the map that comes of it.

Points are (x, y) as shares of the photo, 0 to 1. L locations, row-major.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

EDGE = 2.5  # standard deviations from the middle, beyond which the brush leaves nothing
Point = tuple[float, float]
Doubles = NDArray[np.float64]


def stroke(points: Sequence[Point], size: float, rows: int, columns: int, shape: float = 1.0) -> Doubles:
    """How much of the brush each location got [L], 0 to 1; never nothing at all.

    Parameters
    ----------
    points : where the brush went, in order; it goes straight between them.
    size : radius of the brush as a share of the photo's width.
    shape : width of the photo over its height, so that the brush is round.
    """
    path = _along(points, size / 2)
    across = (np.arange(columns) + 0.5)[None, :] / columns - path[:, 0, None]  # [N, columns]
    down = ((np.arange(rows) + 0.5)[None, :] / rows - path[:, 1, None]) / shape  # [N, rows]
    far = (down[:, :, None] ** 2 + across[:, None, :] ** 2).min(axis=0).ravel() / size**2 * EDGE**2
    left = np.where(far <= EDGE**2, np.exp(-far / 2), 0.0)
    if not left.any():  # a brush smaller than a cell, between the middles of the cells
        left[int(far.argmin())] = 1.0
    return np.asarray(left)


def _along(points: Sequence[Point], step: float) -> Doubles:
    """The points, and more between them so that none lie further apart than a step."""
    given = np.asarray(points, np.float64).reshape(-1, 2)
    parts = [given[:1]]
    for start, end in pairwise(given):
        count = max(1, int(np.ceil(np.abs(end - start).max() / step)))
        parts.append(start + (end - start) * np.linspace(0, 1, count + 1)[1:, None])
    return np.concatenate(parts)


def painted(own: ArrayLike, left: ArrayLike, strength: float) -> Doubles:
    """The map [L] in which a share `strength` of the attention lies where the brush went, the rest where it was."""
    brush, base = np.asarray(left, np.float64), np.asarray(own, np.float64)
    mixed = (1 - strength) * base / base.sum() + strength * brush / brush.sum()
    return np.asarray(mixed / mixed.sum())


def one_cell(location: int, length: int) -> Doubles:
    """The map [L] that looks at one location alone."""
    found = np.zeros(length)
    found[location] = 1.0
    return found
