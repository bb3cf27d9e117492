"""The nets that can be trained to translate, a row each: how one is made from the options, and what its card says."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.text import Vocabulary
from attnviewer.nets.transformer import Transformer, TransformerConfig
from attnviewer.nets.translator import Translator, TranslatorConfig, Words
from attnviewer.train.options.translate import RNN, TRANSFORMER
from attnviewer.zoo.translators import embeddings

KIND = "transformer-translator"
NAMES = {
    "soft": "Spanish to English, attention by content",
    "location": "Spanish to English, attention by place alone",
    "none": "Spanish to English without attention",
}
IDS = {"soft": "es-en-attention", "location": "es-en-location", "none": "es-en-none"}
NOTES = {
    "location": "The map is told from the writer's state alone: it knows how far it is, not what was said.",
    "none": "The whole sentence is squeezed into one vector; a word outside the vocabulary stays unknown.",
}
ORIGIN = "A second map tells where each word came from, asked once it is known; nothing that is said depends on it."
HEADS = (
    "Head {guided} looks for the word to come and copies unknown ones; {telling} looks where the last one came from."
)
LESSON = "A small net for comparison with others of its size alone: it shows what telling words their places is worth."


@dataclass(frozen=True)
class Told:
    """What a card says of a net: id, name, kind, sizes and notes."""

    id: str
    name: str
    kind: str
    sizes: Mapping[str, Any]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Learnt:
    """One net that can be trained: `make` builds it, `tell` gives what its card says."""

    make: Callable[[argparse.Namespace, Vocabulary, Vocabulary], Any]
    tell: Callable[[Any, argparse.Namespace], Told]


def _words(args: argparse.Namespace, source: Vocabulary, target: Vocabulary, spelling: int) -> Words:
    return embeddings(source, target, spelling, args.embedding)


def _rnn(args: argparse.Namespace, source: Vocabulary, target: Vocabulary) -> Translator:
    sizes = TranslatorConfig(
        len(source), len(target), args.attention, args.embedding, reader=args.reader, hidden=args.hidden,
        dropout=args.dropout,
    )  # fmt: skip
    return Translator(sizes, _words(args, source, target, sizes.spelling))


def _rnn_told(net: Translator, args: argparse.Namespace) -> Told:
    c = net.config
    sizes = {name: getattr(c, name) for name in ("reader", "hidden", "match", "positions")}
    notes = ((NOTES[c.attention],) if c.attention in NOTES else ()) + ((ORIGIN,) if args.guide and net.tells else ())
    return Told(IDS[c.attention], NAMES[c.attention], "translator", sizes, notes)


def _transformer(args: argparse.Namespace, source: Vocabulary, target: Vocabulary) -> Transformer:
    if args.attention != "soft" or args.origin:
        raise UserError(tr("a Transformer looks by content at all times; leave out --attention and --origin."))
    if args.width % args.heads or args.width % 2:
        raise UserError(tr("--width must be even and a multiple of --heads; choose others."))
    last = args.layers // 2 if args.layers > 2 else args.layers - 1
    sizes = TransformerConfig(
        len(source), len(target), embedding=args.embedding, width=args.width, heads=args.heads, layers=args.layers,
        inner=args.inner, order=args.order, guided=(last, 0), telling=(last, 1) if args.heads > 1 else (0, 0),
        dropout=args.dropout,
    )  # fmt: skip
    return Transformer(sizes, _words(args, source, target, sizes.spelling))


def _transformer_told(net: Transformer, args: argparse.Namespace) -> Told:
    c = net.config
    names = ("width", "heads", "layers", "inner", "order", "reach", "guided", "telling")
    sizes = {name: getattr(c, name) for name in names} | ({"lesson": True} if args.lesson else {})
    guided, telling = (".".join(map(str, head)) for head in (c.guided, c.telling))
    notes = ((HEADS.format(guided=guided, telling=telling),) if args.guide else ()) + ((LESSON,) if args.lesson else ())
    kind = c.order if c.heads > 1 else "onehead"
    if args.lesson:
        return Told(f"es-en-lesson-{kind}", f"Spanish to English, a small Transformer ({kind})", KIND, sizes, notes)
    return Told("es-en-transformer", "Spanish to English, a Transformer", KIND, sizes, notes)


NETS: dict[str, Learnt] = {
    RNN: Learnt(_rnn, _rnn_told),
    TRANSFORMER: Learnt(_transformer, _transformer_told),
}
