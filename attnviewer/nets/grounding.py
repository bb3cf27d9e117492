"""Grounding: keys from a photo's annotation vectors and a query from a phrase's embedding, compared by their cosine.

Letters: B photos, P phrases, L locations; sizes D of an annotation, E of an embedded phrase, H hidden, K of a key.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass(frozen=True)
class GroundingConfig:
    """Sizes of a grounder; `layers` let each location see the whole photo before it becomes a key."""

    annotation: int = 1392
    phrase: int = 384
    side: int = 14
    hidden: int = 256
    size: int = 192
    layers: int = 1
    heads: int = 4
    dropout: float = 0.2


class SelfAttention(nn.Module):
    """One layer of self-attention over the locations, then a small network at each; both add to what was there."""

    def __init__(self, size: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.before, self.between = nn.LayerNorm(size), nn.LayerNorm(size)
        self.mix, self.out = nn.Linear(size, 3 * size), nn.Linear(size, size)
        self.widen, self.narrow = nn.Linear(size, 2 * size), nn.Linear(2 * size, size)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (
            self.mix(self.before(x)).unflatten(2, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        )  # [B, heads, L, H/heads]
        seen = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2)  # [B, L, H]
        x = x + F.dropout(self.out(seen), self.dropout, self.training)
        wide = F.gelu(self.widen(self.between(x)))  # [B, L, 2H]
        return x + F.dropout(self.narrow(wide), self.dropout, self.training)


def smooth(keys: Tensor, side: int) -> Tensor:
    """Keys [B, L, K] on a grid, each the average of the 3 x 3 cells around it with binomial weights."""
    grid = keys.transpose(1, 2).unflatten(2, (side, side))  # [B, K, side, side]
    line = keys.new_tensor([0.25, 0.5, 0.25])
    kernel = torch.outer(line, line).expand(grid.shape[1], 1, 3, 3)
    padded = F.pad(grid, (1, 1, 1, 1), mode="replicate")
    return F.conv2d(padded, kernel, groups=grid.shape[1]).flatten(2).transpose(1, 2)


class Grounder(nn.Module):
    """Two towers that meet in K numbers: one for the regions of a photo, one for phrases."""

    centre: Tensor
    spread: Tensor

    def __init__(self, config: GroundingConfig) -> None:
        super().__init__()
        self.config = c = config
        self.register_buffer("centre", torch.zeros(c.annotation))
        self.register_buffer("spread", torch.ones(c.annotation))
        self.enter = nn.Linear(c.annotation, c.hidden)
        self.place = nn.Parameter(torch.randn(c.side * c.side, c.hidden) * 0.02)
        self.looks = nn.ModuleList(SelfAttention(c.hidden, c.heads, c.dropout) for _ in range(c.layers))
        self.key = nn.Linear(c.hidden, c.size)
        self.phrase = nn.Sequential(
            nn.Linear(c.phrase, c.hidden), nn.GELU(), nn.Dropout(c.dropout), nn.Linear(c.hidden, c.size)
        )
        self.log_scale = nn.Parameter(torch.tensor(10.0).log())

    def keys(self, annotations: Tensor, mirrored: Tensor | None = None) -> Tensor:
        """Keys [B, L, K] of length 1 of a photo's annotation vectors [B, L, D].

        Given those of the photo's mirror image too, the keys are the means of both looks. Once training is over, each
        key is smoothed by its neighbours'.
        """
        keys = self._keys(annotations)
        if mirrored is not None:
            side = self.config.side
            keys = keys + self._keys(mirrored).unflatten(1, (side, side)).flip(2).flatten(1, 2)
        if not self.training:
            keys = smooth(keys, self.config.side)
        return F.normalize(keys, dim=-1)

    def _keys(self, annotations: Tensor) -> Tensor:
        x = (annotations - self.centre) / self.spread
        x = F.dropout(x, self.config.dropout / 2, self.training)
        x = self.enter(x) + self.place  # [B, L, H]
        for look in self.looks:
            x = look(x)
        return F.normalize(self.key(F.gelu(x)).float(), dim=-1)  # [B, L, K]

    def query(self, phrases: Tensor) -> Tensor:
        """Queries [P, K] of length 1 of phrase embeddings [P, E]."""
        return F.normalize(self.phrase(phrases).float(), dim=-1)

    @property
    def scale(self) -> Tensor:
        """What the cosines are multiplied by before the softmax: one over the temperature."""
        return self.log_scale.exp().clamp(1.0, 100.0)

    def forward(self, annotations: Tensor, phrases: Tensor) -> Tensor:
        """Scores [P, B, L] of every phrase with every photo, as they enter the softmax."""
        keys, queries = self.keys(annotations), self.query(phrases)
        return self.scale * (queries @ keys.flatten(0, 1).T).unflatten(1, keys.shape[:2])
