"""How a weight becomes a colour, in the window and in every figure."""

from __future__ import annotations

HEADROOM = 4.0  # a uniform map stays in the lowest quarter of the colours, so that it doesn't look like a peak


def ceiling(high: float, uniform: float) -> float:
    """The weight that gets the strongest colour: the largest shown, but never so small that a uniform map looks sharp.

    Parameters
    ----------
    high : the largest weight shown.
    uniform : the weight that a map has everywhere which looks everywhere alike.
    """
    return max(high, min(HEADROOM * uniform, 1.0))  # no weight is above 1
