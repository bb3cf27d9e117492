"""Where tokens stand, as vectors: sinusoidal ones by their formula, and what two places have in common.

Letters: T places, D size of a vector, R rows and C columns of a grid.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from attnviewer.core.trace import Floats
from attnviewer.core.transformer.stages import softmax

BASE = 10_000.0
SHARPNESS = 16.0  # what a learnt query may do to its scores
EQUAL = 1e-5  # vectors that differ by less are the same but for rounding


def sinusoidal(length: int, size: int) -> Floats:
    """Position vectors [T, D] of Vaswani et al. 2017: sines in the first half, cosines in the second."""
    angles = np.arange(length)[:, None] * rates(size)
    return np.concatenate((np.sin(angles), np.cos(angles)), axis=1).astype(np.float32)


def rates(size: int) -> NDArray[np.float64]:
    """By how much the angle of each pair of numbers grows from one place to the next: [D / 2], from 1 downwards."""
    return np.asarray(np.exp(np.arange(0, size, 2) * (-np.log(BASE) / size)))


def sinusoidal_2d(rows: int, columns: int, size: int) -> Floats:
    """Position vectors [R * C, D] of a grid, row by row: the row in one half, the column in the other."""
    down = np.repeat(sinusoidal(rows, size // 2), columns, axis=0)
    across = np.tile(sinusoidal(columns, size // 2), (rows, 1))
    return np.concatenate((down, across), axis=1)


def moved(vectors: Floats, by: int) -> Floats:
    """Sinusoidal vectors [T, D] turned to those of the places `by` further on; a matrix that is the same everywhere."""
    half = vectors.shape[1] // 2
    turn = by * rates(vectors.shape[1])
    sines, cosines = vectors[:, :half], vectors[:, half:]
    told = (sines * np.cos(turn) + cosines * np.sin(turn), cosines * np.cos(turn) - sines * np.sin(turn))
    return np.concatenate(told, axis=1).astype(np.float32)


def looks_aside(vectors: Floats, by: int) -> Floats:
    """Weights [T, T] of a head whose queries ask for the place `by` further on, and for nothing else."""
    scores = moved(vectors, by) @ vectors.T / np.float32(vectors.shape[1] ** 0.5)
    return softmax(np.float32(SHARPNESS) * scores)


def alike(vectors: Floats, dot: bool = False) -> Floats:
    """What each two places have in common [T, T]: cosines, or inner products."""
    if dot:
        return np.asarray(vectors @ vectors.T, dtype=np.float32)
    lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return np.asarray((vectors / lengths) @ (vectors / lengths).T, dtype=np.float32)


def put_back(vectors: Floats, order: NDArray[np.int64]) -> Floats:
    """Vectors [T, D] of tokens that were read in an order, in their own places: row order[i] is what stands at i."""
    found = np.empty_like(vectors)
    found[order] = vectors
    return found


def apart(one: Floats, other: Floats) -> Floats:
    """The largest difference [T] between the numbers of each token's vectors [T, D]."""
    return np.asarray(np.abs(one - other).max(axis=1), dtype=np.float32)


def shuffled_order(count: int, seed: int) -> NDArray[np.int64]:
    """An order of `count` tokens in which those inside are moved; the first and the last stay. It isn't the old one."""
    inner = np.arange(1, count - 1)
    rng = np.random.default_rng(seed)
    found = rng.permutation(inner)
    if len(inner) > 1 and (found == inner).all():
        found = np.roll(inner, 1)
    return np.concatenate(([0], found, [count - 1]))
