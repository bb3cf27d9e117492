"""Content-based attention as plain maths: scores of a query against keys, weights, and the weighted sum of the values.

Letters: L items, D size of a key or query, V size of a value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.trace import Floats, Trace, frozen

Doubles = NDArray[np.float64]
LARGEST = float(np.finfo(np.float32).max)


class Matrix(Protocol):
    """What the maths needs of item vectors [L, D]: a numpy array or a sparse matrix will do."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows and columns."""

    @property
    def T(self) -> Any:
        """The transpose."""

    def __getitem__(self, rows: Any) -> Any: ...
    def __matmul__(self, other: Any) -> Any: ...


@dataclass(frozen=True, eq=False)
class Items:
    """Item vectors [L, D] with their Euclidean norms [L], computed once and used by every query.

    `starts` [L] is given where long items have several vectors, one a piece: the row at which each item begins.
    """

    vectors: Matrix
    norms: Floats
    starts: NDArray[np.int64] | None = None

    @classmethod
    def of(cls, vectors: Any, starts: Sequence[int] | None = None) -> Items:
        """Items with norms worked out from `vectors`, an array or a scipy sparse matrix."""
        squares = vectors.multiply(vectors).sum(axis=1) if hasattr(vectors, "multiply") else _squares(vectors)
        norms = frozen(np.sqrt(np.asarray(squares, dtype=np.float64)).ravel())
        several = starts is not None and len(starts) < len(norms)
        return cls(vectors, norms, np.asarray(starts, dtype=np.int64) if several else None)

    def __len__(self) -> int:
        return int(self.vectors.shape[0]) if self.starts is None else len(self.starts)

    def best_rows(self, found: Doubles) -> NDArray[np.int64]:
        """The row of each item's best piece [L], given a score for each row; the first of equals."""
        if self.starts is None:
            return np.arange(len(self))
        sizes = np.diff(self.starts, append=len(found))
        owner = np.repeat(np.arange(len(self)), sizes)
        order = np.lexsort((-np.arange(len(found)), found, owner))  # each item's best row comes last
        return np.asarray(order[self.starts + sizes - 1], dtype=np.int64)

    def take(self, rows: NDArray[np.int64] | None = None) -> Items:
        """The items with one vector each: that of their row, or of their first piece."""
        if self.starts is None:
            return self
        chosen = self.starts if rows is None else rows
        return Items(self.vectors[chosen], frozen(self.norms[chosen]))


@dataclass(frozen=True, eq=False)
class Lookup:
    """One soft look-up, with all that its formula shows.

    Parameters
    ----------
    scores, weights : [L], before and after the softmax (or hard max).
    key_norms : ||k_i||, after the items' scales.
    contributions : p_i ||v_i||, how much each item adds to the answer.
    query_norm : ||q||.
    size : D, the root of which divides a scaled dot product.
    total : log of the sum of exp(s_i / temperature).
    answer : z [V], the weighted sum of the values.
    nearest : the items whose values point most nearly the way of z, best first.
    pieces : [L], which piece of each item scored best, from 0.
    """

    scores: Floats
    weights: Floats
    key_norms: Floats
    contributions: Floats
    query_norm: float
    size: int
    total: float
    answer: Floats
    nearest: tuple[int, ...]
    pieces: NDArray[np.int64] | None = None


@dataclass(frozen=True, eq=False)
class ContentTrace(Trace):
    """A query's trace of one step, with the look-up behind each head.

    Parameters
    ----------
    lookups : one a head.
    unknown : items that have no vector (out of vocabulary).
    presence : probability that what was asked for is in the source at all, or None where the run can't tell.
    score, temperature, hard : what was used, defaults filled in.
    passages : of long items with much weight, where in their text (start, end) the best match stands; one table a head.
    """

    lookups: tuple[Lookup, ...] = ()
    unknown: tuple[int, ...] = ()
    presence: float | None = None
    score: str = "cosine"
    temperature: float = 1.0
    hard: bool = False
    passages: tuple[Mapping[int, tuple[int, int]], ...] = field(default=())


def _squares(vectors: ArrayLike) -> Doubles:
    array = np.asarray(vectors)
    squares: Doubles = np.einsum("ld,ld->l", array, array, dtype=np.float64)
    return squares


def _cosine(dots: Doubles, query_norm: float, norms: Doubles, size: int) -> Doubles:
    return np.divide(dots, query_norm * norms, out=np.zeros_like(dots), where=query_norm * norms > 0)


SCORES: dict[str, Callable[[Doubles, float, Doubles, int], Doubles]] = {
    "dot": lambda dots, query_norm, norms, size: dots,
    "scaled": lambda dots, query_norm, norms, size: dots / np.sqrt(max(size, 1)),
    "cosine": _cosine,
}


