"""Matrices as places in a colour table, and large maps made small without losing their peaks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from attnviewer.core.trace import Floats

LEVELS = 256
RISE = 0.5


def shades(values: Floats, signed: bool, high: float | None = None) -> NDArray[np.uint8]:
    """Places 0..255 in a colour table for each cell.

    Signed values have 0 in the middle; others rise with the square root of their share of `high`, so that one peak
    leaves the rest visible. What isn't finite counts as the least.
    """
    finite = np.where(np.isfinite(values), values, 0.0)
    top = high if high is not None else float(np.abs(finite).max(initial=0.0))
    share = np.clip(finite / top, -1 if signed else 0, 1) if top > 0 else np.zeros_like(finite)
    if signed:
        curve = np.sign(share) * np.abs(share) ** RISE
        return np.asarray(np.rint((curve + 1) / 2 * (LEVELS - 1)), dtype=np.uint8)
    return np.asarray(np.rint(share**RISE * (LEVELS - 1)), dtype=np.uint8)


def shrink(maps: Floats, most: int) -> Floats:
    """Maps [..., T, L] no larger than `most` a side: each new cell is the largest of those it covers."""
    for axis in (-2, -1):
        size = maps.shape[axis]
        if size > most:
            starts = np.arange(most) * size // most
            maps = np.maximum.reduceat(maps, starts, axis=axis)
    return maps
