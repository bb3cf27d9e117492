"""How a weight becomes a colour, in the window and in every figure."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from attnviewer.core.images import Pixels
from attnviewer.core.lens import upsample
from attnviewer.core.trace import Floats, frozen

CURVE = 0.5  # the power of a weight's share of the range that gives its strength
FADED, DIMMED = 0.6, 0.45  # how much of a grey photo's contrast, of a dim one's light is left
DARK = 0.92  # how much of the light goes where a spotlight doesn't fall
TINY = 1e-9
HEADROOM = 4.0  # a uniform map stays in the lowest quarter of the colours, so that it doesn't look like a peak


def ceiling(high: float, uniform: float) -> float:
    """The weight that gets the strongest colour: the largest shown, but never so small that a uniform map looks sharp.

    Parameters
    ----------
    high : the largest weight shown.
    uniform : the weight that a map has everywhere which looks everywhere alike.
    """
    return max(high, min(HEADROOM * uniform, 1.0))  # no weight is above 1


def strength(weights: ArrayLike, high: float) -> Floats:
    """How strongly each weight is painted, 0..1: rising fast at first, so that one sharp peak leaves the rest visible.

    Parameters
    ----------
    high : the weight that is painted strongest; those above it are painted alike.
    """
    share = np.clip(np.asarray(weights, np.float64) / max(high, TINY), 0, 1)
    return frozen(share**CURVE)


def shade(weights: ArrayLike, rows: int, columns: int, height: int, width: int, high: float) -> Floats:
    """A map [L] as strengths [height, width] that run smoothly between the middles of the cells.

    The curve is put on the cells and not on what is drawn between them: else there would be edges where hardly any
    attention is.
    """
    return upsample(strength(weights, high), rows, columns, height, width)


def ground(pixels: Pixels, kind: str) -> Pixels:
    """The photo as it lies below a map: `kind` is one of `GROUNDS`; "colour" and "spotlight" leave it as it is."""
    return _GROUND[kind](pixels)


def _grey(pixels: Pixels) -> Pixels:
    """Grey and mixed with white, so that low weights are seen on dark places too."""
    mixed = pixels @ np.array([77, 150, 29], np.uint16)  # 256 times the grey level
    faded = (255 + FADED * (np.arange(256) - 255)).round().astype(np.uint8)
    return np.asarray(faded[mixed >> 8][..., None].repeat(3, axis=2))


def _dim(pixels: Pixels) -> Pixels:
    return np.asarray((np.arange(256) * DIMMED).round().astype(np.uint8)[pixels])


_GROUND: dict[str, Callable[[Pixels], Pixels]] = {
    "grey": _grey,
    "dim": _dim,
    "colour": lambda pixels: pixels,
    "spotlight": lambda pixels: pixels,
}
GROUNDS = tuple(_GROUND)
