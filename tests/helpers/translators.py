"""Tiny translators with random weights: in memory, or published as a folder of models."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from attnviewer.core.card import Data, ModelCard, Training
from attnviewer.core.text import END, Vocabulary
from attnviewer.nets.translator import Translator, TranslatorConfig, Words
from attnviewer.zoo.store import publish
from attnviewer.zoo.translators import LoadedTranslator, LoadedWords, Speller, publish_words

ATTENTIONS = ("soft", "location", "none")
SIZES = {"reader": 5, "hidden": 12, "match": 7, "positions": 6}
EMBEDDING, BUCKETS = 8, 64
SOURCE = Vocabulary(("el", "la", "perro", "casa", "gato", "negro", "blanca", "come", "duerme", "en", "un", "."))
TARGET = Vocabulary(("the", "dog", "house", "cat", "black", "white", "eats", "sleeps", "in", "a", "."))
SENTENCE = "El perro negro duerme en la casa blanca."
WORDS = "es-en-words"
IDS = {"soft": "es-en-attention", "location": "es-en-location", "none": "es-en-none"}
_ORIGIN: dict[str, Any] = {
    "licence": "MIT",
    "data": Data("random numbers", "none"),
    "training": Training("none", 0, 0.0),
}


def a_translator(attention: str = "soft", seed: int = 7, ending: float = 2.0, penalty: float = 1.0) -> LoadedTranslator:
    """A translator of a few thousand numbers, in evaluation mode; equal seeds have equal embeddings.

    `ending` is how strongly it tends to end: at -1e9 it never does. `penalty` is the length penalty of its card.
    """
    torch.manual_seed(seed)
    words = _words()
    sizes = TranslatorConfig(len(SOURCE), len(TARGET), attention, embedding=EMBEDDING, spelling=BUCKETS, **SIZES)
    net = Translator(sizes, words.net)
    with torch.no_grad():  # livelier than a fresh net, so that words and maps differ from step to step
        for value in net.parameters():
            value.mul_(4)
        net.bias[END] = ending
    card = ModelCard(
        IDS[attention], f"translator, {attention}", "translate", attention,
        architecture={"words": WORDS, **SIZES, "length_penalty": penalty}, **_ORIGIN,
    )  # fmt: skip
    return LoadedTranslator(card, net.eval(), words)


def publish_translators(folder: Path, attentions: Sequence[str] = ATTENTIONS, seed: int = 7) -> Path:
    """Write the embeddings and some translators as models that `Engine(folder)` finds; returns the folder."""
    for attention in attentions:
        model = a_translator(attention, seed)
        publish_words(model.words.net, model.words.card, SOURCE, TARGET, folder)
        publish(model.net, model.card, folder)
    return folder


def _words() -> LoadedWords:
    sizes = {"embedding": EMBEDDING, "spelling": BUCKETS}
    card = ModelCard(WORDS, "words of two languages", "embed", "none", architecture=sizes, **_ORIGIN)
    net = Words(len(SOURCE), len(TARGET), BUCKETS, EMBEDDING)
    with torch.no_grad():
        for value in net.parameters():
            value.mul_(2)
    return LoadedWords(card, net.eval(), Speller(SOURCE, BUCKETS), TARGET)
