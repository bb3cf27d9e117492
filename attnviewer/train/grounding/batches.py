"""What a grounder's training sees: batches of photos with all their phrases.

Letters: P phrases, L locations.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviewer.data.phrases import Phrases

BARE = 0.3  # share of phrases that lose their article, as people type
Batch = tuple[NDArray[np.int64], NDArray[np.int64], bool]


def batches(phrases: Phrases, size: int, seed: int) -> Iterator[Batch]:
    """Shuffled batches: photos in ascending order, the rows of all their phrases, and whether they are mirrored."""
    random = np.random.default_rng(seed)
    order = random.permutation(len(phrases.paths))
    starts = np.searchsorted(phrases.owner, np.arange(len(phrases.paths) + 1))
    for start in range(0, len(order), size):
        photos = np.sort(order[start : start + size])
        rows = np.concatenate([np.arange(starts[photo], starts[photo + 1]) for photo in photos])
        yield photos, rows, bool(random.random() < 0.5)


def wordings(phrases: Phrases, rows: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """The wording of each phrase as captioned, or, for three in ten, without its article, as people type."""
    short = np.random.default_rng(seed).random(len(rows)) < BARE
    return np.where(short, phrases.bare[rows], phrases.said[rows])


def cells(phrases: Phrases, rows: NDArray[np.int64], mirrored: bool) -> Tensor:
    """The share of each cell inside the boxes [P, L], in 0..1."""
    inside = torch.from_numpy(phrases.inside[rows]).float() / 255
    if not mirrored:
        return inside
    side = round(inside.shape[1] ** 0.5)
    return inside.unflatten(1, (side, side)).flip(2).flatten(1)
