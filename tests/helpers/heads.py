"""A decoder with three heads, whose next word hangs on all words so far: its state is a cache that grows."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from attnviewer.nets import state as states
from attnviewer.nets.attention import impose, softmax

HEADS = ("left", "middle", "right")
SIZE = 8


class Memory(NamedTuple):
    """Annotations [B, L, D] as keys, and their mean [B, D]."""

    keys: Tensor
    mean: Tensor


class State(NamedTuple):
    """The vectors of all words read so far [B, K, T, E]."""

    cache: Tensor


class Glance(NamedTuple):
    """As the glance of a captioner, with weights and scores [B, K, 3, L]."""

    output: Tensor
    state: State
    weights: Tensor
    scores: Tensor
    sampled: Tensor | None = None
    gate: Tensor | None = None


class ThreeHeads(nn.Module):
    """Each head asks with a query of its own; what was read is the mean of the cache, weighted by order."""

    heads = HEADS
    has_attention = True

    def __init__(self, annotation: int = 12, vocabulary: int = 20, seed: int = 0, pointer: int | None = 1) -> None:
        super().__init__()
        torch.manual_seed(seed)
        self.pointer = pointer
        self.embedding = nn.Embedding(vocabulary, SIZE)
        self.query = nn.Linear(SIZE, len(HEADS) * annotation)
        self.value = nn.Linear(len(HEADS) * annotation, SIZE)
        self.bias = nn.Parameter(torch.zeros(vocabulary))
        with torch.no_grad():
            for value in self.parameters():
                value.mul_(2)

    def encode_source(self, annotations: Tensor) -> Memory:
        return Memory(annotations, annotations.mean(dim=1))

    def start(self, memory: Memory, hypotheses: int) -> State:
        return State(memory.keys.new_zeros(len(memory.keys), hypotheses, 0, SIZE))

    def reorder(self, state: State, order: Tensor) -> State:
        return states.reorder(state, order)

    def forward(
        self, memory: Memory, state: State, words: Tensor, *, weights: Tensor | None = None,
        pick: str | None = None, generator: torch.Generator | None = None,
    ) -> Glance:  # fmt: skip
        cache = torch.cat((state.cache, self.embedding(words).unsqueeze(2)), dim=2)  # [B, K, T, E]
        order = torch.arange(1, cache.shape[2] + 1).float()
        read = (cache * order.unsqueeze(-1)).sum(dim=2) / order.sum()  # [B, K, E]
        query = self.query(read).unflatten(-1, (len(HEADS), -1))  # [B, K, H, D]
        scores = torch.einsum("bkhd,bld->bkhl", query, memory.keys)
        own = impose(softmax(scores), weights)
        context = torch.einsum("bkhl,bld->bkhd", own, memory.keys).flatten(2)
        return Glance(read + self.value(context), State(cache), own, scores)

    def logits(self, output: Tensor) -> Tensor:
        return nn.functional.linear(output, self.embedding.weight, self.bias)
