"""Attention as functions and modules that always return their weights.

Letters: B batch, K captions a photo, H heads, L locations, D size of a value, A size of the attention space, Q size of
a query.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn


def softmax(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    """Softmax over the last axis in float32; masked places (False) get 0, a row with none left is uniform."""
    scores = scores.float()
    if mask is None:
        return torch.softmax(scores, dim=-1)
    empty = ~mask.any(dim=-1, keepdim=True)
    kept = mask | empty
    return torch.softmax(scores.masked_fill(~kept, float("-inf")), dim=-1)


def impose(own: Tensor, given: Tensor | None) -> Tensor:
    """Weights [..., H, L] with those that are `given` in place of a net's `own`; a head given as NaN is left alone."""
    return own if given is None else torch.where(given.isnan(), own, given.to(own.dtype))


def pointed(weights: Tensor, head: int | None) -> Tensor:
    """One map [..., L] of the `weights` [..., H, L]: that of the head that points, or the mean where none does."""
    return weights.mean(dim=-2) if head is None else weights[..., head, :]


def sample(weights: Tensor, generator: torch.Generator | None = None) -> Tensor:
    """One location a row drawn from `weights` [N, L]: indices [N]."""
    return torch.multinomial(weights, 1, generator=generator).squeeze(-1)


class AdditiveAttention(nn.Module):
    """Scores v' tanh(W k + U q + b) of Bahdanau et al. 2014, with the keys W k prepared once a photo."""

    def __init__(self, value_size: int, query_size: int, size: int) -> None:
        super().__init__()
        self.key = nn.Linear(value_size, size)
        self.query = nn.Linear(query_size, size, bias=False)
        self.score = nn.Linear(size, 1, bias=False)

    def forward(self, keys: Tensor, query: Tensor) -> Tensor:
        """Scores [B, K, L] of prepared `keys` [B, L, A] for `query` [B, K, Q]."""
        mixed = torch.tanh(keys.unsqueeze(1) + self.query(query).unsqueeze(2))  # [B, K, L, A]
        return self.score(mixed).squeeze(-1)  # [B, K, L]
