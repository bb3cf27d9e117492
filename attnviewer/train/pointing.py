"""What a grounder's training sees and loses: batches of photos with all their phrases, and the loss of a batch.

Letters: B photos, P phrases, L locations, E size of a phrase embedding.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from attnviewer.data.phrases import Phrases

ALIKE = 0.7  # photos that hold a phrase so like this one are no negatives for it
BARE = 0.3  # share of phrases that lose their article, as people type


@dataclass(frozen=True)
class Weights:
    """How the loss is mixed: `sharpen` is the share of the mass inside the boxes, `contrast` adds the other photos."""

    sharpen: float = 0.5
    contrast: float = 0.5


def batches(phrases: Phrases, size: int, seed: int) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], bool]]:
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


def phrase_loss(scores: Tensor, owner: Tensor, inside: Tensor, vectors: Tensor, mix: Weights) -> tuple[Tensor, float]:
    """The loss of a batch, and the mean mass inside the boxes.

    Parameters
    ----------
    scores : [P, B, L], of every phrase with every photo of the batch, as they enter the softmax.
    owner : [P], the photo of each phrase; inside : [P, L], what its boxes cover of each cell of that photo.
    vectors : [P, E], the phrases' embeddings.
    """
    photos = scores.shape[1]
    logs = F.log_softmax(scores[torch.arange(len(owner)), owner], dim=-1)  # [P, L]
    target = inside / inside.sum(dim=-1, keepdim=True).clamp_min(1e-6)
    spread = -(target * logs).sum(dim=-1).mean()
    mass = (logs.exp() * inside).sum(dim=-1)
    sharp = -mass.clamp_min(1e-6).log().mean()
    levels = torch.logsumexp(scores, dim=-1).masked_fill(also_there(vectors, owner, photos), float("-inf"))  # [P, B]
    contrast = F.cross_entropy(levels, owner)
    loss = (1 - mix.sharpen) * spread + mix.sharpen * sharp + mix.contrast * contrast
    return loss, float(mass.detach().mean())


def also_there(vectors: Tensor, owner: Tensor, photos: int) -> Tensor:
    """[P, B]: other photos of which some phrase says nearly the same, so that they must not count as negatives."""
    alike = (vectors @ vectors.T).float()  # [P, P]
    nearest = torch.full((len(owner), photos), -1.0).scatter_reduce(
        1, owner.expand(len(owner), -1), alike, "amax", include_self=True
    )
    return (nearest > ALIKE).scatter(1, owner.unsqueeze(1), False)
