"""How good translations are: corpus BLEU against all references, and BLEU by the length of the source."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from sacrebleu.metrics import BLEU
from torch import Tensor

from attnviewer.core.text import START, Vocabulary
from attnviewer.data.pairs import Links
from attnviewer.nets.translates import Translates
from attnviewer.runs.reading import read
from attnviewer.zoo.translators import Speller

LENGTHS = ((1, 5), (6, 10), (11, 15), (16, 1000))  # source words, marks included


@dataclass(frozen=True)
class Asked:
    """A source sentence with all its reference translations."""

    source: str
    references: tuple[str, ...]


def gather(pairs: Sequence[tuple[str, str]]) -> list[Asked]:
    """Pairs (source, target) as one entry a source sentence, in the order of their first occurrence."""
    found: dict[str, list[str]] = defaultdict(list)
    for source, target in pairs:
        found[source].append(target)
    return [Asked(source, tuple(targets)) for source, targets in found.items()]


def bleu(said: Sequence[str], asked: Sequence[Asked], lower: bool = True) -> float:
    """SacreBLEU in percent (tokeniser 13a), lower-cased or as written, of one translation a source sentence."""
    most = max(len(one.references) for one in asked)
    streams = [[one.references[i] if i < len(one.references) else None for one in asked] for i in range(most)]
    return float(BLEU(lowercase=lower).corpus_score(list(said), streams).score)


def by_length(said: Sequence[str], asked: Sequence[Asked], lengths: Sequence[int]) -> list[tuple[str, int, float]]:
    """BLEU for each band of source lengths: (band, sentences, BLEU); a band without sentences is left out."""
    rows = []
    for low, high in LENGTHS:
        chosen = [i for i, length in enumerate(lengths) if low <= length <= high]
        if chosen:
            name = f"{low}-{high}" if high < 1000 else f"{low}+"
            rows.append((name, len(chosen), bleu([said[i] for i in chosen], [asked[i] for i in chosen])))
    return rows


def given(target: Vocabulary, buckets: int, sentences: Sequence[Sequence[str]]) -> tuple[Tensor, Tensor]:
    """Ids [B, 1 + T] and n-grams [B, 1 + T, G] that are read while translations are imposed, the start first."""
    ids, ngrams = Speller(target, buckets)(sentences)
    before = torch.full_like(ids[:, :1], START), torch.full_like(ngrams[:, :1], buckets)
    return torch.cat((before[0], ids), dim=1), torch.cat((before[1], ngrams), dim=1)


def map_links(
    net: Translates, speller: Speller, target: Vocabulary, pairs: Sequence[tuple[Sequence[str], Sequence[str]]],
    origin: bool = False,
) -> list[Links]:  # fmt: skip
    """One link a target word, to the source word with the largest weight, the translations teacher-forced.

    `net` is one that looks, in evaluation mode. With `origin`, for a net that tells, the weights are those of where a
    known word came from, else those that chose it.
    """
    found: list[Links] = []
    for start in range(0, len(pairs), 64):
        group = pairs[start : start + 64]
        memory = read(net, speller, [source for source, _ in group])
        inputs, ngrams = (part.to(memory.mean.device) for part in given(target, speller.buckets, [t for _, t in group]))
        _, looked, came = net.teach(memory, inputs, ngrams)
        weights = came[:, 1:] if origin and came is not None else None if origin else looked
        assert weights is not None  # the net looks, and tells where that is asked
        chosen = weights.argmax(dim=-1).tolist()  # [B][T]
        found += [frozenset((chosen[row][t], t) for t in range(len(words))) for row, (_, words) in enumerate(group)]
    return found
