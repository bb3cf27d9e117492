"""Captions as arrays: a photo's captions side by side, the longest first: a step runs only those still going.

Letters: B photos, K captions a photo, T words, L locations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviewer.core.text import Vocabulary
from attnviewer.data.photos import Photo, word_regions

LONGEST = 24  # words of a caption that are trained on


@dataclass(frozen=True)
class Example:
    """One caption ready for training: ids with the end mark [T], and each word's regions [T, L] in 0..255."""

    ids: NDArray[np.int64]
    regions: NDArray[np.uint8]


class Counts(NamedTuple):
    """Words, words whose phrase has boxes (at least 1) and captions of a whole batch, whoever shares it."""

    words: float
    boxed: float
    captions: float


@dataclass(frozen=True)
class Batch:
    """`targets` [B, K, T] padded with 0; `regions` [B, K, T, L] in 0..1; `active[t]` captions still going at word t."""

    paths: tuple[str, ...]
    targets: Tensor
    regions: Tensor
    active: tuple[int, ...]

    def first(self, photos: int) -> Batch:
        """The batch of its first `photos` alone."""
        return replace(self, paths=self.paths[:photos], targets=self.targets[:photos], regions=self.regions[:photos])

    def to(self, device: str) -> Batch:
        """The same batch on another device."""
        return replace(self, targets=self.targets.to(device), regions=self.regions.to(device))

    @property
    def inputs(self) -> Tensor:
        """The words read at each step: the start mark (1), then the targets shifted by one."""
        start = torch.ones_like(self.targets[..., :1])
        return torch.cat((start, self.targets[..., :-1]), dim=-1)

    @property
    def counts(self) -> Counts:
        """How much there is to average over."""
        boxed = (self.regions.sum(dim=-1) > 0).sum()
        return Counts(float((self.targets > 0).sum()), max(1.0, float(boxed)), float(self.targets[..., 0].numel()))


def prepare(photos: Sequence[Photo], vocabulary: Vocabulary, side: int) -> dict[str, list[Example]]:
    """The captions of each photo that has some as `Example`s, the longest first, by the photo's path."""
    return {photo.path: _examples(photo, vocabulary, side) for photo in photos if photo.captions}


def _examples(photo: Photo, vocabulary: Vocabulary, side: int) -> list[Example]:
    found = []
    for caption in photo.captions:
        ids = [*vocabulary.encode(caption.words[:LONGEST]), vocabulary.end]
        regions = np.zeros((len(ids), side * side), np.uint8)
        regions[:-1] = np.round(word_regions(caption, side, side)[:LONGEST] * 255)
        found.append(Example(np.array(ids), regions))
    return sorted(found, key=lambda example: -len(example.ids))


def collate(paths: Sequence[str], examples: Sequence[list[Example]], mirrored: bool) -> Batch:
    """Pad the captions of the photos at `paths` to one `Batch`."""
    captions = max(map(len, examples))
    longest = max(len(example.ids) for group in examples for example in group)
    cells = examples[0][0].regions.shape[1]
    targets = np.zeros((len(paths), captions, longest), np.int64)
    regions = np.zeros((len(paths), captions, longest, cells), np.uint8)
    for row, group in enumerate(examples):
        for column, example in enumerate(group):
            targets[row, column, : len(example.ids)] = example.ids
            regions[row, column, : len(example.ids)] = example.regions
    if mirrored:
        side = round(cells**0.5)
        regions = regions.reshape(*regions.shape[:-1], side, side)[..., ::-1].reshape(regions.shape)
    going = (targets > 0).any(axis=0)  # [K, T]
    active = tuple(int(n) for n in going.sum(axis=0))
    return Batch(tuple(paths), torch.from_numpy(targets), torch.from_numpy(regions.copy()).float() / 255, active)


def epoch(
    prepared: dict[str, list[Example]],
    shown: Sequence[str],
    size: int,
    seed: int,
    part: tuple[int, int] = (0, 1),
    share: float = 0.5,
) -> Iterator[tuple[Batch, Counts, bool]]:
    """Shuffled batches of `size` photos of those `shown`, the counts of the whole batch, and whether it is mirrored.

    `part` = (rank, processes) takes its share of each batch; a last batch too small to share is left out. A photo that
    is shown twice stands in a batch only once. `share` of the batches are mirrored.
    """
    random = np.random.default_rng(seed)
    paths = sorted(shown)
    random.shuffle(paths)
    rank, processes = part
    for start in range(0, len(paths), size):
        mirrored = bool(random.random() < share)
        whole = list(dict.fromkeys(paths[start : start + size]))
        counts = _counts([example for path in whole for example in prepared[path]])
        if len(whole) < processes:
            return
        chosen = whole[rank::processes]
        batch = collate(chosen, [prepared[path] for path in chosen], mirrored)
        yield batch, counts, mirrored


def _counts(examples: Sequence[Example]) -> Counts:
    boxed = sum(int(example.regions.any(axis=1).sum()) for example in examples)
    return Counts(float(sum(len(example.ids) for example in examples)), max(1.0, float(boxed)), float(len(examples)))
