"""How far a place listens: self-attention weights by distance, beside the one step of a 3x3 convolution.

Distances are in cells, as a king walks: a 3x3 kernel reaches those at distance 1. Letters: n cells along a side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from attnviewer.core.explore.finding import Finding
from attnviewer.core.trace import Floats, frozen

REACH = 1  # cells that a 3x3 kernel reaches


@dataclass(frozen=True, eq=False)
class Listening(Finding):
    """The self-attention row of one place of a photo.

    Parameters
    ----------
    layer : of the encoder, from 0.
    heads : [H, n, n], each head's weights; each sums to 1.
    """

    task: ClassVar[str] = "field"
    model: str
    layer: int
    row: int
    column: int
    heads: Floats

    @property
    def weights(self) -> Floats:
        """The mean of the heads [n, n]."""
        return frozen(self.heads.mean(axis=0))

    @property
    def near(self) -> tuple[int, int, int, int]:
        """Left, top, right, bottom of the cells that a 3x3 convolution reaches, inside the grid."""
        left, top, right, bottom = (
            min(max(at, 0), len(self.weights))
            for at in (self.column - REACH, self.row - REACH, self.column + REACH + 1, self.row + REACH + 1)
        )
        return left, top, right, bottom

    @property
    def by_distance(self) -> tuple[float, ...]:
        """The share of the weights at each distance, from the place itself on."""
        return by_distance(self.weights, self.row, self.column)

    @property
    def by_head(self) -> tuple[tuple[float, ...], ...]:
        """The same for each head."""
        return tuple(by_distance(one, self.row, self.column) for one in self.heads)

    @property
    def even(self) -> tuple[float, ...]:
        """The same where all cells get equal weights."""
        return by_distance(np.full_like(self.weights, 1 / self.weights.size), self.row, self.column)

    @property
    def beyond(self) -> float:
        """The share of the weights that a 3x3 convolution can't reach in one step."""
        return 1 - sum(self.by_distance[: REACH + 1])


def distances(side: int, row: int, column: int) -> Floats:
    """Distance of each cell of a grid [n, n] from one of them."""
    down, across = (np.abs(np.arange(side) - at) for at in (row, column))
    return np.maximum(down[:, None], across[None, :])


def by_distance(weights: ArrayLike, row: int, column: int) -> tuple[float, ...]:
    """Sums of weights [n, n] at distance 0, 1, ... from a cell, as far as the grid goes from there."""
    found = np.asarray(weights, np.float64)
    away = distances(len(found), row, column)
    return tuple(map(float, np.bincount(away.ravel(), found.ravel())))
