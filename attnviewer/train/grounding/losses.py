"""The loss of a grounder: a phrase's map to its boxes, and its photo told from the others of the batch.

Letters: B photos, P phrases, L locations, E size of a phrase embedding.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

ALIKE = 0.7  # photos that hold a phrase so like this one are no negatives for it


@dataclass(frozen=True)
class Weights:
    """How the loss is mixed: `sharpen` is the share of the mass inside the boxes, `contrast` adds the other photos."""

    sharpen: float = 0.5
    contrast: float = 0.5


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
