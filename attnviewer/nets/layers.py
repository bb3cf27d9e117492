"""Layers of Transformers, pre-norm: attention and a small network, each of which adds to the tokens' vectors.

Letters: B sentences (or photos), K hypotheses, S source words (or locations), T target words, N layers, H heads, D
width.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import torch
from torch import Tensor, nn

from attnviewer.core.ablation import Ablation, Changes
from attnviewer.nets.multihead import UNCHANGED, Attended, FeedForward, MultiHead


class Memory(NamedTuple):
    """What the source contributes: keys and values [B, S, N, D] of each decoder layer, mask [B, S], mean [B, D].

    `letters` [B, S, E] and `typed` [B, T, E] are as in the memory of `translator`.
    """

    keys: Tensor
    values: Tensor
    mask: Tensor
    mean: Tensor
    letters: Tensor
    typed: Tensor | None = None
    change: Changes = Changes()


class EncoderSeen(NamedTuple):
    """What an encoder layer computed: what attention and the feed-forward network add, and the sums."""

    attended: Attended
    middle: Tensor
    fed: Tensor
    out: Tensor


class DecoderSeen(NamedTuple):
    """What a decoder layer computed; `read` is the sum behind self-attention, `middle` that behind cross-attention."""

    own: Attended
    read: Tensor
    cross: Attended
    middle: Tensor
    fed: Tensor
    out: Tensor


class EncoderLayer(nn.Module):
    """Self-attention, then a small network at each token; both read normalised vectors and add to the plain ones."""

    def __init__(self, width: int, heads: int, inner: int, reach: int, dropout: float) -> None:
        super().__init__()
        self.own, self.feed = MultiHead(width, heads, reach), FeedForward(width, inner, dropout)
        self.before_own, self.before_feed = nn.LayerNorm(width), nn.LayerNorm(width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, mask: Tensor | None, change: Ablation = UNCHANGED, layer: int = 0) -> EncoderSeen:
        """The layer on `x` [B, S, D]; `mask` [B, 1, S or 1, S] is False where nothing may be seen."""
        kept, calm = float(change.residuals), self.before_own(x)
        keys, values = (self.own.split(made(calm)) for made in (self.own.key, self.own.value))
        attended = self.own(calm, keys, values, mask, change=change, layer=layer)
        middle = kept * x + self.dropout(attended.out)
        fed = self.feed(self.before_feed(middle))
        return EncoderSeen(attended, middle, fed, kept * middle + self.dropout(fed))


class DecoderLayer(EncoderLayer):
    """As the encoder's, with a look at the source in between."""

    def __init__(self, width: int, heads: int, inner: int, reach: int, dropout: float) -> None:
        super().__init__(width, heads, inner, reach, dropout)
        self.cross, self.before_cross = MultiHead(width, heads), nn.LayerNorm(width)

    def teach(self, x: Tensor, memory: Memory, layer: int, mask: Tensor | None) -> DecoderSeen:
        """The layer on given words `x` [B, T, D] or [B, K, T, D]; `mask` [T, T] is who may see whom."""
        calm = self.before_own(x)
        keys, values = (self.own.split(made(calm)) for made in (self.own.key, self.own.value))
        own = self.own(calm, keys, values, mask, change=memory.change.decoder, layer=layer)
        return self._look(x, own.out, own, memory, layer, None)

    def step(
        self, x: Tensor, memory: Memory, layer: int, cache: tuple[Tensor, Tensor], given: Tensor | None
    ) -> DecoderSeen:
        """The layer on one word of each hypothesis, `x` [B, K, D]; `cache` are keys and values [B, K, H, T, D / H] of
        the words before, and `given` [B, K, H, S] weights imposed on the look at the source.
        """
        calm = self.before_own(x).unsqueeze(2)  # [B, K, 1, D]
        new = (self.own.split(made(calm)) for made in (self.own.key, self.own.value))  # each [B, K, H, 1, D / H]
        keys, values = (torch.cat(pair, dim=-2) for pair in zip(cache, new, strict=True))
        mask = causal(keys.shape[-2], memory.change.decoder)[-1:].to(x.device)
        own = self.own(calm, keys, values, mask, start=keys.shape[-2] - 1, change=memory.change.decoder, layer=layer)
        return self._look(x, own.out.squeeze(2), own, memory, layer, given)

    def _look(
        self, x: Tensor, added: Tensor, own: Attended, memory: Memory, layer: int, given: Tensor | None
    ) -> DecoderSeen:
        change, kept = memory.change.cross, float(memory.change.decoder.residuals)
        read = kept * x + self.dropout(added)
        keys, values = (self.cross.split(part[:, :, layer]) for part in (memory.keys, memory.values))
        given = None if given is None else given.transpose(1, 2)  # [B, H, K, S]
        mask = memory.mask[:, None, None]  # [B, 1, 1, S]
        calm = self.before_cross(read).flatten(1, -2)  # [B, K * T, D]: all look at the same source
        cross = self.cross(calm, keys, values, mask, given=given, change=change, layer=layer)
        middle = float(change.residuals) * read + self.dropout(cross.out.view_as(read))
        fed = self.feed(self.before_feed(middle))
        return DecoderSeen(own, read, cross, middle, fed, kept * middle + self.dropout(fed))


def causal(length: int, change: Ablation = UNCHANGED) -> Tensor:
    """Who may see whom among target words, [T, T]: none those behind it (unless let ahead), nor what is hidden."""
    visible = torch.ones(length, length, dtype=torch.bool)
    visible = visible if change.ahead else visible.tril()
    within = tuple(cell for cell in change.hidden if max(cell) < length)
    own = replace(change, hidden=within).visible(length)
    return visible if own is None else visible & torch.from_numpy(own)
