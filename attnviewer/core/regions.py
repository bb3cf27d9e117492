"""Boxes on a grid of locations: how much of each cell the union of some boxes covers, and where a cell's centre lies.

Boxes are rows (left, top, right, bottom) in fractions of the picture; locations are row-major (row * columns + column).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnviewer.core.i18n import later, tr
from attnviewer.core.trace import Grid

Boxes = NDArray[np.float64]
PLACES = (
    (later("top left"), later("top centre"), later("top right")),
    (later("middle left"), later("middle"), later("middle right")),
    (later("bottom left"), later("bottom centre"), later("bottom right")),
)


def as_boxes(boxes: ArrayLike) -> Boxes:
    """Boxes as float64 [N, 4], clipped to the picture; raises `ValueError` for another shape or values not finite."""
    array = np.asarray(boxes, dtype=np.float64)
    if array.size == 0:
        return np.zeros((0, 4))
    if array.ndim == 1:
        array = array[None]
    if array.ndim != 2 or array.shape[1] != 4 or not np.isfinite(array).all():
        raise ValueError(f"boxes must be finite and of shape [N, 4], not {array.shape}")
    return array.clip(0.0, 1.0)


def _edges(cells: int, low: NDArray[Any], high: NDArray[Any]) -> Boxes:
    return np.unique(np.concatenate([np.arange(cells + 1) / cells, low, high]))


def _inside(low: NDArray[Any], high: NDArray[Any], edges: Boxes) -> NDArray[np.bool_]:
    middle = (edges[:-1] + edges[1:]) / 2
    return (low[:, None] < middle) & (middle < high[:, None])


def coverage(boxes: ArrayLike, rows: int, columns: int) -> NDArray[np.float32]:
    """Share of each cell that the union of the boxes covers.

    The picture is cut along every edge of a cell or box, so that each piece lies wholly inside or outside: exact for
    any overlap.

    Parameters
    ----------
    boxes : [N, 4], fractions of the picture; N may be 0.
    rows, columns : the grid.

    Returns
    -------
    float32 [rows * columns], each in 0..1.
    """
    left, top, right, bottom = as_boxes(boxes).T
    x, y = _edges(columns, left, right), _edges(rows, top, bottom)
    covered = (_inside(top, bottom, y)[:, :, None] & _inside(left, right, x)[:, None, :]).any(axis=0)
    area = covered * np.diff(y)[:, None] * np.diff(x)[None, :]
    row = np.minimum((y[:-1] + y[1:]) / 2 * rows, rows - 0.5).astype(int)
    column = np.minimum((x[:-1] + x[1:]) / 2 * columns, columns - 0.5).astype(int)
    cells = np.zeros((rows, columns))
    np.add.at(cells, (row[:, None], column[None, :]), area)
    return (cells * rows * columns).clip(0.0, 1.0).astype(np.float32).ravel()


def union_area(boxes: ArrayLike) -> float:
    """Share of the picture that the union of the boxes covers."""
    return float(coverage(boxes, 1, 1)[0])


def cell_centre(location: int, rows: int, columns: int) -> tuple[float, float]:
    """Centre (x, y) of a cell, in fractions of the picture."""
    row, column = divmod(location, columns)
    return (column + 0.5) / columns, (row + 0.5) / rows


def holds(boxes: ArrayLike, x: float, y: float) -> bool:
    """Whether the point (x, y) lies in one of the boxes, edges included."""
    left, top, right, bottom = as_boxes(boxes).T
    return bool(((left <= x) & (x <= right) & (top <= y) & (y <= bottom)).any())


def place(grid: Grid, location: int) -> str:
    """A location in words, such as "top left"."""
    at, along = divmod(location, grid.columns)
    return tr(PLACES[at * 3 // grid.rows][along * 3 // grid.columns])
