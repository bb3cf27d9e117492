"""A box over a photo, and how much of each word's attention lies in it. The box stays with the trace, as all that was
asked does, so that figures and tables tell of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from attnviewer.core.covers import Box, Cover
from attnviewer.core.errors import UserError
from attnviewer.core.lens import inside, word_map
from attnviewer.core.regions import union_area
from attnviewer.core.trace import Grid, Trace

BOX = "box"


def boxed(trace: Trace, box: Box | None) -> Trace:
    """The trace with a box (left, top, right, bottom as shares of the photo); without one as it is."""
    return trace if box is None else replace(trace, request={**trace.request, BOX: list(map(float, box))})


def box_of(trace: Trace) -> Box | None:
    """The box of a trace; None where it has none, or what stands there is none."""
    try:
        return Cover(tuple(trace.request.get(BOX) or ())).box
    except UserError:
        return None


def shares(trace: Trace, box: Box) -> list[float | None]:
    """How much of each word's attention lies in a box [T]: 0 to 1, None for a word without a map.

    A cell that the box cuts counts by what it covers; the maximum of several heads is made a distribution first.
    """
    grid = trace.locations
    if not isinstance(grid, Grid):
        return [None] * len(trace.steps)
    found: list[float | None] = []
    for word in range(len(trace.steps)):
        weights = word_map(trace, word)
        found.append(None if weights is None else inside(weights / weights.sum(), [box], grid.rows, grid.columns))
    return found


def area(box: Box) -> float:
    """The share of the photo that a box covers: what a map that looks everywhere alike gives it."""
    return union_area([box])


def told(trace: Trace) -> dict[str, Any]:
    """What the box of a trace says, as plain data; nothing without one."""
    box = box_of(trace)
    if box is None:
        return {}
    return {"box": list(box), "area": area(box), "inside": rounded(shares(trace, box))}


def rounded(values: Sequence[float | None]) -> list[float | None]:
    """Shares as they are written: six digits."""
    return [None if value is None else round(value, 6) for value in values]
