"""The nets that can be trained to caption, a row each: how one is made, and what its card says."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import nn

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.nets.captioner import Captioner, CaptionerConfig
from attnviewer.nets.looker import Looker, LookerConfig
from attnviewer.train.options.caption import RNN, TRANSFORMER
from attnviewer.zoo.files import WEIGHTS, embedding_in

NAMES = {
    "soft": "Show, Attend and Tell with soft attention",
    "hard": "Show, Attend and Tell with hard (sampled) attention",
    "none": "Show and Tell: no attention",
}
LISTENS = (
    "Before words look at the photo, its cells look at each other: what a cell says is already about its surroundings. "
    "Head {guided} was trained to lie in the boxes people drew; the others found their own use."
)


@dataclass(frozen=True)
class Told:
    """What a card says of a net: id, name, kind, sizes and notes."""

    id: str
    name: str
    kind: str
    sizes: Mapping[str, Any]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Learnt:
    """One net that can be trained: `make` builds it for a vocabulary and an annotation vector of so many numbers."""

    make: Callable[[argparse.Namespace, int, int], nn.Module]
    tell: Callable[[Any], Told]


def _rnn(args: argparse.Namespace, vocabulary: int, annotation: int) -> Captioner:
    return Captioner(CaptionerConfig(vocabulary, args.attention, annotation))


def _rnn_told(net: Captioner) -> Told:
    c = net.config
    sizes = {name: getattr(c, name) for name in ("annotation", "match", "context", "embedding", "hidden")}
    return Told(f"caption-{c.attention}", NAMES[c.attention], "captioner", sizes)


def _transformer(args: argparse.Namespace, vocabulary: int, annotation: int) -> Looker:
    if args.attention != "soft" or args.follow:
        raise UserError(tr("a Transformer attends softly, and follows no other captioner; leave those options out."))
    if args.width % args.heads or args.width % 4:
        raise UserError(tr("--width must be a multiple of 4 and of --heads; choose others."))
    net = Looker(
        LookerConfig(
            vocabulary, annotation=annotation, width=args.width, heads=args.heads, before=args.before,
            layers=args.layers, inner=args.inner, guided=(args.layers - 1, 0),
        )
    )  # fmt: skip
    if args.words:
        share(net.embedding, args.words)
    return net


def share(embedding: nn.Embedding, model: Path) -> None:
    """Take the table of words of another captioner, and hold it still; raises `UserError` where it doesn't fit."""
    table = embedding_in(model / WEIGHTS)
    if table.shape != embedding.weight.shape:
        raise UserError(
            tr("the table of words of {model} is {shape}; give the same --data, and --width {width}.", model=model,
               shape=tuple(table.shape), width=table.shape[-1])
        )  # fmt: skip
    embedding.requires_grad_(False).weight.copy_(table.float())


def _transformer_told(net: Looker) -> Told:
    c = net.config
    names = ("annotation", "width", "heads", "before", "layers", "inner", "guided")
    sizes, guided = {name: getattr(c, name) for name in names}, ".".join(map(str, c.guided))
    return Told(
        "caption-transformer",
        "A Transformer that captions",
        "transformer-captioner",
        sizes,
        (LISTENS.format(guided=guided),),
    )


NETS: dict[str, Learnt] = {
    RNN: Learnt(_rnn, _rnn_told),
    TRANSFORMER: Learnt(_transformer, _transformer_told),
}


def row_of(net: nn.Module) -> Learnt:
    """The row of a net that was made by one."""
    return NETS[TRANSFORMER if isinstance(net, Looker) else RNN]
