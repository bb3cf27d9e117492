"""The best translator of a training, and the embeddings it stands on, as models that ship."""

from __future__ import annotations

import argparse
from pathlib import Path

from torch import nn

from attnviewer.core.card import Data, ModelCard, Training
from attnviewer.core.glossary import NO_GLOSSARY, Glossary
from attnviewer.core.text import Vocabulary
from attnviewer.nets.translates import Translates
from attnviewer.train.publish import command_line
from attnviewer.train.translate.nets import NETS
from attnviewer.zoo.files import publish
from attnviewer.zoo.translators import publish_words

PAIRS = Data(
    "118,174 sentence pairs of Tatoeba (tatoeba.org), as collected by manythings.org/anki",
    "CC-BY 2.0 FR: credit tatoeba.org and manythings.org/anki.",
)
WORDS = "es-en-words"
GUIDED = "An extra loss pulled the attention to links that the aligner eflomal found in the training text."
SPELLED = "A word that is read is its own vector plus the mean of its character n-grams', in both languages."
UNKNOWNS = (
    "A word outside the vocabulary is the glossary's for the source word with the largest weight, or a copy of it."
)
GLOSSED = "Its glossary has, for a Spanish word, the English one that eflomal linked it with most often in these pairs."


def publish_translator(
    net: Translates, source: Vocabulary, target: Vocabulary, args: argparse.Namespace, hours: float,
    glossary: Glossary = NO_GLOSSARY,
) -> ModelCard:  # fmt: skip
    """Write a translator whose figures are still to be measured, and its embeddings where they were trained with it."""
    training, folder = Training(command_line(), args.seed, round(hours, 2)), Path(args.publish)
    c = net.config
    if not args.words:
        shared = ModelCard(
            id=WORDS, name="Spanish and English word embeddings, shared by the translators", task="embed",
            attention="none", licence="CC-BY-2.0 (trained on Tatoeba)", data=PAIRS, training=training,
            architecture={"embedding": c.embedding, "spelling": c.spelling},
            notes=(SPELLED, *((GLOSSED,) if glossary.words else ())),
        )  # fmt: skip
        publish_words(net.words, shared, source, target, folder, glossary)
    told = NETS[args.net].tell(net, args)
    card = ModelCard(
        id=told.id, name=told.name, task="translate", kind=told.kind, attention=c.attention,
        licence="CC-BY-2.0 (trained on Tatoeba)", data=PAIRS, training=training,
        architecture={"words": WORDS, **told.sizes, "length_penalty": 1.0},
        capabilities=("beam", "teacher forcing", *(("forced attention",) if net.has_attention else ())),
        notes=(
            *((UNKNOWNS,) if net.has_attention else ()), *((GUIDED,) if args.guide and net.has_attention else ()),
            *told.notes,
        ),
    )  # fmt: skip
    assert isinstance(net, nn.Module)  # as every net is
    return publish(net, card, folder)
