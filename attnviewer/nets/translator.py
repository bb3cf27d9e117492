"""Neural translation (Bahdanau et al. 2014): a bidirectional GRU reads, a GRU writes and looks back at what was read.

Letters: B sentences, S source words, K hypotheses a sentence, G character n-grams a word; sizes of an embedding E, of
one direction of the reader R, of the state H, of attention A. Its maps have one head.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from attnviewer.core.modes import MODES
from attnviewer.core.text import UNKNOWN
from attnviewer.nets import state as states
from attnviewer.nets.attention import AdditiveAttention, impose, softmax


@dataclass(frozen=True)
class TranslatorConfig:
    """Sizes of a translator; `attention` is soft (by content), location, or none.

    Parameters
    ----------
    source, target : sizes of the vocabularies, marks included.
    spelling : buckets of character n-grams; a word read is its own vector plus the mean of theirs, in both languages.
    positions : a location-based map tells so many places apart; the rest share the last score.
    """

    source: int
    target: int
    attention: str = "soft"
    embedding: int = 192
    reader: int = 256
    hidden: int = 448
    match: int = 256
    spelling: int = 4096
    positions: int = 50
    dropout: float = 0.2


class Words(nn.Module):
    """The embeddings of both languages, which several translators share.

    Parameters
    ----------
    source : size of the source vocabulary, marks included.
    spelled : character n-grams of each target word [V, G], padded with `spelling`.
    spelling : buckets of character n-grams, which both languages share: many words are cousins.
    size : numbers an embedding, E.
    """

    spelled: Tensor

    def __init__(self, source: int, spelled: Tensor, spelling: int, size: int) -> None:
        super().__init__()
        self.source = nn.Embedding(source, size, padding_idx=0)
        self.letters = nn.EmbeddingBag(spelling + 1, size, mode="mean", padding_idx=spelling)
        self.target = nn.Embedding(len(spelled), size)
        self.register_buffer("spelled", spelled, persistent=False)
        for table in (self.source, self.letters, self.target):
            nn.init.normal_(table.weight, std=size**-0.5)
        with torch.no_grad():
            self.source.weight[0] = 0
            self.letters.weight[spelling] = 0

    def embed_ngrams(self, ngrams: Tensor) -> Tensor:
        """Vectors [B, S, E] of the `ngrams` [B, S, G] of some words."""
        return self.letters(ngrams.flatten(0, 1)).unflatten(0, ngrams.shape[:2])


class Memory(NamedTuple):
    """What the source contributes: keys [B, S, A], values [B, S, 2R + E], mask [B, S], summary `mean` [B, 2R].

    `letters` [B, S, E] are what the spelling of the source words adds; `typed` [B, T, E] what that of imposed words
    adds, where they are unknown, and 0 elsewhere and in its last row. `origins` [B, S, A] are the keys of `origin`.
    """

    keys: Tensor
    values: Tensor
    mask: Tensor
    mean: Tensor
    letters: Tensor
    typed: Tensor | None = None
    origins: Tensor | None = None


class State(NamedTuple):
    """The writer's state [B, K, H], and what the spelling of the last word adds, if that is unknown [B, K, E].

    `written` [B, K, 1] counts the words.
    """

    hidden: Tensor
    copied: Tensor
    written: Tensor


class Glance(NamedTuple):
    """One step: output features [B, K, E], weights and scores [B, K, 1, S] (None without attention)."""

    output: Tensor
    state: State
    weights: Tensor | None
    scores: Tensor | None
    sampled: Tensor | None = None
    gate: Tensor | None = None


class Translator(nn.Module):
    """Reader and writer over given embeddings `words`, which are not part of its own weights.

    What is looked at is the reader's state beside the word's own embedding, so that rare words aren't lost on the way.
    Attention by content has a second map, `origin`: it is asked once a word is known, and tells where that came from.
    Nothing that is said depends on it.
    """

    def __init__(self, config: TranslatorConfig, words: Words) -> None:
        super().__init__()
        self.config = c = config
        self._words = [words]  # in a list, so that they count as nobody's child
        self.reader = nn.GRU(c.embedding, c.reader, batch_first=True, bidirectional=True)
        self.first = nn.Linear(2 * c.reader, c.hidden)
        self.has_attention = MODES[c.attention].has_attention
        self.tells = MODES[c.attention].by_content  # where words came from
        self.heads: tuple[str, ...] = ("attention",) if self.has_attention else ()
        self.pointer: int | None = 0 if self.has_attention else None
        value = 2 * c.reader + c.embedding
        if MODES[c.attention].by_place:
            self.place = nn.Linear(c.hidden, c.positions)
        elif self.has_attention:
            self.attention = AdditiveAttention(value, c.hidden, c.match)
            self.asked = AdditiveAttention(value, c.hidden + c.embedding, c.match)
        self.listen = nn.GRUCell(c.embedding, c.hidden)  # takes in the last word
        self.decide = nn.GRUCell(value if self.has_attention else c.embedding, c.hidden)  # takes in what was looked at
        read = c.hidden + c.embedding + value * self.has_attention
        self.deep = nn.Linear(read, 2 * c.embedding)
        self.bias = nn.Parameter(torch.zeros(c.target))
        self.dropout = nn.Dropout(c.dropout)

    @property
    def words(self) -> Words:
        """The embeddings it stands on."""
        return self._words[0]

    def encode_source(self, ids: Tensor, ngrams: Tensor, order: Tensor | None = None) -> Memory:
        """Read source words `ids` [B, S] (0 pads) with `ngrams` [B, S, G].

        `order` [B, S] puts the states that are looked at in another order than the words were read in.
        """
        mask = ids != 0
        lengths = mask.sum(dim=1).cpu()
        letters = self.words.embed_ngrams(ngrams)  # [B, S, E]
        embedded = self.dropout(self.words.source(ids) + letters)
        packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
        states, last = self.reader(packed)
        states = pad_packed_sequence(states, batch_first=True, total_length=ids.shape[1])[0]  # [B, S, 2R]
        values = torch.cat((self.dropout(states), embedded), dim=-1)  # [B, S, 2R + E]
        summary = torch.cat((last[0], last[1]), dim=-1)  # [B, 2R], the end of each direction
        if not self.has_attention:
            empty = values.new_zeros(len(values), 0, 1)
            return Memory(empty, empty, mask[:, :0], summary, letters)
        if order is not None:
            values, letters = (part.gather(1, order.unsqueeze(-1).expand_as(part)) for part in (values, letters))
        if MODES[self.config.attention].by_place:
            return Memory(values[..., :1], values, mask, summary, letters)
        return Memory(
            self.attention.key(values), values, mask, summary, letters, origins=self.asked.key(values.detach())
        )

    def start(self, memory: Memory, hypotheses: int) -> State:
        """The first state, read from the summary: [B, K, H]."""
        first = torch.tanh(self.first(memory.mean)).float()  # [B, H]
        hidden = first.unsqueeze(1).expand(-1, hypotheses, -1)
        copied = memory.letters.new_zeros(*hidden.shape[:2], memory.letters.shape[-1])
        return State(hidden, copied, torch.zeros_like(hidden[..., :1]))

    def reorder(self, state: State, order: Tensor) -> State:
        """The state of the hypotheses that `order` [B, K] names."""
        return states.reorder(state, order)

    def forward(
        self, memory: Memory, state: State, words: Tensor, *, weights: Tensor | None = None,
        pick: str | None = None, generator: torch.Generator | None = None,
    ) -> Glance:  # fmt: skip
        """Read the last `words` [B, K], look, and make ready to score the next word with `logits`.

        An unknown word is read as it was typed, where the memory knows, or as the source word that was copied.
        `weights` [B, K, 1, S] are imposed instead of the net's own where they aren't NaN. `pick` and `generator` are
        for hard attention, which no translator has.
        """
        embedded = self.dropout(self._written(memory, state, words))  # [B, K, E]
        given = None if weights is None else weights.squeeze(2)
        hidden, context, own, scores, _ = self._look(memory, state.hidden, self._heard(embedded), given)
        copied = state.copied
        if own is not None:
            copied = memory.letters.gather(1, own.argmax(dim=-1, keepdim=True).expand_as(copied))
        new = State(hidden, copied, state.written + 1)
        maps = (None if part is None else part.unsqueeze(2) for part in (own, scores))
        return Glance(self._deep(hidden, embedded, context), new, *maps)

    def origin(self, memory: Memory, state: State, words: Tensor) -> Tensor | None:
        """Where `words` [B, K], which `forward` would read next, came from: weights [B, K, S], or None."""
        embedded = self._written(memory, state, words)
        asking = _gated(self.listen, self._heard(embedded)[0], state.hidden)
        return self._origins(memory, asking, embedded)

    def teach(self, memory: Memory, inputs: Tensor, ngrams: Tensor) -> tuple[Tensor, Tensor | None, Tensor | None]:
        """Read given words `inputs` [B, T] with `ngrams` [B, T, G] one after the other.

        Returns output features [B, T, E], the weights that led to them and the origins of the inputs [B, T, S].
        """
        embedded = self.dropout(self.words.target(inputs) + self.words.embed_ngrams(ngrams))  # [B, T, E]
        hidden, steps = self.start(memory, 1).hidden, []
        for heard in zip(*(part.split(1, dim=1) for part in self._heard(embedded)), strict=True):
            hidden, context, weights, _, asking = self._look(memory, hidden, heard, None)
            steps.append((hidden, asking, *((context, weights) if self.has_attention else ())))
        hiddens, askings, *seen = (torch.cat(part, dim=1) for part in zip(*steps, strict=True))
        context, weights = seen or (None, None)
        return self._deep(hiddens, embedded, context), weights, self._origins(memory, askings, embedded)

    def _origins(self, memory: Memory, asking: Tensor, embedded: Tensor) -> Tensor | None:
        """Weights [B, T, S] of the source words that words, `embedded` [B, T, E], came from; `asking` has read them."""
        if memory.origins is None:
            return None
        query = torch.cat((asking, embedded), dim=-1).detach()
        scores = self.asked(memory.origins, query)
        return softmax(scores, memory.mask.unsqueeze(1).expand_as(scores))

    def _written(self, memory: Memory, state: State, words: Tensor) -> Tensor:
        """Vectors [B, K, E] of the last words [B, K]."""
        unknown = (words == UNKNOWN).unsqueeze(-1)
        letters = self.words.embed_ngrams(self.words.spelled[words]) + unknown * strange(memory, state)
        return self.words.target(words) + letters

    def _heard(self, embedded: Tensor) -> list[Tensor]:
        """What the last words [B, T, E] tell the gates of `listen`, and without attention those of `decide`."""
        return [_entering(cell, embedded) for cell in (self.listen, self.decide)[: 2 - self.has_attention]]

    def _look(
        self, memory: Memory, hidden: Tensor, heard: Sequence[Tensor], weights: Tensor | None
    ) -> tuple[Tensor, Tensor | None, Tensor | None, Tensor | None, Tensor]:
        """The new state [B, K, H], the context [B, K, 2R + E], weights and scores [B, K, S], and what asked."""
        asking = _gated(self.listen, heard[0], hidden)  # [B, K, H]
        if not self.has_attention:
            return _gated(self.decide, heard[1], asking), None, None, None, asking
        scores = self._scores(memory, asking).float()  # [B, K, S]
        own = impose(softmax(scores, memory.mask.unsqueeze(1).expand_as(scores)), weights)
        context = torch.matmul(own.to(memory.values.dtype), memory.values)  # [B, K, 2R + E]
        return _gated(self.decide, _entering(self.decide, context), asking), context, own, scores, asking

    def _deep(self, hidden: Tensor, embedded: Tensor, context: Tensor | None) -> Tensor:
        """Output features [B, K, E]: a maxout of the new state, the last word and the context."""
        parts = [self.dropout(hidden), embedded, *([] if context is None else [context])]
        return self.deep(torch.cat(parts, dim=-1)).unflatten(-1, (-1, 2)).amax(dim=-1)

    def logits(self, output: Tensor) -> Tensor:
        """Scores of every target word [..., V] for output features [..., E], over the tied embedding."""
        return nn.functional.linear(self.dropout(output), self.words.target.weight, self.bias)

    def _scores(self, memory: Memory, asking: Tensor) -> Tensor:
        """Scores [B, K, S] of the source words, or of their places, for a state `asking` [B, K, H]."""
        if MODES[self.config.attention].by_content:
            return self.attention(memory.keys, asking)
        places = torch.arange(memory.mask.shape[1], device=asking.device).clamp(max=self.config.positions - 1)
        return self.place(asking)[..., places]  # [B, K, S]


def strange(memory: Any, state: Any) -> Tensor:
    """What the spelling of the last word adds, should it be unknown: [B, K, E]; as it was typed, or as was copied."""
    if memory.typed is None:
        return state.copied
    last = (state.written.long() - 1).clamp(0, memory.typed.shape[1] - 1)
    typed = memory.typed.gather(1, last.expand_as(state.copied))
    return torch.where(typed.any(dim=-1, keepdim=True), typed, state.copied)


def _entering(cell: nn.GRUCell, read: Tensor) -> Tensor:
    """What `read` [..., I] tells the three gates of a GRU: [..., 3H]."""
    return nn.functional.linear(read, cell.weight_ih, cell.bias_ih)


def _gated(cell: nn.GRUCell, entering: Tensor, hidden: Tensor) -> Tensor:
    """One step of a GRU from what was read, `entering` [..., 3H], and its state `hidden` [..., H]."""
    remembered = nn.functional.linear(hidden, cell.weight_hh, cell.bias_hh)
    (reset, update, new), (old_reset, old_update, old_new) = entering.chunk(3, dim=-1), remembered.chunk(3, dim=-1)
    candidate = torch.tanh(new + torch.sigmoid(reset + old_reset) * old_new)
    return torch.lerp(candidate.to(hidden.dtype), hidden, torch.sigmoid(update + old_update).to(hidden.dtype))