def check(score: str, temperature: float) -> None:
    """Raise `UserError` for a score that isn't known or a temperature that isn't above 0."""
    if score not in SCORES:
        raise UserError(
            tr("there is no score {score!r}; choose one of {scores}.", score=score, scores=", ".join(SCORES))
        )
    if not (np.isfinite(temperature) and temperature > 0):
        raise UserError(
            tr(
                "the temperature must be above 0, not {temperature:g}; use --hard for the limit of 0.",
                temperature=temperature,
            )
        )


def score(query: ArrayLike, items: Items, kind: str = "dot", scales: ArrayLike | None = None) -> Doubles:
    """Scores of `query` [D] against each row of the items, stretched by its scale; zero vectors score 0."""
    q = np.asarray(query)
    with np.errstate(over="ignore", invalid="ignore"):
        dots = np.asarray(items.vectors @ q, dtype=np.float64).ravel()
    stretch = np.ones(len(items.norms)) if scales is None else np.asarray(scales, dtype=np.float64)
    norm = float(np.linalg.norm(q.astype(np.float64)))
    found = SCORES[kind](dots * stretch, norm, items.norms.astype(np.float64) * stretch, int(items.vectors.shape[1]))
    bounded: Doubles = np.nan_to_num(found).clip(-LARGEST, LARGEST)
    return bounded


def softmax(scores: ArrayLike, temperature: float = 1.0) -> Floats:
    """Weights exp(s_i / temperature) / sum, finite for any finite scores; computed in float64, returned in float32."""
    s = np.asarray(scores, dtype=np.float64)
    with np.errstate(over="ignore", under="ignore"):
        raised = np.exp((s - s.max()) / temperature)
    return frozen(raised / raised.sum())


def hard_max(scores: ArrayLike) -> Floats:
    """All weight on the best item (the first of equals)."""
    s = np.asarray(scores)
    return frozen(np.arange(len(s)) == int(s.argmax()))


def total(scores: ArrayLike, temperature: float = 1.0) -> float:
    """Log of the sum of exp(s_i / temperature), kept within float64."""
    s = np.asarray(scores, dtype=np.float64)
    with np.errstate(over="ignore", under="ignore"):
        value = s.max() / temperature + np.log(np.exp((s - s.max()) / temperature).sum())
    return float(np.nan_to_num(value))


def best(values: ArrayLike, count: int) -> tuple[int, ...]:
    """Indices of the `count` largest values, best first; equals stay in source order."""
    array = np.asarray(values)
    if 0 < count < len(array):
        lowest = np.partition(array, len(array) - count)[len(array) - count]
        above, equal = np.flatnonzero(array > lowest), np.flatnonzero(array == lowest)
        chosen = np.sort(np.concatenate((above, equal[: count - len(above)])))
    else:
        chosen = np.arange(len(array))[: max(count, 0)]
    return tuple(int(i) for i in chosen[np.argsort(-array[chosen], kind="stable")])


def attend(
    query: ArrayLike, keys: Items, values: Items | None = None, *, kind: str = "dot", temperature: float = 1.0,
    hard: bool = False, scales: ArrayLike | None = None, nearest: int = 5,
) -> Lookup:  # fmt: skip
    """Look `query` [D] up: weights from the keys, the answer z from the values (the keys again when none are given).

    Raises `UserError` where there are no items, a scale is missing, or the score or temperature makes no sense.
    """
    check(kind, temperature)
    _check_items(keys, values, scales)
    pieces = None
    if keys.starts is not None:
        rows = keys.best_rows(score(query, keys, kind))
        pieces, own = rows - keys.starts, values is None or values is keys
        keys = keys.take(rows)
        values = keys if own else values
    values = keys if values is None else values.take()
    stretch = np.ones(len(keys)) if scales is None else np.asarray(scales, dtype=np.float64)
    scores = score(query, keys, kind, scales)
    weights = hard_max(scores) if hard else softmax(scores, temperature)
    answer = np.asarray(values.vectors.T @ (weights * stretch).astype(np.float32)).ravel()
    return Lookup(
        scores=frozen(scores),
        weights=weights,
        key_norms=frozen(keys.norms * stretch),
        contributions=frozen(weights * values.norms * stretch),
        query_norm=float(np.linalg.norm(np.asarray(query, dtype=np.float64))),
        size=int(keys.vectors.shape[1]),
        total=total(scores, temperature),
        answer=frozen(answer),
        nearest=best(score(answer, values, "cosine"), nearest) if answer.any() else (),
        pieces=pieces,
    )


def _check_items(keys: Items, values: Items | None, scales: ArrayLike | None) -> None:
    if len(keys) == 0:
        raise UserError(tr("there is nothing to look at; give at least one item."))
    if values is not None and len(values) != len(keys):
        raise UserError(
            tr(
                "there are {count} keys but {count2} values; give one value for each key.",
                count=len(keys),
                count2=len(values),
            )
        )
    if scales is not None:
        given = np.asarray(scales, dtype=np.float64)
        if given.shape != (len(keys),) or not np.isfinite(given).all() or (given < 0).any():
            raise UserError(tr("the scales must be {count} numbers of 0 or more, one for each item.", count=len(keys)))
