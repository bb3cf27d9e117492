"""Neural translation (Bahdanau et al. 2014): a bidirectional GRU reads, a GRU writes and looks back at what was read.

Letters: B sentences, S source words, K hypotheses a sentence, G letter groups a word; sizes of an embedding E, of one
direction of the reader R, of the state H, of attention A.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from attnviewer.nets.attention import AdditiveAttention, softmax


@dataclass(frozen=True)
class TranslatorConfig:
    """Sizes of a translator; `attention` is soft (by content), location, or none.

    Parameters
    ----------
    source, target : sizes of the vocabularies, marks included.
    spelling : buckets of letter groups; a source word is its own vector plus the mean of its groups'.
    positions : a location-based map tells so many places apart; the rest share the last score.
    """

    source: int
    target: int
    attention: str = "soft"
    embedding: int = 128
    reader: int = 192
    hidden: int = 288
    match: int = 192
    spelling: int = 2048
    positions: int = 50
    dropout: float = 0.2


class Words(nn.Module):
    """The embeddings of both languages, which several translators share."""

    def __init__(self, source: int, target: int, spelling: int, size: int) -> None:
        super().__init__()
        self.source = nn.Embedding(source, size, padding_idx=0)
        self.letters = nn.EmbeddingBag(spelling + 1, size, mode="mean", padding_idx=spelling)
        self.target = nn.Embedding(target, size)
        for table in (self.source, self.letters, self.target):
            nn.init.normal_(table.weight, std=size**-0.5)
        with torch.no_grad():
            self.source.weight[0] = 0
            self.letters.weight[spelling] = 0

    def read(self, ids: Tensor, groups: Tensor) -> Tensor:
        """Vectors [B, S, E] of source words `ids` [B, S] with their letter `groups` [B, S, G]."""
        letters = self.letters(groups.flatten(0, 1)).unflatten(0, groups.shape[:2])  # [B, S, E]
        return self.source(ids) + letters


class Memory(NamedTuple):
    """What the source contributes: keys [B, S, A], values [B, S, 2R + E], mask [B, S], summary `mean` [B, 2R]."""

    keys: Tensor
    values: Tensor
    mask: Tensor
    mean: Tensor


class State(NamedTuple):
    """The writer's state [B, K, H]."""

    hidden: Tensor


class Glance(NamedTuple):
    """One step: output features [B, K, E], weights and scores [B, K, S] (None without attention)."""

    output: Tensor
    state: State
    weights: Tensor | None
    scores: Tensor | None
    sampled: Tensor | None = None
    gate: Tensor | None = None


