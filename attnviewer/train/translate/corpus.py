"""Pairs of sentences as batches to learn translation from: numbered, joined, made plain, renamed, forgotten.

Letters: B sentences, S source words, T target words, G character n-grams a word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviewer.core.glossary import spoken
from attnviewer.core.text import END, SPECIAL_TOKENS, START, UNKNOWN, Vocabulary
from attnviewer.data.pairs import Links, Pair
from attnviewer.zoo.translators import ngrams_of

Types = NDArray[np.int32]


def common(sentences: Iterable[Sequence[str]], at_least: int) -> Vocabulary:
    """The words that occur `at_least` so often, as written or with all in small letters; the most frequent first."""
    counts = Counter(word for sentence in sentences for word in sentence)
    for word, count in list(counts.items()):
        if word != word.lower():
            counts[word.lower()] += count
    return Vocabulary(tuple(sorted((w for w, n in counts.items() if n >= at_least), key=lambda w: (-counts[w], w))))


@dataclass(frozen=True)
class Batch:
    """Numbers of B pairs; `links` [B, T, S] holds each target word's share of the source words, or zeros.

    `asked` are the source sentences as written, `spelled` [B, T, G] the character n-grams of `inputs`.
    """

    asked: tuple[str, ...]
    ids: Tensor
    ngrams: Tensor
    inputs: Tensor
    spelled: Tensor
    targets: Tensor
    links: Tensor


@dataclass(frozen=True)
class Example:
    """One pair in numbers: source types [S], target types [T] with the end mark, links; and its source as written."""

    asked: str
    source: Types
    target: Types
    links: Links


class Lexicon:
    """A number for each spelling that occurs in one language: its type, which has an id and character n-grams.

    The marks (padding, start, end, unknown) are types that are their own ids and have no letters.
    """

    def __init__(self, sentences: Iterable[Sequence[str]], vocabulary: Vocabulary, buckets: int) -> None:
        forms = dict.fromkeys(form for words in sentences for word in words for form in (word, word.lower()))
        self.types = {word: number for number, word in enumerate(forms, SPECIAL_TOKENS)}
        marks = torch.arange(SPECIAL_TOKENS)
        self.ids = torch.cat((marks, torch.tensor(vocabulary.encode(forms))))
        ngrams = ngrams_of(list(forms), buckets)
        self.ngrams = torch.cat((ngrams.new_full((SPECIAL_TOKENS, ngrams.shape[1]), buckets), ngrams))
        self.small = np.array([*range(SPECIAL_TOKENS), *(self.types[word.lower()] for word in forms)], np.int32)
        self.spoken = np.array([True] * SPECIAL_TOKENS + [spoken(word) for word in forms])

    def __call__(self, words: Sequence[str]) -> Types:
        """The types of some words that occur."""
        return np.array([self.types[word] for word in words], np.int32)


class Corpus:
    """All training pairs in numbers."""

    def __init__(
        self, pairs: Sequence[Pair], links: Sequence[Links], source: Vocabulary, target: Vocabulary, buckets: int
    ) -> None:
        self.source = Lexicon((pair.source for pair in pairs), source, buckets)
        self.target = Lexicon((pair.target for pair in pairs), target, buckets)
        self.examples = [
            Example(pair.texts[0], self.source(pair.source), np.append(self.target(pair.target), END), found)
            for pair, found in zip(pairs, links, strict=True)
        ]
        both = [word for word in self.source.types if word in self.target.types and word[:1].isupper()]
        self.names = {self.source.types[word]: self.target.types[word] for word in both}
        self.strange = [s for s, t in self.names.items() if self.source.ids[s] == self.target.ids[t] == UNKNOWN]

    def batches(self, size: int, seed: int, joined: float, plain: float = 0.0, renamed: float = 0.0) -> Iterator[Batch]:
        """Shuffled batches of pairs of like length.

        A share `joined` of the pairs has another one behind it. A share `plain` is written as in a hurry: half of it
        without the mark at the end, half without any marks and in small letters. A share `renamed` gets strange names.
        """
        random = np.random.default_rng(seed)
        luck = random.random((2, len(self.examples))).tolist()
        told = (
            self.rename(e, random) if drawn < renamed else e for e, drawn in zip(self.examples, luck[0], strict=True)
        )
        hurried = [
            self.plain(example, small=2 * drawn < plain) if drawn < plain else example
            for example, drawn in zip(told, luck[1], strict=True)
        ]
        examples = _join(hurried, random, joined)
        order = random.permutation(len(examples))
        chunks = [order[start : start + 64 * size] for start in range(0, len(order), 64 * size)]
        groups = []
        for chunk in chunks:
            ranked = sorted(chunk, key=lambda number: (len(examples[number].target), len(examples[number].source)))
            groups += [ranked[start : start + size] for start in range(0, len(ranked), size)]
        for place in random.permutation(len(groups)):
            yield self.collate([examples[number] for number in groups[place]])

    def steps(self, size: int, joined: float) -> int:
        """How many batches an epoch has."""
        return -(-(len(self.examples) - _joined(len(self.examples), joined)) // size)

    def collate(self, examples: Sequence[Example]) -> Batch:
        """Some pairs, padded to the longest."""
        sources, targets = (max(len(getattr(e, side)) for e in examples) for side in ("source", "target"))
        types, said = np.zeros((len(examples), sources), np.int64), np.zeros((len(examples), targets), np.int64)
        links = np.zeros((len(examples), targets, sources), np.float32)
        for row, example in enumerate(examples):
            types[row, : len(example.source)] = example.source
            said[row, : len(example.target)] = example.target
            for s, t in example.links:
                links[row, t, s] = 1
        links /= np.maximum(links.sum(axis=-1, keepdims=True), 1)
        read, written = torch.from_numpy(types), torch.from_numpy(said)
        heard = torch.cat((torch.full((len(examples), 1), START), written[:, :-1]), dim=1)
        return Batch(
            tuple(e.asked for e in examples),
            self.source.ids[read],
            self.source.ngrams[read],
            self.target.ids[heard],
            self.target.ngrams[heard],
            self.target.ids[written],
            torch.from_numpy(links),
        )

    def rename(self, example: Example, random: np.random.Generator) -> Example:
        """A pair with a name that neither vocabulary holds in the place of one that both sides spell alike.

        So it is learnt that what isn't known can be copied. A pair without such a name stays as it is.
        """
        places = [
            (s, t) for s, t in sorted(example.links) if self.names.get(int(example.source[s])) == example.target[t]
        ]
        if not places or not self.strange:
            return example
        old = example.source[places[0][0]]
        new = self.strange[random.integers(len(self.strange))]
        source = np.where(example.source == old, new, example.source).astype(np.int32)
        target = np.where(example.target == self.names[int(old)], self.names[new], example.target).astype(np.int32)
        return Example(example.asked, source, target, example.links)

    def plain(self, example: Example, small: bool) -> Example:
        """A pair in small letters without marks, or, not `small`, without the last mark of each side; links move."""
        keep = [side.spoken[types] for side, types in ((self.source, example.source), (self.target, example.target))]
        if not small:
            keep = [_but_last(kept, end) for kept, end in zip(keep, (1, 2), strict=True)]  # behind the target is END
        if keep[0].sum() < 1 or keep[1].sum() < 2:
            return example
        source, target = example.source[keep[0]], example.target[keep[1]]
        if small:
            source, target = self.source.small[source], self.target.small[target]
        new = [np.cumsum(kept) - 1 for kept in keep]
        links = frozenset((int(new[0][s]), int(new[1][t])) for s, t in example.links if keep[0][s] and keep[1][t])
        return Example(example.asked, source, target, links)


def _but_last(spoken: NDArray[np.bool_], end: int) -> NDArray[np.bool_]:
    """All words kept but the one `end` places from the end, should it be a mark."""
    kept = np.ones_like(spoken)
    kept[-end] = spoken[-end]
    return kept


def _join(examples: Sequence[Example], random: np.random.Generator, share: float) -> list[Example]:
    """Pairs, some of them with another pair behind: longer texts than the data has."""
    order = random.permutation(len(examples))
    count = _joined(len(examples), share)
    firsts, seconds, alone = order[:count], order[count : 2 * count], order[2 * count :]
    both = []
    for a, b in zip(firsts, seconds, strict=True):
        one, two = examples[a], examples[b]
        s, t = len(one.source), len(one.target) - 1  # the end mark of the first goes
        moved = frozenset((i + s, j + t) for i, j in two.links)
        both.append(
            Example(
                f"{one.asked} {two.asked}",
                np.concatenate((one.source, two.source)),
                np.concatenate((one.target[:-1], two.target)),
                one.links | moved,
            )
        )
    return [*(examples[number] for number in alone), *both]


def _joined(count: int, share: float) -> int:
    """How many of so many pairs get another one behind them: at most half."""
    return min(int(count * share), count // 2)


def forget(ids: Tensor, share: float, much: float = 0.0) -> Tensor:
    """Ids [B, N] with a share of the words made unknown, so that their spelling has to do.

    In one row of five it is the share `much`, if that is more: a text of another field has many unknown words.
    """
    shares = torch.full((len(ids), 1), share)
    shares[torch.rand(shares.shape) < 0.2] = max(share, much)
    drop = (torch.rand(ids.shape) < shares) & (ids > UNKNOWN)
    return ids.masked_fill(drop, UNKNOWN)
