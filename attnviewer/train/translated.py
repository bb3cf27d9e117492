"""How good a translator is on dev, and its way into the models folder."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from attnviewer.core.card import Data, ModelCard, Training
from attnviewer.core.glossary import NO_GLOSSARY, Glossary
from attnviewer.core.sentence import cut, join
from attnviewer.core.text import Vocabulary
from attnviewer.data.pairs import Links, Pair
from attnviewer.measure.alignment import error_rate
from attnviewer.measure.translated import bleu, gather, map_links
from attnviewer.nets.translator import Translator
from attnviewer.runs.translate import translate_batch
from attnviewer.train.publish import command_line
from attnviewer.zoo.store import publish
from attnviewer.zoo.translators import Speller, publish_words

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
SPELLED = "A word that is read is its own vector plus the mean of its letter groups', in both languages."
UNKNOWNS = (
    "A word outside the vocabulary is the glossary's for the source word with the largest weight, or a copy of it."
)
GLOSSED = "Its glossary has, for a Spanish word, the English one that eflomal linked it with most often in these pairs."
NOTES = {
    "location": "The map is told from the writer's state alone: it knows how far it is, not what was said.",
    "none": "The whole sentence is squeezed into one vector; a word outside the vocabulary stays unknown.",
}


def dev_scores(
    net: Translator, speller: Speller, target: Vocabulary, pairs: Sequence[Pair], links: Sequence[Links]
) -> dict[str, float]:
    """Lower-cased BLEU of greedy translations, and the error rates of the maps against the aligner's links."""
    asked = gather([pair.texts for pair in pairs])
    said = []
    for start in range(0, len(asked), 64):
        sources = [cut(one.source) for one in asked[start : start + 64]]
        said += [join(words) for words in translate_batch(net, speller, target, sources, 1, 1.0)]
    scores = {"bleu": round(bleu(said, asked), 2)}
    if net.looks and any(links):
        for name in ("error", "origin_error") if net.tells else ("error",):
            told = [(pair.source, pair.target) for pair in pairs]
            found = map_links(net, speller, target, told, origin=name == "origin_error")
            scores[name] = round(error_rate(found, links), 4)
    return scores


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
        capabilities=("beam", "teacher forcing", "forced attention") if net.looks else ("beam", "teacher forcing"),
        notes=(
            *((NOTES[c.attention],) if c.attention in NOTES else ()), *((UNKNOWNS,) if net.looks else ()),
            *((GUIDED,) if args.guide and net.looks else ()), *((ORIGIN,) if args.guide and net.tells else ()),
        ),
    )  # fmt: skip
    return publish(net, card, folder)