class Translator(nn.Module):
    """Reader and writer over given embeddings `words`, which are not part of its own weights.

    What is looked at is the reader's state beside the word's own embedding, so that rare words aren't lost on the way.
    """

    def __init__(self, config: TranslatorConfig, words: Words) -> None:
        super().__init__()
        self.config = c = config
        self._words = [words]  # in a list, so that they count as nobody's child
        self.reader = nn.GRU(c.embedding, c.reader, batch_first=True, bidirectional=True)
        self.first = nn.Linear(2 * c.reader, c.hidden)
        self.looks = c.attention != "none"
        value = 2 * c.reader + c.embedding
        if c.attention == "location":
            self.place = nn.Linear(c.hidden, c.positions)
        elif self.looks:
            self.attention = AdditiveAttention(value, c.hidden, c.match)
        self.listen = nn.GRUCell(c.embedding, c.hidden)  # takes in the last word
        self.decide = nn.GRUCell(value if self.looks else c.embedding, c.hidden)  # takes in what was looked at
        read = c.hidden + c.embedding + value * self.looks
        self.deep = nn.Linear(read, 2 * c.embedding)
        self.bias = nn.Parameter(torch.zeros(c.target))
        self.dropout = nn.Dropout(c.dropout)

    @property
    def words(self) -> Words:
        """The embeddings it stands on."""
        return self._words[0]

    def remember(self, ids: Tensor, groups: Tensor, order: Tensor | None = None) -> Memory:
        """Read source words `ids` [B, S] (0 pads) with letter `groups` [B, S, G].

        `order` [B, S] puts the states that are looked at in another order than the words were read in.
        """
        mask = ids != 0
        lengths = mask.sum(dim=1).cpu()
        embedded = self.dropout(self.words.read(ids, groups))  # [B, S, E]
        packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
        states, last = self.reader(packed)
        states = pad_packed_sequence(states, batch_first=True, total_length=ids.shape[1])[0]  # [B, S, 2R]
        values = torch.cat((self.dropout(states), embedded), dim=-1)  # [B, S, 2R + E]
        summary = torch.cat((last[0], last[1]), dim=-1)  # [B, 2R], the end of each direction
        if order is not None:
            values = values.gather(1, order.unsqueeze(-1).expand_as(values))
        if not self.looks:
            empty = values.new_zeros(len(values), 0, 1)
            return Memory(empty, empty, mask[:, :0], summary)
        keys = self.attention.key(values) if self.config.attention == "soft" else values[..., :1]
        return Memory(keys, values, mask, summary)

    def start(self, memory: Memory, hypotheses: int) -> State:
        """The first state, read from the summary: [B, K, H]."""
        first = torch.tanh(self.first(memory.mean))  # [B, H]
        return State(first.unsqueeze(1).expand(-1, hypotheses, -1))

    def forward(
        self, memory: Memory, state: State, words: Tensor, *, weights: Tensor | None = None,
        pick: str | None = None, generator: torch.Generator | None = None,
    ) -> Glance:  # fmt: skip
        """Read the last `words` [B, K], look, and make ready to score the next word with `logits`.

        `weights` [B, K, S] are imposed instead of the net's own. `pick` and `generator` are for hard attention, which
        no translator has.
        """
        embedded = self.dropout(self.words.target(words))  # [B, K, E]
        hidden, context, own, scores = self._look(memory, state.hidden, embedded, weights)
        return Glance(self._deep(hidden, embedded, context), State(hidden), own, scores)

    def teach(self, memory: Memory, inputs: Tensor) -> tuple[Tensor, Tensor | None]:
        """Read given words `inputs` [B, T] one after the other: output features [B, T, E] and weights [B, T, S]."""
        embedded = self.dropout(self.words.target(inputs))  # [B, T, E]
        hidden, steps = self.start(memory, 1).hidden, []
        for t in range(inputs.shape[1]):
            hidden, *seen = self._look(memory, hidden, embedded[:, t : t + 1], None)
            steps.append((hidden, *seen[:2]))
        if not self.looks:
            return self._deep(torch.cat([step[0] for step in steps], dim=1), embedded, None), None
        hiddens, contexts, maps = (torch.cat(part, dim=1) for part in zip(*steps, strict=True))
        return self._deep(hiddens, embedded, contexts), maps

    def _look(
        self, memory: Memory, hidden: Tensor, embedded: Tensor, weights: Tensor | None
    ) -> tuple[Tensor, Tensor | None, Tensor | None, Tensor | None]:
        """The new state [B, K, H], the context [B, K, 2R + E], and the weights and scores [B, K, S] that made it."""
        asking = self._cell(self.listen, embedded, hidden)  # [B, K, H]
        if not self.looks:
            return self._cell(self.decide, embedded, asking), None, None, None
        scores = self._scores(memory, asking).float()  # [B, K, S]
        own = softmax(scores, memory.mask.unsqueeze(1).expand_as(scores)) if weights is None else weights
        context = torch.matmul(own.to(memory.values.dtype), memory.values)  # [B, K, 2R + E]
        return self._cell(self.decide, context, asking), context, own, scores

    def _deep(self, hidden: Tensor, embedded: Tensor, context: Tensor | None) -> Tensor:
        """Output features [B, K, E]: a maxout of the new state, the last word and the context."""
        parts = [self.dropout(hidden), embedded, *([] if context is None else [context])]
        return self.deep(torch.cat(parts, dim=-1)).unflatten(-1, (-1, 2)).amax(dim=-1)

    def logits(self, output: Tensor) -> Tensor:
        """Scores of every target word [..., V] for output features [..., E], over the tied embedding."""
        return nn.functional.linear(self.dropout(output), self.words.target.weight, self.bias)

    def _scores(self, memory: Memory, asking: Tensor) -> Tensor:
        """Scores [B, K, S] of the source words, or of their places, for a state `asking` [B, K, H]."""
        if self.config.attention == "soft":
            return self.attention(memory.keys, asking)
        places = torch.arange(memory.mask.shape[1], device=asking.device).clamp(max=self.config.positions - 1)
        return self.place(asking)[..., places]  # [B, K, S]

    @staticmethod
    def _cell(cell: nn.GRUCell, read: Tensor, hidden: Tensor) -> Tensor:
        flat = cell(read.reshape(-1, read.shape[-1]), hidden.reshape(-1, hidden.shape[-1]))
        return flat.view(hidden.shape)
