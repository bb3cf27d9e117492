"""The 1,000 ImageNet classes in everyday words: what an encoder's class head says, in words that people use."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnviewer.core.paths import resources_dir


@dataclass(frozen=True)
class Label:
    """One class: its name, everyday words for it (the most usual first), and the COCO class it belongs to, or None."""

    name: str
    words: tuple[str, ...]
    thing: str | None


@cache
def labels() -> tuple[Label, ...]:
    """All classes in the order of a class head's outputs."""
    path = resources_dir() / "labels.tsv"
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return tuple(Label(name, tuple(words.split("|")), thing or None) for _, name, words, thing in rows)


def beliefs(scores: ArrayLike) -> NDArray[np.float64]:
    """Softmax over the last axis of class scores [..., 1000], in float64: each row sums to 1."""
    array = np.asarray(scores, dtype=np.float64)
    powers = np.exp(array - array.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def everyday(scores: ArrayLike, count: int = 5) -> list[tuple[str, float]]:
    """The `count` most probable everyday words for class scores [1000], with the probability of all classes they name.

    Each class counts for its most usual word, so that 118 breeds add up to "dog".
    """
    total: dict[str, float] = {}
    for label, share in zip(labels(), beliefs(scores), strict=True):
        total[label.words[0]] = total.get(label.words[0], 0.0) + float(share)
    return sorted(total.items(), key=lambda item: (-item[1], item[0]))[:count]
