"""A Transformer that translates (Vaswani et al. 2017), pre-norm, over the embeddings that the other translators use.

Letters: B sentences, K hypotheses a sentence, S source words, T target words, N layers, H heads, E size of an
embedding, D width.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, cast

import torch
from torch import Tensor, nn

from attnviewer.core.ablation import Ablation, Changes
from attnviewer.core.text import UNKNOWN
from attnviewer.nets import state as states
from attnviewer.nets.layers import DecoderLayer, DecoderSeen, EncoderLayer, EncoderSeen, Memory, causal
from attnviewer.nets.multihead import Positions
from attnviewer.nets.translator import Words, strange


@dataclass(frozen=True)
class TransformerConfig:
    """Sizes of a Transformer; `source` and `target` are those of the vocabularies, marks included.

    Parameters
    ----------
    order : how words are told their places: sinusoidal, learnt, relative or none.
    layers : of the encoder and of the decoder each.
    guided : (layer, head) of cross-attention: the head that looks for the word to come, and copies unknown ones.
    telling : (layer, head) of the head that looks where the word just read came from.
    """

    source: int
    target: int
    attention: str = "soft"
    embedding: int = 192
    spelling: int = 4096
    width: int = 256
    heads: int = 4
    layers: int = 3
    inner: int = 704
    order: str = "sinusoidal"
    reach: int = 16
    guided: tuple[int, int] = (1, 0)
    telling: tuple[int, int] = (1, 1)
    dropout: float = 0.1


class State(NamedTuple):
    """The cache: keys and values [B, K, N, H, T, D / H] of the words read so far; `copied` and `written` as in
    `translator`.
    """

    keys: Tensor
    values: Tensor
    copied: Tensor
    written: Tensor


class Glance(NamedTuple):
    """One step: output features [B, K, E], weights and scores [B, K, N * H, S] of cross-attention."""

    output: Tensor
    state: State
    weights: Tensor
    scores: Tensor
    sampled: Tensor | None = None
    gate: Tensor | None = None


class Transformer(nn.Module):
    """Encoder and decoder over given embeddings `words`, which are not part of its own weights.

    Its heads are those of cross-attention, "layer.head". One is guided to the word to come, another to where the word
    just read came from.
    """

    has_attention = tells = True

    def __init__(self, config: TransformerConfig, words: Words) -> None:
        super().__init__()
        self.config = c = config
        self._words = [words]  # in a list, so that they count as nobody's child
        self.heads = tuple(f"{layer}.{head}" for layer in range(c.layers) for head in range(c.heads))
        self.pointer: int | None = self._number(c.guided)
        sizes = (c.width, c.heads, c.inner, c.reach if c.order == "relative" else 0, c.dropout)
        self.read, self.write = (
            nn.Sequential(nn.Linear(c.embedding, c.width), nn.LayerNorm(c.width)) for _ in range(2)
        )
        self.places = Positions(c.order, c.width)
        self.encoder = nn.ModuleList(EncoderLayer(*sizes) for _ in range(c.layers))
        self.decoder = nn.ModuleList(DecoderLayer(*sizes) for _ in range(c.layers))
        self.after_encoder, self.after_decoder = nn.LayerNorm(c.width), nn.LayerNorm(c.width)
        self.leave = nn.Linear(c.width, c.embedding)
        self.bias = nn.Parameter(torch.zeros(c.target))
        self.dropout = nn.Dropout(c.dropout)

    @property
    def words(self) -> Words:
        """The embeddings it stands on."""
        return self._words[0]

    def encode_source(
        self, ids: Tensor, ngrams: Tensor, order: Tensor | None = None, change: Changes | None = None
    ) -> Memory:
        """Read source words `ids` [B, S] (0 pads) with `ngrams` [B, S, G].

        `order` [B, S] puts the vectors that are looked at in another order than the words were read in; `change` is
        obeyed here and by all that reads the memory.
        """
        change, mask, letters = change or Changes(), ids != 0, self.words.embed_ngrams(ngrams)
        change.check((self.config.layers,) * 2, self.config.heads)
        x = self.after_encoder(self.encode(self.words.source(ids) + letters, mask, change.encoder)[1][-1].out)
        if order is not None:
            x, letters = (part.gather(1, order.unsqueeze(-1).expand_as(part)) for part in (x, letters))
        keys, values = (
            torch.stack([getattr(layer.cross, name)(x) for layer in self.decoder], dim=2) for name in ("key", "value")
        )  # [B, S, N, D]
        return Memory(keys, values, mask, x.mean(dim=1), letters, change=change)

    def encode(self, embedded: Tensor, mask: Tensor, change: Ablation) -> tuple[Tensor, list[EncoderSeen]]:
        """The vectors [B, S, D] that enter the encoder, made of `embedded` [B, S, E], and what each layer computed."""
        visible = change.visible(mask.shape[1])
        shown = mask[:, None, None]  # [B, 1, 1, S]
        if visible is not None:
            shown = shown & torch.from_numpy(visible).to(mask.device)
        first = self.read(self.dropout(embedded))
        first = x = self.places(first) if change.positions else first
        seen: list[EncoderSeen] = []
        for number, layer in enumerate(cast("Iterable[EncoderLayer]", self.encoder)):
            seen.append(layer(x, shown, change, number))
            x = seen[-1].out
        return first, seen

    def start(self, memory: Memory, hypotheses: int) -> State:
        """An empty cache for K hypotheses of each sentence."""
        c, sentences = self.config, len(memory.mean)
        cache = memory.mean.new_zeros(sentences, hypotheses, c.layers, c.heads, 0, c.width // c.heads)
        copied = memory.letters.new_zeros(sentences, hypotheses, c.embedding)
        return State(cache, cache, copied, copied[..., :1])

    def reorder(self, state: State, order: Tensor) -> State:
        """The cache of the hypotheses that `order` [B, K] names."""
        return states.reorder(state, order)

    def forward(
        self, memory: Memory, state: State, words: Tensor, *, weights: Tensor | None = None,
        pick: str | None = None, generator: torch.Generator | None = None,
    ) -> Glance:  # fmt: skip
        """Read the last `words` [B, K], look, and make ready to score the next word with `logits`.

        An unknown word is read as it was typed, where the memory knows, or as the source word that was copied.
        `weights` [B, K, N * H, S] are imposed instead of the net's own where they aren't NaN.
        """
        seen = self._step(memory, state, words, weights)
        pointed, scores = (self._every_head([getattr(one.cross, n) for one in seen]) for n in ("weights", "scores"))
        best = pointed[:, :, self.pointer].argmax(dim=-1, keepdim=True)  # [B, K, 1]
        keys, values = (torch.stack([getattr(one.own, n) for one in seen], dim=2) for n in ("keys", "values"))
        copied = memory.letters.gather(1, best.expand_as(state.copied))
        return Glance(self._out(seen), State(keys, values, copied, state.written + 1), pointed, scores)

    def origin(self, memory: Memory, state: State, words: Tensor) -> Tensor:
        """Where `words` [B, K], which `forward` would read next, came from: weights [B, K, S] of the telling head."""
        layer, head = self.config.telling
        return self._step(memory, state, words, None)[layer].cross.weights[:, head]

    def teach(self, memory: Memory, inputs: Tensor, ngrams: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Read given words `inputs` [B, T] with `ngrams` [B, T, G], all at once.

        Returns output features [B, T, E], and the weights [B, T, S] of the guided and of the telling head.
        """
        seen = self.follow(memory, inputs, ngrams)[1]
        (guided, g), (telling, t) = self.config.guided, self.config.telling
        return self._out(seen), seen[guided].cross.weights[:, g], seen[telling].cross.weights[:, t]

    def follow(self, memory: Memory, inputs: Tensor, ngrams: Tensor) -> tuple[Tensor, list[DecoderSeen]]:
        """The vectors [B, T, D] of given words that enter the decoder, and what each layer computed; no word sees
        those behind it.
        """
        change, length = memory.change.decoder, inputs.shape[1]
        visible = causal(length, change).to(inputs.device)
        first = self.write(self.dropout(self.words.target(inputs) + self.words.embed_ngrams(ngrams)))
        first = x = self.places(first) if change.positions else first
        seen: list[DecoderSeen] = []
        for number, layer in enumerate(cast("Iterable[DecoderLayer]", self.decoder)):
            seen.append(layer.teach(x, memory, number, visible))
            x = seen[-1].out
        return first, seen

    def logits(self, output: Tensor) -> Tensor:
        """Scores of every target word [..., V] for output features [..., E], over the tied embedding."""
        return nn.functional.linear(self.dropout(output), self.words.target.weight, self.bias)

    def read_out(self, x: Tensor) -> Tensor:
        """Output features [..., E] of decoder vectors [..., D], after any layer."""
        return self.leave(self.after_decoder(x))

    def _out(self, seen: list[DecoderSeen]) -> Tensor:
        return self.read_out(seen[-1].out)

    def _step(self, memory: Memory, state: State, words: Tensor, weights: Tensor | None) -> list[DecoderSeen]:
        done, heads = state.keys.shape[-2], self.config.heads
        x = self.write(self.dropout(self._written(memory, state, words)))
        if memory.change.decoder.positions:
            x = self.places(x.unsqueeze(2), done).squeeze(2)
        seen: list[DecoderSeen] = []
        for n, layer in enumerate(cast("Iterable[DecoderLayer]", self.decoder)):
            given = None if weights is None else weights[:, :, n * heads : (n + 1) * heads]
            seen.append(layer.step(x, memory, n, (state.keys[:, :, n], state.values[:, :, n]), given))
            x = seen[-1].out
        return seen

    def _written(self, memory: Memory, state: State, words: Tensor) -> Tensor:
        """Vectors [B, K, E] of the last words [B, K]."""
        unknown = (words == UNKNOWN).unsqueeze(-1)
        letters = self.words.embed_ngrams(self.words.spelled[words]) + unknown * strange(memory, state)
        return self.words.target(words) + letters

    @staticmethod
    def _every_head(parts: list[Tensor]) -> Tensor:
        """Maps [B, H, K, S] of each layer as [B, K, N * H, S]."""
        return torch.cat(parts, dim=1).transpose(1, 2)

    def _number(self, head: tuple[int, int]) -> int:
        return head[0] * self.config.heads + head[1]
