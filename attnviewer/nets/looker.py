"""A Transformer that captions: the photo's locations first look at each other, then words look at them.

Letters: B photos, K captions a photo, L locations, T words, N layers, H heads, D width.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, cast

import torch
from torch import Tensor, nn

from attnviewer.core.ablation import Ablation, Changes
from attnviewer.nets import state as states
from attnviewer.nets.layers import DecoderLayer, DecoderSeen, EncoderLayer, EncoderSeen, Memory, causal
from attnviewer.nets.multihead import Positions, sinusoidal_2d


@dataclass(frozen=True)
class LookerConfig:
    """Sizes of a captioning Transformer.

    Parameters
    ----------
    annotation : size of an annotation vector.
    before, layers : how often locations look at each other, and words at locations.
    guided : (layer, head) of the look at the photo that is trained to lie on the word's thing.
    """

    vocabulary: int
    attention: str = "soft"
    annotation: int = 1392
    width: int = 256
    heads: int = 8
    before: int = 1
    layers: int = 2
    inner: int = 960
    guided: tuple[int, int] = (1, 0)
    dropout: float = 0.1


class State(NamedTuple):
    """The cache: keys and values [B, K, N, H, T, D / H] of the words read so far."""

    keys: Tensor
    values: Tensor


class Glance(NamedTuple):
    """One step: output features [B, K, D], weights and scores [B, K, N * H, L] of the looks at the photo."""

    output: Tensor
    state: State
    weights: Tensor
    scores: Tensor
    sampled: Tensor | None = None
    gate: Tensor | None = None


class Looker(nn.Module):
    """Self-attention over annotation vectors with 2-d positions, and a decoder over a tied embedding."""

    has_attention = True

    centre: Tensor
    spread: Tensor

    def __init__(self, config: LookerConfig) -> None:
        super().__init__()
        self.config = c = config
        self.heads = tuple(f"{layer}.{head}" for layer in range(c.layers) for head in range(c.heads))
        self.pointer: int | None = c.guided[0] * c.heads + c.guided[1]
        sizes = (c.width, c.heads, c.inner, 0, c.dropout)
        self.register_buffer("centre", torch.zeros(c.annotation))
        self.register_buffer("spread", torch.ones(c.annotation))
        self.read = nn.Sequential(nn.Linear(c.annotation, c.width), nn.LayerNorm(c.width))
        self.encoder = nn.ModuleList(EncoderLayer(*sizes) for _ in range(c.before))
        self.after_encoder, self.after_decoder = nn.LayerNorm(c.width), nn.LayerNorm(c.width)
        self.embedding = nn.Embedding(c.vocabulary, c.width)
        nn.init.normal_(self.embedding.weight, std=c.width**-0.5)
        self.write = nn.LayerNorm(c.width)
        self.places = Positions("sinusoidal", c.width)
        self.decoder = nn.ModuleList(DecoderLayer(*sizes) for _ in range(c.layers))
        self.bias = nn.Parameter(torch.zeros(c.vocabulary))
        self.dropout = nn.Dropout(c.dropout)

    def encode_source(self, annotations: Tensor, change: Changes | None = None) -> Memory:
        """Prepare `annotations` [B, L, A]: they look at each other, and their keys and values are shared by all words.

        `change` is obeyed here and by all that reads the memory.
        """
        change = change or Changes()
        change.check((self.config.before, self.config.layers), self.config.heads)
        x = self.after_encoder(self.encode(annotations, change.encoder)[1][-1].out)  # [B, L, D]
        keys, values = (
            torch.stack([getattr(layer.cross, name)(x) for layer in self.decoder], dim=2) for name in ("key", "value")
        )  # [B, L, N, D]
        mask = torch.ones(x.shape[:2], dtype=torch.bool, device=x.device)
        return Memory(keys, values, mask, x.mean(dim=1), letters=x[..., :0], change=change)

    def encode(self, annotations: Tensor, change: Ablation) -> tuple[Tensor, list[EncoderSeen]]:
        """The vectors [B, L, D] of a square grid that enter the encoder, and what each layer computed."""
        visible = change.visible(annotations.shape[1])
        mask = None if visible is None else torch.from_numpy(visible).to(annotations.device)
        first = self.read((annotations - self.centre) / self.spread)
        if change.positions:
            side = round(annotations.shape[1] ** 0.5)
            first = first + sinusoidal_2d(side, side, self.config.width).to(first)
        x, seen = first, []
        for number, layer in enumerate(cast("Iterable[EncoderLayer]", self.encoder)):
            seen.append(layer(x, mask, change, number))
            x = seen[-1].out
        return first, seen

    def start(self, memory: Memory, captions: int) -> State:
        """An empty cache for K captions of each photo."""
        c = self.config
        cache = memory.mean.new_zeros(len(memory.mean), captions, c.layers, c.heads, 0, c.width // c.heads)
        return State(cache, cache)

    def reorder(self, state: State, order: Tensor) -> State:
        """The cache of the captions that `order` [B, K] names."""
        return states.reorder(state, order)

    def forward(
        self, memory: Memory, state: State, words: Tensor, *, weights: Tensor | None = None,
        pick: str | None = None, generator: torch.Generator | None = None,
    ) -> Glance:  # fmt: skip
        """Read the last `words` [B, K], look, and make ready to score the next word with `logits`.

        `weights` [B, K, N * H, L] are imposed instead of the net's own where they aren't NaN.
        """
        x, heads = self.write(self.dropout(self.embedding(words))), self.config.heads
        if memory.change.decoder.positions:
            x = self.places(x.unsqueeze(2), state.keys.shape[-2]).squeeze(2)
        seen: list[DecoderSeen] = []
        for n, layer in enumerate(cast("Iterable[DecoderLayer]", self.decoder)):
            given = None if weights is None else weights[:, :, n * heads : (n + 1) * heads]
            seen.append(layer.step(x, memory, n, (state.keys[:, :, n], state.values[:, :, n]), given))
            x = seen[-1].out
        maps = (
            torch.cat([getattr(one.cross, n) for one in seen], dim=1).transpose(1, 2) for n in ("weights", "scores")
        )
        cache = State(*(torch.stack([getattr(one.own, n) for one in seen], dim=2) for n in ("keys", "values")))
        return Glance(self.after_decoder(x), cache, *maps)

    def teach(self, memory: Memory, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """Read given words `inputs` [B, K, T], all at once: output features [B, K, T, D], and the guided head's weights
        [B, K, T, L].
        """
        x = self.write(self.dropout(self.embedding(inputs)))
        x = self.places(x) if memory.change.decoder.positions else x
        mask, guided = causal(inputs.shape[-1], memory.change.decoder).to(x.device), None
        for number, layer in enumerate(cast("Iterable[DecoderLayer]", self.decoder)):
            seen = layer.teach(x, memory, number, mask)
            x = seen.out
            if number == self.config.guided[0]:
                guided = seen.cross.weights[:, self.config.guided[1]].unflatten(1, inputs.shape[1:])
        assert guided is not None  # the guided head is one of a layer's
        return self.after_decoder(x), guided

    def logits(self, output: Tensor) -> Tensor:
        """Scores of every word [..., V] for output features [..., D], over the tied embedding."""
        return nn.functional.linear(self.dropout(output), self.embedding.weight, self.bias)
