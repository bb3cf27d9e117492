"""Tiny translators with random weights: in memory, published as a folder of models, or run to their end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from attnviewer.core.card import Data, ModelCard, Training
from attnviewer.core.jobs import outcome
from attnviewer.core.request import TranslateRequest
from attnviewer.core.text import END, Vocabulary
from attnviewer.core.trace import Trace
from attnviewer.nets.translator import Translator, TranslatorConfig
from attnviewer.runs.translate import translate
from attnviewer.zoo.files import publish
from attnviewer.zoo.translators import LoadedTranslator, LoadedWords, Speller, embeddings, publish_words

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
    net = embeddings(SOURCE, TARGET, BUCKETS, EMBEDDING)
    with torch.no_grad():
        for value in net.parameters():
            value.mul_(2)
    return LoadedWords(card, net.eval(), Speller(SOURCE, BUCKETS), TARGET)


def whole(
    attention: str = "soft", model: LoadedTranslator | None = None, text: str = SENTENCE, **asked: object
) -> Trace:
    """The trace of a run to its end."""
    request = TranslateRequest(text, attention, **asked)  # type: ignore[arg-type]
    return outcome(translate(request, model or a_translator(attention)))


def saying(attention: str, *ids: int) -> LoadedTranslator:
    """A translator that says only these words."""
    model = a_translator(attention, ending=-1e9)
    with torch.no_grad():
        model.net.bias[list(ids)] = 1e4
    return model


def assert_equal(one: Trace, other: Trace) -> None:
    """Compare words, maps and probabilities to the last digit."""
    assert one.words == other.words
    np.testing.assert_array_equal(one.weights, other.weights)
    np.testing.assert_array_equal(one.logprobs, other.logprobs)
