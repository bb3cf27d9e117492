"""What heads of self-attention and cross-attention tend to look at, from their maps over many sentences.

Letters: H heads, T words that look, L words that are looked at.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from attnviewer.core.habits import MIXED, Habit
from attnviewer.core.trace import Floats
from attnviewer.data.pairs import Links

Masks = dict[str, NDArray[np.bool_]]  # [T, L] by habit: which places count
CLEAR = 0.25  # what a habit's share must be above that of even weights


def self_masks(tokens: Sequence[str]) -> Masks:
    """The places that count for each habit of self-attention among `tokens`."""
    size = len(tokens)
    alike = np.array([[one == other for other in tokens] for one in tokens])
    return {
        "previous": np.eye(size, k=-1, dtype=bool),
        "next": np.eye(size, k=1, dtype=bool),
        "first": _column(size, 0, size),
        "same": alike,
        "punctuation": np.tile([is_mark(token) for token in tokens], (size, 1)),
    }


def cross_masks(source: Sequence[str], target: Sequence[str], links: Links | None) -> Masks:
    """The places that count for each habit of a decoder's look at the source.

    Row t is the look that chooses word t of `target`, and the last row the one that chooses to end; row t has just read
    word t - 1.
    """
    rows, places = len(target) + 1, len(source)
    masks = {
        "first": _column(rows, 0, places),
        "same": np.array([[one.lower() == other.lower() for other in source] for one in (*target, "")]),
        "punctuation": np.tile([is_mark(word) for word in source], (rows, 1)),
    }
    if links is not None:
        masks["aligned"], masks["read"] = _linked(links, 0, rows, places), _linked(links, 1, rows, places)
    return masks


def is_mark(token: str) -> bool:
    """Whether a token is all punctuation, or a mark such as [SEP]."""
    return token.startswith("[") or (bool(token) and all(unicodedata.category(letter)[0] == "P" for letter in token))


class Tally:
    """Adds up, by head and habit, the share of the weight that lay on the places that count."""

    def __init__(self) -> None:
        self._sums: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(lambda: [0.0, 0.0, 0.0]))

    def add(self, names: Sequence[str], weights: Floats, masks: Masks, *, causal: bool = False) -> None:
        """The maps `weights` [H, T, L] of heads with `names`; rows in which no place counts say nothing.

        Chance is even weights over all places, or with `causal` over those that aren't behind the row's own.
        """
        every = np.ones(weights.shape[1:], dtype=np.bool_)
        seen = np.tril(every) if causal else every
        for habit, mask in masks.items():
            rows = (mask & seen).any(axis=1)
            even = (mask & seen).sum(axis=1) / np.maximum(seen.sum(axis=1), 1)
            shares = np.where(mask, weights, 0).sum(axis=2)[:, rows].sum(axis=1)
            for name, share in zip(names, shares, strict=True):
                sums = self._sums[name][habit]
                sums[0] += float(share)
                sums[1] += float(even[rows].sum())
                sums[2] += int(rows.sum())

    def habits(self) -> dict[str, Habit]:
        """Each head's clearest habit, or that it has none."""
        return {name: _clearest(sums) for name, sums in self._sums.items()}

    def shares(self) -> dict[str, dict[str, float]]:
        """All shares by head and habit."""
        return {
            name: {habit: share / rows for habit, (share, _, rows) in sums.items() if rows}
            for name, sums in self._sums.items()
        }


def _clearest(sums: Mapping[str, Sequence[float]]) -> Habit:
    known = {habit: (share / rows, even / rows) for habit, (share, even, rows) in sums.items() if rows}
    best = max(known, key=lambda habit: known[habit][0] - known[habit][1], default=None)
    if best is None or known[best][0] - known[best][1] < CLEAR:
        return Habit(MIXED, round(1 - max((share for share, _ in known.values()), default=0.0), 3))
    return Habit(best, round(known[best][0], 3))


def _column(rows: int, column: int, columns: int) -> NDArray[np.bool_]:
    mask = np.zeros((rows, columns), dtype=bool)
    mask[:, column] = True
    return mask


def _linked(links: Links, later: int, rows: int, places: int) -> NDArray[np.bool_]:
    mask = np.zeros((rows, places), dtype=bool)
    for source, target in links:
        if target + later < rows and source < places:
            mask[target + later, source] = True
    return mask
