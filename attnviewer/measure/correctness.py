"""Is the map where the named thing is? Attention correctness (Liu et al. 2017), the pointing game (Zhang et al. 2016).

Maps are rows [L] over a grid; boxes are (left, top, right, bottom) in fractions of the picture.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from attnviewer.core.lens import inside, peak
from attnviewer.core.regions import cell_centre, holds, union_area

CENTRE = (0.5, 0.5)


@dataclass(frozen=True, eq=False)
class BoxedWord:
    """A word's map [L], the boxes [N, 4] of its phrase, and which phrase that is (equal for words of one phrase)."""

    weights: ArrayLike
    boxes: ArrayLike
    phrase: Hashable


@dataclass(frozen=True)
class Grounding:
    """Means over all boxed words and phrases, 0..1, beside what needs no model: a uniform map and the picture's centre.

    Parameters
    ----------
    words, phrases : how many were measured.
    correctness : share of a word's mass inside its phrase's boxes, mean over words.
    correctness_best : the same, the best word of each phrase, mean over phrases.
    area, area_best : what a uniform map scores on either.
    pointing : share of words whose map peaks inside the boxes; `centre` is the score of always pointing to the centre.
    """

    words: int
    phrases: int
    correctness: float
    correctness_best: float
    area: float
    area_best: float
    pointing: float
    centre: float


def correctness(weights: ArrayLike, boxes: ArrayLike, rows: int, columns: int) -> float:
    """Share of a map's mass inside the union of the boxes; a cell cut by a box counts by its covered share."""
    return inside(weights, boxes, rows, columns)


def points(weights: ArrayLike, boxes: ArrayLike, rows: int, columns: int) -> bool:
    """Whether the centre of the map's greatest cell lies in a box."""
    return holds(boxes, *cell_centre(peak(weights), rows, columns))


def grounding(words: Iterable[BoxedWord], rows: int, columns: int) -> Grounding:
    """Measure maps against boxes; raises `ValueError` where there are no boxed words."""
    words = list(words)
    if not words:
        raise ValueError("no words with boxes to measure")
    shares = [correctness(word.weights, word.boxes, rows, columns) for word in words]
    areas = [union_area(word.boxes) for word in words]
    best, room = _best(words, shares), _best(words, areas)
    return Grounding(
        words=len(words),
        phrases=len(best),
        correctness=float(np.mean(shares)),
        correctness_best=float(np.mean(best)),
        area=float(np.mean(areas)),
        area_best=float(np.mean(room)),
        pointing=float(np.mean([points(word.weights, word.boxes, rows, columns) for word in words])),
        centre=float(np.mean([holds(word.boxes, *CENTRE) for word in words])),
    )


def _best(words: Sequence[BoxedWord], shares: Sequence[float]) -> list[float]:
    """The greatest share among the words of each phrase."""
    found: dict[Hashable, list[float]] = defaultdict(list)
    for word, share in zip(words, shares, strict=True):
        found[word.phrase].append(share)
    return [max(group) for group in found.values()]
