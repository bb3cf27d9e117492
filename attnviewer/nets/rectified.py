"""A captioner after Xu et al. 2015 as most people have built it: rectified attention, a gate for each channel.

The form is that of a widely used tutorial for PyTorch, so that checkpoints trained with it can be read. Letters as in
`captioner`.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from attnviewer.nets import state as states
from attnviewer.nets.attention import impose, softmax
from attnviewer.nets.captioner import Glance, Memory, State


@dataclass(frozen=True)
class RectifiedConfig:
    """Sizes; attention is soft."""

    vocabulary: int
    attention: str = "soft"
    annotation: int = 2048
    match: int = 512
    embedding: int = 512
    hidden: int = 512


class RectifiedCaptioner(nn.Module):
    """Scores w . relu(U a + W h); the context, gated channel by channel, enters the LSTM beside the last word."""

    heads: tuple[str, ...] = ("attention",)
    pointer: int | None = 0
    has_attention = True

    def __init__(self, config: RectifiedConfig) -> None:
        super().__init__()
        self.config = c = config
        self.encoder_att = nn.Linear(c.annotation, c.match)
        self.decoder_att = nn.Linear(c.hidden, c.match)
        self.full_att = nn.Linear(c.match, 1)
        self.embedding = nn.Embedding(c.vocabulary, c.embedding)
        self.decode_step = nn.LSTMCell(c.embedding + c.annotation, c.hidden)
        self.init_h = nn.Linear(c.annotation, c.hidden)
        self.init_c = nn.Linear(c.annotation, c.hidden)
        self.f_beta = nn.Linear(c.hidden, c.annotation)
        self.fc = nn.Linear(c.hidden, c.vocabulary)

    def encode_source(self, annotations: Tensor) -> Memory:
        """Prepare `annotations` [B, L, D]: keys once; the values are the annotations themselves."""
        return Memory(self.encoder_att(annotations), annotations, annotations.mean(dim=1))

    def start(self, memory: Memory, captions: int) -> State:
        """The first state, read from the mean annotation: [B, K, S] twice."""
        first = (self.init_h(memory.mean), self.init_c(memory.mean))
        return State(*(part.unsqueeze(1).expand(-1, captions, -1) for part in first))

    def reorder(self, state: State, order: Tensor) -> State:
        """The state of the captions that `order` [B, K] names."""
        return states.reorder(state, order)

    def forward(
        self, memory: Memory, state: State, words: Tensor, *, weights: Tensor | None = None,
        pick: str | None = None, average: Tensor | None = None, generator: torch.Generator | None = None,
    ) -> Glance:  # fmt: skip
        """Look with the last state, then read the last `words` [B, K]; `weights` [B, K, H, L] are imposed."""
        query = self.decoder_att(state.hidden).unsqueeze(2)  # [B, K, 1, A]
        scores = self.full_att(torch.relu(memory.keys.unsqueeze(1) + query)).squeeze(-1).float()  # [B, K, L]
        own = softmax(scores)
        if weights is not None:
            own = impose(own, weights.squeeze(2))
        gate = torch.sigmoid(self.f_beta(state.hidden))  # [B, K, D]
        context = gate * torch.matmul(own.to(memory.values.dtype), memory.values)  # [B, K, D]
        read = torch.cat((self.embedding(words), context), dim=-1)
        shape = state.hidden.shape
        flat = tuple(part.reshape(-1, shape[-1]) for part in state)
        hidden, cell = self.decode_step(read.reshape(-1, read.shape[-1]), flat)
        after = State(hidden.view(shape), cell.view(shape))
        return Glance(after.hidden, after, own.unsqueeze(2), scores.unsqueeze(2), None, gate.mean(dim=-1))

    def logits(self, output: Tensor) -> Tensor:
        """Scores of every word [..., V] for a state [..., S]."""
        return self.fc(output)
