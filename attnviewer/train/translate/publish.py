"""The best translator of a training, and the embeddings it stands on, as models that ship."""

from __future__ import annotations

import argparse
from pathlib import Path

from attnviewer.core.card import Data, ModelCard, Training
from attnviewer.core.glossary import NO_GLOSSARY, Glossary
from attnviewer.core.text import Vocabulary
from attnviewer.nets.translator import Translator
from attnviewer.train.publish import command_line
from attnviewer.zoo.files import publish
from attnviewer.zoo.translators import publish_words

PAIRS = Data(
    "118,174 sentence pairs of Tatoeba (tatoeba.org), as collected by manythings.org/anki",
    "CC-BY 2.0 FR: credit tatoeba.org and manythings.org/anki.",
)
WORDS = "es-en-words"
NAMES = {
    "soft": "Spanish to English, attention by content",
    "location": "Spanish to English, attention by place alone",
    "none": "Spanish to English without attention",
}
IDS = {"soft": "es-en-attention", "location": "es-en-location", "none": "es-en-none"}
GUIDED = "An extra loss pulled the attention to links that the aligner eflomal found in the training text."
ORIGIN = "A second map tells where each word came from, asked once it is known; nothing that is said depends on it."
SPELLED = "A word that is read is its own vector plus the mean of its character n-grams', in both languages."
UNKNOWNS = (
    "A word outside the vocabulary is the glossary's for the source word with the largest weight, or a copy of it."
)
GLOSSED = "Its glossary has, for a Spanish word, the English one that eflomal linked it with most often in these pairs."
NOTES = {
    "location": "The map is told from the writer's state alone: it knows how far it is, not what was said.",
    "none": "The whole sentence is squeezed into one vector; a word outside the vocabulary stays unknown.",
}


def publish_translator(
    net: Translator, source: Vocabulary, target: Vocabulary, args: argparse.Namespace, hours: float,
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
    card = ModelCard(
        id=IDS[c.attention], name=NAMES[c.attention], task="translate", attention=c.attention,
        licence="CC-BY-2.0 (trained on Tatoeba)", data=PAIRS, training=training,
        architecture={
            "words": WORDS, "reader": c.reader, "hidden": c.hidden, "match": c.match, "positions": c.positions,
            "length_penalty": 1.0,
        },
        capabilities=("beam", "teacher forcing", *(("forced attention",) if net.has_attention else ())),
        notes=(
            *((NOTES[c.attention],) if c.attention in NOTES else ()), *((UNKNOWNS,) if net.has_attention else ()),
            *((GUIDED,) if args.guide and net.has_attention else ()), *((ORIGIN,) if args.guide and net.tells else ()),
        ),
    )  # fmt: skip
    return publish(net, card, folder)
