"""A layer unrolled: what attention and the feed-forward network add to each token's vector, in length and direction.

Letters: N layers, T tokens, D size of a vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attnviewer.core.attend import Inside
from attnviewer.core.i18n import later
from attnviewer.core.trace import Floats


@dataclass(frozen=True)
class Part:
    """One part of a layer at one token.

    Parameters
    ----------
    name : in, + attention, sum, + feed-forward, or out.
    length : Euclidean length of its vector.
    agrees : cosine with the vector that came in, -1..1.
    """

    name: str
    length: float
    agrees: float


PARTS = (later("in"), later("+ attention"), later("sum"), later("+ feed-forward"), later("out"))


def parts(inside: Inside, layer: int, token: int) -> tuple[Part, ...]:
    """The parts of one layer at one token, in the order in which they come."""
    came = inside.hidden[layer, token]
    vectors = (
        came, inside.attended[layer, token], inside.middle[layer, token], inside.fed[layer, token],
        inside.hidden[layer + 1, token],
    )  # fmt: skip
    return tuple(
        Part(name, float(np.linalg.norm(vector)), cosine(vector, came))
        for name, vector in zip(PARTS, vectors, strict=True)
    )


def cosine(one: Floats, other: Floats) -> float:
    """Cosine of two vectors; 0 where one has no length."""
    norms = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / norms if norms else 0.0


def kept(inside: Inside) -> Floats:
    """How much of each token's own first vector is left behind each layer: cosines [N + 1, T]."""
    first = inside.hidden[0]
    norms = np.linalg.norm(inside.hidden, axis=-1) * np.linalg.norm(first, axis=-1)
    return np.asarray((inside.hidden * first).sum(axis=-1) / np.maximum(norms, 1e-9), dtype=np.float32)


def shares(inside: Inside) -> Floats:
    """The length that attention adds, and that the feed-forward network adds, over the length of what they are added
    to: means over tokens [N, 2].
    """
    before = np.linalg.norm(inside.hidden[:-1], axis=-1)
    middle = np.linalg.norm(inside.middle, axis=-1)
    attention = np.linalg.norm(inside.attended, axis=-1) / np.maximum(before, 1e-9)
    feeding = np.linalg.norm(inside.fed, axis=-1) / np.maximum(middle, 1e-9)
    return np.asarray(np.stack((attention.mean(axis=1), feeding.mean(axis=1)), axis=1), dtype=np.float32)


def likeness(vectors: Floats) -> Floats:
    """Cosines [T, T] of vectors [T, D] with each other."""
    lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return np.asarray((vectors / lengths) @ (vectors / lengths).T, dtype=np.float32)


def by_distance(alike: Floats) -> Floats:
    """The mean likeness [T] of two places that are 0, 1, 2 ... apart, from likenesses [T, T]."""
    return np.asarray([np.diagonal(alike, apart).mean() for apart in range(len(alike))], dtype=np.float32)


def matched(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """Places (in one, in other) of the tokens that both texts have and that are words, the first of each."""
    return [
        (one.index(token), other.index(token)) for token in dict.fromkeys(one) if token.isalpha() and token in other
    ]
