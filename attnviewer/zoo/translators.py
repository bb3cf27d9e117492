"""Translators on disk: each names the embeddings it stands on, a model of its own that several translators share.

Letters: B sentences, N words, S source words, G letter groups a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from attnviewer.core.card import ModelCard
from attnviewer.core.glossary import NO_GLOSSARY, Glossary
from attnviewer.core.sentence import spell
from attnviewer.core.text import MARKS, Vocabulary
from attnviewer.nets.translator import Translator, TranslatorConfig, Words
from attnviewer.zoo.store import VOCABULARY, Zoo, built, publish

SOURCE_VOCABULARY = "source.txt"  # vocab.txt holds the target words
GLOSSARY = "glossary.tsv.gz"
MOST_GROUPS = 16  # letter groups of a word that count


class Speller:
    """Words to what a net takes in: their ids and their letter groups, padded with `buckets`."""

    def __init__(self, vocabulary: Vocabulary, buckets: int) -> None:
        self.vocabulary, self.buckets = vocabulary, buckets

    def __call__(self, sentences: Sequence[Sequence[str]]) -> tuple[Tensor, Tensor]:
        """Ids [B, S], padded with 0, and groups [B, S, G] of some sentences."""
        longest = max(len(sentence) for sentence in sentences)
        ids = torch.zeros(len(sentences), longest, dtype=torch.long)
        groups = torch.full((len(sentences), longest, MOST_GROUPS), self.buckets)
        for row, sentence in enumerate(sentences):
            ids[row, : len(sentence)] = torch.tensor(self.vocabulary.encode(sentence))
            groups[row, : len(sentence)] = groups_of(sentence, self.buckets)
        return ids, groups


def groups_of(words: Sequence[str], buckets: int) -> Tensor:
    """The letter groups of some words [N, G], padded with `buckets`."""
    groups = torch.full((len(words), MOST_GROUPS), buckets)
    for row, word in enumerate(words):
        spelled = spell(word, buckets)[:MOST_GROUPS]
        groups[row, : len(spelled)] = torch.tensor(spelled)
    return groups


def embeddings(source: Vocabulary, target: Vocabulary, buckets: int, size: int) -> Words:
    """Untrained embeddings of two vocabularies; the marks have no spelling."""
    marks = torch.full((MARKS, MOST_GROUPS), buckets)
    return Words(len(source), torch.cat((marks, groups_of(target.words, buckets))), buckets, size)


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
    net: Translator
    words: LoadedWords


class Translators:
    """The translators of a zoo; each is loaded once."""

    def __init__(self, zoo: Zoo) -> None:
        self.zoo = zoo
        self._words: dict[str, LoadedWords] = {}
        self._translators: dict[str, LoadedTranslator] = {}

    def load(self, wanted: str | None = None, attention: str = "soft") -> LoadedTranslator:
        """The translator with id `wanted`, or the first whose attention fits; raises `UserError` without one."""
        card = self.zoo.choose("translator", "translate", wanted, attention)
        if card.id not in self._translators:
            words = self.words(str(card.architecture.get("words", "")))
            net = built(card, self.zoo.folder, lambda: Translator(config_of(card, words), words.net))
            self.zoo.fill(net, card)
            self._translators[card.id] = LoadedTranslator(card, net, words)
        return self._translators[card.id]

    def words(self, wanted: str) -> LoadedWords:
        """The embeddings with id `wanted`; raises `UserError` where they aren't installed or their file is broken."""
        if wanted not in self._words:
            card = self.zoo.part("embeddings", wanted)
            folder, sizes = self.zoo.folder / wanted, card.architecture
            source, target = (Vocabulary.load(folder / name) for name in (SOURCE_VOCABULARY, VOCABULARY))
            net = built(
                card, self.zoo.folder,
                lambda: embeddings(source, target, int(sizes["spelling"]), int(sizes["embedding"])),
            )  # fmt: skip
            self.zoo.fill(net, card)
            speller, glossary = Speller(source, int(sizes["spelling"])), Glossary.load(folder / GLOSSARY)
            self._words[wanted] = LoadedWords(card, net, speller, target, glossary)
        return self._words[wanted]


def config_of(card: ModelCard, words: LoadedWords) -> TranslatorConfig:
    """The sizes of a translator, from its card and the embeddings it stands on."""
    sizes = {name: size for name, size in card.architecture.items() if name in TranslatorConfig.__dataclass_fields__}
    shared = {"spelling": words.speller.buckets, "embedding": words.net.target.embedding_dim}
    return TranslatorConfig(
        len(words.speller.vocabulary), len(words.target), attention=card.attention, **{**sizes, **shared}
    )


def publish_words(
    net: Words, card: ModelCard, source: Vocabulary, target: Vocabulary, folder: Path,
    glossary: Glossary = NO_GLOSSARY,
) -> ModelCard:  # fmt: skip
    """Write embeddings that translators share, with the words of both languages and the glossary."""
    card = publish(net, card, folder, target)
    source.save(folder / card.id / SOURCE_VOCABULARY)
    glossary.save(folder / card.id / GLOSSARY)
    return card
