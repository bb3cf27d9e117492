"""BERT's encoder (Devlin et al. 2019) that returns all it computed: every layer's vectors, scores and weights.

Each sub-layer's output is added to what went in, and the sum is normalised (post-norm).
Letters: B batch, N layers, H heads, T tokens, D size of a token's vector, S = D / H size of a head.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attnviewer.core.ablation import Ablation
from attnviewer.nets.attention import softmax


@dataclass(frozen=True)
class BertConfig:
    """Sizes of an encoder; the defaults are those of all-MiniLM-L6-v2."""

    vocabulary: int = 30522
    size: int = 384
    layers: int = 6
    heads: int = 12
    inner: int = 1536
    positions: int = 512
    kinds: int = 2
    epsilon: float = 1e-12


@dataclass(frozen=True, eq=False)
class LayerSeen:
    """What one layer computed.

    Parameters
    ----------
    queries, keys, values : [B, H, T, S].
    scores, weights : [B, H, T, T], row i is token i looking at all; masked scores are -inf, masked weights 0
        (a row of padding for which nothing is left is uniform and means nothing).
    value_norms : [B, H, T], length of each value after its share of W_o; times a weight it is what arrives
        (Kobayashi et al. 2020).
    attended : [B, T, D], what attention adds to the vector that went in.
    middle : [B, T, D], the normalised sum; it goes into the feed-forward network.
    fed : [B, T, D], what the feed-forward network adds.
    out : [B, T, D], the normalised sum: what the layer gives.
    """

    queries: Tensor
    keys: Tensor
    values: Tensor
    scores: Tensor
    weights: Tensor
    value_norms: Tensor
    attended: Tensor
    middle: Tensor
    fed: Tensor
    out: Tensor


@dataclass(frozen=True, eq=False)
class BertSeen:
    """What the whole net computed: `first` [B, T, D] are the token vectors that enter layer 0."""

    first: Tensor
    layers: tuple[LayerSeen, ...]

    @property
    def hidden(self) -> Tensor:
        """Token vectors before the first and after each layer: [N + 1, B, T, D]."""
        return torch.stack((self.first, *(layer.out for layer in self.layers)))

    @property
    def weights(self) -> Tensor:
        """All attention weights: [N, B, H, T, T]."""
        return torch.stack([layer.weights for layer in self.layers])


class BertLayer(nn.Module):
    """Self-attention, then a small network at each token; both add to what was there."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.heads, size = config.heads, config.size
        self.query, self.key, self.value, self.out = (nn.Linear(size, size) for _ in range(4))
        self.widen, self.narrow = nn.Linear(size, config.inner), nn.Linear(config.inner, size)
        self.after_attention, self.after_feeding = (nn.LayerNorm(size, eps=config.epsilon) for _ in range(2))

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        """What the layer gives [B, T, D], without a word of how; `mask` [B, 1, 1, T] is False at padding."""
        queries, keys, values = (self._split(made(x)) for made in (self.query, self.key, self.value))
        attended = self._join(F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask))
        middle = self.after_attention(x + self.out(attended))
        return self.after_feeding(middle + self.feed(middle))

    def see(self, x: Tensor, mask: Tensor | None, change: Ablation, layer: int) -> LayerSeen:
        """The same with all that was computed on the way, changed as `change` says of this layer."""
        queries, keys, values = (
            self._split(made(x)) for made in (self.key if change.tied else self.query, self.key, self.value)
        )  # each [B, H, T, S]
        scores = queries @ keys.transpose(2, 3) / math.sqrt(queries.shape[-1])  # [B, H, T, T]
        weights = softmax(scores, mask)
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        if uniform := change.heads("uniform", layer):
            weights[:, uniform] = softmax(torch.zeros_like(scores[:, uniform]), mask)
        mixed = weights @ values  # [B, H, T, S]
        mixed[:, change.heads("off", layer)] = 0
        kept = float(change.residuals)
        attended = self.out(self._join(mixed))
        middle = self.after_attention(kept * x + attended)
        fed = self.feed(middle)
        out = self.after_feeding(kept * middle + fed)
        norms = self.value_norms(values)
        return LayerSeen(queries, keys, values, scores, weights, norms, attended, middle, fed, out)

    def feed(self, x: Tensor) -> Tensor:
        """The feed-forward network, at each token by itself."""
        return self.narrow(F.gelu(self.widen(x)))

    def value_norms(self, values: Tensor) -> Tensor:
        """Lengths [B, H, T] of the values [B, H, T, S] after each head's own columns of W_o."""
        columns = self.out.weight.unflatten(1, (self.heads, -1))  # [D, H, S]
        return torch.einsum("bhts,dhs->bhtd", values, columns).norm(dim=-1)

    def _split(self, x: Tensor) -> Tensor:
        return x.unflatten(2, (self.heads, -1)).transpose(1, 2)  # [B, H, T, S]

    def _join(self, heads: Tensor) -> Tensor:
        return heads.transpose(1, 2).flatten(2)  # [B, T, D]


class Bert(nn.Module):
    """Token ids [B, T] to token vectors [B, T, D]."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.config = c = config
        self.words = nn.Embedding(c.vocabulary, c.size)
        self.places = nn.Embedding(c.positions, c.size)
        self.kinds = nn.Embedding(c.kinds, c.size)
        self.norm = nn.LayerNorm(c.size, eps=c.epsilon)
        self.layers = nn.ModuleList(BertLayer(c) for _ in range(c.layers))

    def embed(self, ids: Tensor, positions: bool = True) -> Tensor:
        """The vectors [B, T, D] that enter layer 0: word + kind (+ position), normalised."""
        x = self.words(ids) + self.kinds.weight[0]
        if positions:
            x = x + self.places.weight[: ids.shape[1]]
        return self.norm(x)

    def forward(self, ids: Tensor, kept: Tensor | None = None) -> Tensor:
        """Token vectors [B, T, D] after the last layer; `kept` [B, T] is False at padding."""
        mask = None if kept is None else kept[:, None, None, :]
        x = self.embed(ids)
        for layer in self.layers:
            x = layer(x, mask)
        return x

    def see(self, ids: Tensor, kept: Tensor | None = None, change: Ablation | None = None) -> BertSeen:
        """The same with all that was computed on the way, and with `change` obeyed."""
        change = change or Ablation()
        change.check(self.config.layers, self.config.heads)
        visible = change.visible(ids.shape[1])
        mask = None if kept is None else kept[:, None, None, :]  # [B, 1, 1, T]
        if visible is not None:
            shown = torch.from_numpy(visible).to(ids.device)  # [T, T]
            mask = shown[None, None] if mask is None else mask & shown
        x = first = self.embed(ids, change.positions)
        found = []
        for number, layer in enumerate(cast("Iterable[BertLayer]", self.layers)):
            found.append(layer.see(x, mask, change, number))
            x = found[-1].out
        return BertSeen(first, tuple(found))


def mean_pool(hidden: Tensor, kept: Tensor) -> Tensor:
    """Sentence vectors [B, D] of length 1: the mean of the token vectors [B, T, D] where `kept` [B, T] is True."""
    share = kept.unsqueeze(-1).to(hidden.dtype)
    return F.normalize((hidden * share).sum(dim=1) / share.sum(dim=1).clamp(min=1e-9), dim=-1)
