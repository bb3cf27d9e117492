"""Show, Attend and Tell (Xu et al. 2015): an LSTM that chooses, for each word, where in the photo to look.

Letters: B photos, K captions a photo, H heads (one), L locations, V vocabulary size; sizes of an annotation D, of
attention A, of a context C, of an embedding E, of the state S.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from attnviewer.core.modes import MODES
from attnviewer.nets import state as states
from attnviewer.nets.attention import AdditiveAttention, impose, sample, softmax


@dataclass(frozen=True)
class CaptionerConfig:
    """Sizes of a captioner; `attention` is soft, hard or none."""

    vocabulary: int
    attention: str = "soft"
    annotation: int = 1392
    match: int = 256
    context: int = 512
    embedding: int = 256
    hidden: int = 512
    dropout: float = 0.3


class Memory(NamedTuple):
    """What a photo contributes, computed once: keys [B, L, A], values [B, L, C] and the mean annotation [B, D]."""

    keys: Tensor
    values: Tensor
    mean: Tensor


class State(NamedTuple):
    """The LSTM's hidden state and cell, each [B, K, S]."""

    hidden: Tensor
    cell: Tensor


class Glance(NamedTuple):
    """One step: output features [B, K, E], weights and scores [B, K, H, L] (None without attention), gate [B, K]."""

    output: Tensor
    state: State
    weights: Tensor | None
    scores: Tensor | None
    sampled: Tensor | None
    gate: Tensor | None


class Captioner(nn.Module):
    """The decoder: attention from the last state and word, gate beta, LSTM, deep output over a tied embedding."""

    centre: Tensor
    spread: Tensor

    def __init__(self, config: CaptionerConfig) -> None:
        super().__init__()
        self.config = c = config
        self.register_buffer("centre", torch.zeros(c.annotation))
        self.register_buffer("spread", torch.ones(c.annotation))
        self.embedding = nn.Embedding(c.vocabulary, c.embedding)
        nn.init.normal_(self.embedding.weight, std=c.embedding**-0.5)
        self.first = nn.Linear(c.annotation, 2 * c.hidden)
        self.has_attention = MODES[c.attention].has_attention
        self.heads: tuple[str, ...] = ("attention",) if self.has_attention else ()
        self.pointer: int | None = 0 if self.has_attention else None
        if self.has_attention:
            self.value = nn.Linear(c.annotation, c.context)
            self.attention = AdditiveAttention(c.annotation, c.hidden + c.embedding, c.match)
            self.gate = nn.Linear(c.hidden, 1)
            self.out_context = nn.Linear(c.context, c.embedding, bias=False)
        self.lstm = nn.LSTMCell(c.embedding + c.context * self.has_attention, c.hidden)
        self.out_hidden = nn.Linear(c.hidden, c.embedding)
        self.bias = nn.Parameter(torch.zeros(c.vocabulary))
        self.dropout = nn.Dropout(c.dropout)

    def encode_source(self, annotations: Tensor) -> Memory:
        """Prepare `annotations` [B, L, D]: keys and values are computed once and shared by every word and caption."""
        scaled = (annotations - self.centre) / self.spread
        mean = scaled.mean(dim=1)  # [B, D]
        if not self.has_attention:
            empty = scaled.new_zeros(len(scaled), 0, 1)
            return Memory(empty, empty, mean)
        return Memory(self.attention.key(scaled), self.value(scaled), mean)

    def start(self, memory: Memory, captions: int) -> State:
        """The first state, read from the mean annotation: [B, K, S] twice."""
        both = torch.tanh(self.first(memory.mean)).unsqueeze(1).expand(-1, captions, -1)  # [B, K, 2S]
        hidden, cell = both.chunk(2, dim=-1)
        return State(hidden, cell)

    def reorder(self, state: State, order: Tensor) -> State:
        """The state of the captions that `order` [B, K] names."""
        return states.reorder(state, order)

    def forward(
        self, memory: Memory, state: State, words: Tensor, *, weights: Tensor | None = None,
        pick: str | None = None, average: Tensor | None = None, generator: torch.Generator | None = None,
    ) -> Glance:  # fmt: skip
        """Read the last `words` [B, K], look, and make ready to score the next word with `logits`.

        Parameters
        ----------
        weights : [B, K, H, L] imposed attention, instead of the net's own where it isn't NaN.
        pick : None for the weighted average (soft), "sample" or "argmax" for one location (hard).
        average : [B, K] captions (True) that get the weighted average although `pick` is given, as in training.
        """
        embedded = self.dropout(self.embedding(words))  # [B, K, E]
        scores = own = sampled = gate = None
        parts, out = [embedded], embedded
        if self.has_attention:
            query = torch.cat((state.hidden, embedded), dim=-1)  # [B, K, S + E]
            scores = self.attention(memory.keys, query).float()  # [B, K, L]
            own = softmax(scores)  # [B, K, L]
            if weights is not None:
                own = impose(own, weights.squeeze(2))
            used = own
            if pick is not None:
                sampled = _locate(own, pick, generator)  # [B, K]
                used = nn.functional.one_hot(sampled, own.shape[-1]).to(own.dtype)
                used = used if average is None else torch.where(average.unsqueeze(-1), own, used)
            gate = torch.sigmoid(self.gate(state.hidden)).squeeze(-1)  # [B, K]
            context = torch.matmul(used.to(memory.values.dtype), memory.values)  # [B, K, C]
            context = gate.unsqueeze(-1) * context
            parts.append(context)
            out = out + self.out_context(context)
        state = self._advance(torch.cat(parts, dim=-1), state)
        out = torch.tanh(out + self.out_hidden(self.dropout(state.hidden)))  # [B, K, E]
        return Glance(out, state, _as_head(own), _as_head(scores), sampled, gate)

    def logits(self, output: Tensor) -> Tensor:
        """Scores of every word [..., V] for output features [..., E], over the tied embedding."""
        return nn.functional.linear(self.dropout(output), self.embedding.weight, self.bias)

    def _advance(self, read: Tensor, state: State) -> State:
        shape = state.hidden.shape
        flat = (part.reshape(-1, shape[-1]) for part in state)
        hidden, cell = self.lstm(read.reshape(-1, read.shape[-1]), tuple(flat))
        return State(hidden.view(shape), cell.view(shape))


def _as_head(part: Tensor | None) -> Tensor | None:
    return None if part is None else part.unsqueeze(2)  # [B, K, 1, L]


def _locate(weights: Tensor, pick: str, generator: torch.Generator | None) -> Tensor:
    if pick == "argmax":
        return weights.argmax(dim=-1)
    return sample(weights.flatten(0, 1), generator).view(weights.shape[:2])
