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
from attnviewer.core.trace import Floats, Grid, Trace

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


def box_around(weights: Floats, share: float = 0.5) -> Box:
    """The smallest box around the cells [rows, columns] that hang together with the greatest one.

    Those count that have at least `share` of its weight, edge to edge.
    """
    rows, columns = weights.shape
    start = int(weights.argmax())
    found, edge = {start}, [start]
    while edge:
        row, column = divmod(edge.pop(), columns)
        for down, across in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            inside = 0 <= down < rows and 0 <= across < columns
            if inside and weights[down, across] >= share * weights.flat[start] and down * columns + across not in found:
                found.add(down * columns + across)
                edge.append(down * columns + across)
    downs, acrosses = zip(*(divmod(place, columns) for place in found), strict=True)
    return min(acrosses) / columns, min(downs) / rows, (max(acrosses) + 1) / columns, (max(downs) + 1) / rows


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
