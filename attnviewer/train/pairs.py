"""Pairs of sentences to learn translation from: read, numbered, joined into longer ones, and put into batches.

Letters: B sentences, S source words, T target words, G letter groups a word.
"""

from __future__ import annotations

import gzip
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviewer.core.errors import UserError
from attnviewer.core.sentence import cut
from attnviewer.core.text import END, START, UNKNOWN, Vocabulary
from attnviewer.measure.alignment import Links
from attnviewer.zoo.translators import Speller

SPLITS = ("train", "dev", "test")


@dataclass(frozen=True)
class Pair:
    """A sentence and its translation, as words and as they were written."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    texts: tuple[str, str]


def load_pairs(folder: Path, split: str) -> list[Pair]:
    """The pairs of a split that have words on both sides; raises `UserError` without any."""
    path = folder / f"es-en.{split}.tsv.gz"
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            rows = [line.rstrip("\n").split("\t")[:2] for line in file if "\t" in line]
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise UserError(f"can't read {path} ({error}); give the tatoeba folder with --data.") from None
    pairs = [Pair(tuple(cut(source)), tuple(cut(target)), (source, target)) for source, target in rows]
    kept = [pair for pair in pairs if pair.source and pair.target]
    if not kept:
        raise UserError(f"{path} holds no pair of sentences; give the tatoeba folder with --data.")
    return kept


def common(sentences: Iterable[Sequence[str]], at_least: int) -> Vocabulary:
    """The words that occur `at_least` so often, the most frequent first."""
    counts = Counter(word for sentence in sentences for word in sentence)
    return Vocabulary(tuple(sorted((w for w, n in counts.items() if n >= at_least), key=lambda w: (-counts[w], w))))


@dataclass(frozen=True)
class Batch:
    """Numbers of B pairs; `links` [B, T, S] holds each target word's share of the source words, or zeros.

    `asked` are the source sentences as written.
    """

    asked: tuple[str, ...]
    ids: Tensor
    groups: Tensor
    inputs: Tensor
    targets: Tensor
    links: Tensor


@dataclass(frozen=True)
class Example:
    """One pair in numbers: source types [S], target ids [T], links; and its source as written."""

    asked: str
    source: NDArray[np.int32]
    target: NDArray[np.int32]
    links: Links


class Corpus:
    """All training pairs in numbers, with one row of letter groups for each spelling that occurs."""

    def __init__(
        self, pairs: Sequence[Pair], links: Sequence[Links], source: Vocabulary, target: Vocabulary, buckets: int
    ) -> None:
        types: dict[str, int] = {}
        for pair in pairs:
            for word in pair.source:
                types.setdefault(word, len(types) + 1)
        ids, groups = Speller(source, buckets)([list(types)])
        self.ids = torch.cat((ids.new_zeros(1), ids[0]))
        self.groups = torch.cat((torch.full_like(groups[0, :1], buckets), groups[0]))
        self.examples = [
            Example(
                pair.texts[0],
                np.array([types[word] for word in pair.source], np.int32),
                np.array([*target.encode(pair.target), END], np.int32),
                found,
            )
            for pair, found in zip(pairs, links, strict=True)
        ]

    def batches(self, size: int, seed: int, joined: float) -> Iterator[Batch]:
        """Shuffled batches of pairs of like length; a share `joined` of the pairs has another one behind it."""
        random = np.random.default_rng(seed)
        examples = _join(self.examples, random, joined)
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
        types, words = np.zeros((len(examples), sources), np.int64), np.zeros((len(examples), targets), np.int64)
        links = np.zeros((len(examples), targets, sources), np.float32)
        for row, example in enumerate(examples):
            types[row, : len(example.source)] = example.source
            words[row, : len(example.target)] = example.target
            for s, t in example.links:
                links[row, t, s] = 1
        links /= np.maximum(links.sum(axis=-1, keepdims=True), 1)
        rows, targeted = torch.from_numpy(types), torch.from_numpy(words)
        inputs = torch.cat((torch.full((len(examples), 1), START), targeted[:, :-1]), dim=1)
        return Batch(
            tuple(e.asked for e in examples),
            self.ids[rows],
            self.groups[rows],
            inputs,
            targeted,
            torch.from_numpy(links),
        )


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


def forget(ids: Tensor, share: float) -> Tensor:
    """Source ids with a share of the words made unknown, so that their spelling has to do."""
    drop = (torch.rand(ids.shape) < share) & (ids > UNKNOWN)
    return ids.masked_fill(drop, UNKNOWN)
