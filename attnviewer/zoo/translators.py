"""Translators on disk: each names the embeddings it stands on, a model of its own that several translators share.

Letters: B sentences, N words, S source words, G character n-grams a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attnviewer.core.card import ModelCard
from attnviewer.core.glossary import NO_GLOSSARY, Glossary
from attnviewer.core.sentence import HIDDEN, character_ngrams
from attnviewer.core.text import SPECIAL_TOKENS, Vocabulary
from attnviewer.nets.translates import Translates
from attnviewer.nets.translator import Words
from attnviewer.zoo.files import VOCABULARY, publish
from attnviewer.zoo.kinds import build, built, described
from attnviewer.zoo.store import Zoo

SOURCE_VOCABULARY = "source.txt"  # vocab.txt holds the target words
GLOSSARY = "glossary.tsv.gz"
MOST_NGRAMS = 16  # character n-grams of a word that count


class Speller:
    """Words to what a net takes in: their ids and their character n-grams, padded with `buckets`."""

    def __init__(self, vocabulary: Vocabulary, buckets: int) -> None:
        self.vocabulary, self.buckets = vocabulary, buckets

    def __call__(self, sentences: Sequence[Sequence[str]]) -> tuple[Tensor, Tensor]:
        """Ids [B, S], padded with 0, and groups [B, S, G] of some sentences."""
        longest = max(len(sentence) for sentence in sentences)
        ids = torch.zeros(len(sentences), longest, dtype=torch.long)
        ngrams = torch.full((len(sentences), longest, MOST_NGRAMS), self.buckets)
        for row, sentence in enumerate(sentences):
            ids[row, : len(sentence)] = torch.tensor(self.vocabulary.encode(sentence))
            ngrams[row, : len(sentence)] = ngrams_of(sentence, self.buckets)
        return ids, ngrams


def ngrams_of(words: Sequence[str], buckets: int) -> Tensor:
    """The character n-grams of some words [N, G], padded with `buckets`."""
    ngrams = np.full((len(words), MOST_NGRAMS), buckets)
    for row, word in zip(ngrams, words, strict=True):
        spelled = () if word == HIDDEN else character_ngrams(word, buckets)[:MOST_NGRAMS]
        row[: len(spelled)] = spelled
    return torch.as_tensor(ngrams)


def embeddings(source: Vocabulary, target: Vocabulary, buckets: int, size: int) -> Words:
    """Untrained embeddings of two vocabularies."""
    return Words(len(source), spellings(target, buckets), buckets, size)


def spellings(target: Vocabulary, buckets: int) -> Tensor:
    """The character n-grams of a whole vocabulary [V, G]; the marks have no spelling."""
    marks = torch.full((SPECIAL_TOKENS, MOST_NGRAMS), buckets)
    return torch.cat((marks, ngrams_of(target.words, buckets)))


@dataclass(frozen=True)
class LoadedWords:
    """The embeddings of a pair of languages, with both vocabularies, and translations of single words."""

    card: ModelCard
    net: Words
    speller: Speller
    target: Vocabulary
    glossary: Glossary = NO_GLOSSARY


@dataclass(frozen=True)
class LoadedTranslator:
    """A translator with its card and the embeddings it stands on."""

    card: ModelCard
    net: Translates
    words: LoadedWords


def load_translator(zoo: Zoo, card: ModelCard) -> LoadedTranslator:
    """Build and fill a translator of any kind, over the embeddings that its card names."""
    words = zoo.embeddings(str(card.architecture.get("words", "")))
    net = build(card, zoo.folder, words.net, **shared_sizes(card, words))
    zoo.fill(net, card)
    return LoadedTranslator(card, net, words)


def load_embeddings(zoo: Zoo, card: ModelCard) -> LoadedWords:
    """Build and fill embeddings, and read the vocabularies and the glossary that lie beside them."""
    folder, sizes = zoo.folder / card.id, card.architecture
    source, target = (Vocabulary.load(folder / name) for name in (SOURCE_VOCABULARY, VOCABULARY))
    with described(card, zoo.folder):
        buckets, size = int(sizes["spelling"]), int(sizes["embedding"])
        spelled = spellings(target, buckets)
    net = built(card, zoo.folder, lambda: Words(len(source), spelled, buckets, size))
    zoo.fill(net, card)
    speller, glossary = Speller(source, buckets), Glossary.load(folder / GLOSSARY)
    return LoadedWords(card, net, speller, target, glossary)


def shared_sizes(card: ModelCard, words: LoadedWords) -> dict[str, Any]:
    """The sizes of a translator that its embeddings decide, and its attention."""
    return {
        "source": len(words.speller.vocabulary), "target": len(words.target), "attention": card.attention,
        "spelling": words.speller.buckets, "embedding": words.net.target.embedding_dim,
    }  # fmt: skip


def publish_words(
    net: Words, card: ModelCard, source: Vocabulary, target: Vocabulary, folder: Path,
    glossary: Glossary = NO_GLOSSARY,
) -> ModelCard:  # fmt: skip
    """Write embeddings that translators share, with the words of both languages and the glossary."""
    card = publish(net, card, folder, target)
    source.save(folder / card.id / SOURCE_VOCABULARY)
    glossary.save(folder / card.id / GLOSSARY)
    return card
