"""Does it matter? A word's probability as places are covered, in the order of its attention and in others.

Deletion and insertion curves (Petsiuk et al. 2018), for whatever has places: a photo's cells, a sentence's words.

Letters: B times that it is looked at, L places.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.explore.findings import Matter
from attnviewer.core.explore.matters import ATTENTION, GRADIENT, OCCLUSION, ORDERS, RANDOM
from attnviewer.core.i18n import tr
from attnviewer.core.trace import frozen

BATCH = 8
Order = NDArray[np.int64]
Live = Generator[Progress | Matter, None, None]


@dataclass(frozen=True)
class Subject:
    """A word, and how probable it is when only some places can be seen.

    Parameters
    ----------
    words, word : the text, and the number of the word in question.
    names : of the places, where they are words.
    attention, gradient : how much each place counts by these [L].
    chances : from the places shown [B, L] to the word's probabilities [B].
    """

    words: tuple[str, ...]
    word: int
    names: tuple[str, ...]
    attention: NDArray[np.float64]
    gradient: NDArray[np.float64]
    chances: Callable[[Tensor], NDArray[np.float64]]


def check(steps: int, shuffles: int) -> None:
    """Raise `UserError` for numbers that make no curve."""
    if not 1 <= steps <= 1000 or not 1 <= shuffles <= 100:
        raise UserError(tr("cover the photo in 1 to 1000 steps, in 1 to 100 random orders."))


def check_word(word: int, words: Sequence[str]) -> None:
    """Raise `UserError` where a text has no such word."""
    if not 0 <= word < len(words):
        raise UserError(tr("the text has words 0 to {last}, not {word}.", last=len(words) - 1, word=word))


def ranked(
    subject: Subject, steps: int, shuffles: int, seed: int, *, occlusion: bool
) -> Generator[Progress | Matter, None, Matter]:
    """Cover and uncover places in all orders; yields growing findings, the slowest order last."""
    study = _Study(subject, steps, shuffles, occlusion)
    for name in (ATTENTION, GRADIENT):
        yield from study.follow(name, [order_of(study.maps[name])])
    random = np.random.default_rng(seed)
    yield from study.follow(RANDOM, [random.permutation(study.places) for _ in range(shuffles)])
    if occlusion:
        yield from study.cover_each()
        yield from study.follow(OCCLUSION, [order_of(study.maps[OCCLUSION])])
    found = study.finding()
    yield found
    return found


class _Study:
    """What is known so far."""

    def __init__(self, subject: Subject, steps: int, shuffles: int, occlusion: bool) -> None:
        self._subject, self.places = subject, len(subject.attention)
        self._steps = min(steps, self.places)
        self.maps = {ATTENTION: subject.attention, GRADIENT: subject.gradient}
        self.curves: dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]] = {}
        self._whole = float(subject.chances(torch.ones(1, self.places, dtype=torch.bool))[0])
        self._all = 2 * (self._steps + 1) * (2 + shuffles + occlusion) + occlusion * self.places
        self._done = 0

    def follow(self, name: str, orders: Sequence[Order]) -> Live:
        """The mean deletion and insertion curve of some orders; one alone grows step by step."""
        whole: list[NDArray[np.float64]] = []
        for order in orders:
            parts: list[NDArray[np.float64]] = []
            for gone in removed(order, self._steps).split(BATCH):
                parts.append(np.stack([self._look(~gone), self._look(gone)]))
                if not whole:
                    self.curves[name] = tuple(np.concatenate(parts, axis=1))
                yield self._progress()
                yield self.finding()
            whole.append(np.concatenate(parts, axis=1))
            self.curves[name] = tuple(np.mean(whole, axis=0))

    def cover_each(self) -> Live:
        """How much probability each place takes along when it is covered alone."""
        left: list[NDArray[np.float64]] = []
        for shown in (~torch.eye(self.places, dtype=torch.bool)).split(BATCH):
            left.append(self._look(shown))
            yield self._progress()
        self.maps[OCCLUSION] = self._whole - np.concatenate(left)

    def _look(self, shown: Tensor) -> NDArray[np.float64]:
        self._done += len(shown)
        return self._subject.chances(shown)

    def _progress(self) -> Progress:
        return Progress(tr("covering place after place"), self._done / self._all)

    def finding(self) -> Matter:
        """The finding so far; only whole curves have an area."""
        known = [name for name in ORDERS if name in self.curves]
        both = [{name: tuple(map(float, self.curves[name][n])) for name in known} for n in (0, 1)]
        whole = [name for name in known if len(both[0][name]) == self._steps + 1]
        areas = [{name: area(curves[name], self._whole) for name in whole} for curves in both]
        return Matter(
            words=self._subject.words,
            word=self._subject.word,
            probability=self._whole,
            maps={name: frozen(self.maps[name]) for name in ORDERS if name in self.maps},
            deletion=both[0],
            insertion=both[1],
            deletion_area=areas[0],
            insertion_area=areas[1],
            tau=agreement(self.maps[ATTENTION], self.maps[GRADIENT]),
            places=self._subject.names,
            steps=self._steps,
        )


def order_of(values: Mapping[str, float] | NDArray[np.float64]) -> Order:
    """The places from the one that counts most to the one that counts least."""
    return np.argsort(-np.asarray(values), kind="stable")


def removed(order: Order, steps: int) -> Tensor:
    """Which places [steps + 1, L] are taken after each step, from none to all."""
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    counts = np.linspace(0, len(order), steps + 1).round()
    return torch.from_numpy(rank[None, :] < counts[:, None])


def area(curve: Sequence[float], whole: float) -> float:
    """The mean of a curve, by trapezia, as a share of the probability with every place shown."""
    values = np.asarray(curve, np.float64)
    mean = float((values[1:] + values[:-1]).mean() / 2)
    return mean / whole if whole > 0 else 0.0


def agreement(first: object, second: object) -> float | None:
    """Kendall's tau between two maps, or None where one of them is flat."""
    from scipy.stats import kendalltau

    if np.size(first) < 2:  # type: ignore[arg-type]
        return None
    found = float(kendalltau(np.asarray(first), np.asarray(second)).statistic)
    return found if np.isfinite(found) else None
