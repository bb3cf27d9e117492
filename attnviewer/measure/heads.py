"""`attnviewer evaluate heads`: what each head of a Transformer tends to do, and how much is lost without it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import torch

from attnviewer.core.ablation import Ablation, Changes
from attnviewer.core.attend import head_name
from attnviewer.core.card import save_card
from attnviewer.core.errors import UserError
from attnviewer.core.habits import Habit
from attnviewer.core.i18n import tr
from attnviewer.core.paths import CARD, shelf
from attnviewer.core.sentence import detokenize, tokenize
from attnviewer.core.trace import Floats
from attnviewer.data.gold import load_xlwa
from attnviewer.data.pairs import Links, load_pairs
from attnviewer.measure.habits import Masks, Tally, cross_masks, self_masks
from attnviewer.measure.table import table
from attnviewer.measure.translate import spread
from attnviewer.measure.translated import Asked, bleu, gather, given
from attnviewer.nets.transformer import Transformer
from attnviewer.runs.device import choose_device
from attnviewer.runs.reading import read, translate_batch
from attnviewer.zoo.store import Zoo
from attnviewer.zoo.translators import LoadedTranslator

BATCH = 48
START = "[start]"
TOLD = """\
A head is named part:layer.head. share: of its weight that lies where the label says, on the average of the words that
have such a place; the label is the one furthest above even weights, if by 0.25 or more. BLEU lost: greedy, lower-cased,
with this head alone switched off."""


@dataclass(frozen=True)
class Read:
    """A source sentence, its translation, and the links between their words where they are known."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    links: Links | None = None


def run(args: argparse.Namespace) -> int:
    """Print what each head does, and write it onto the card where that is asked for."""
    if args.sentences < 1:
        raise UserError(tr("--sentences must be at least 1, not {count}.", count=args.sentences))
    zoo = Zoo(shelf(args.models_dir), choose_device(args.device))
    model = zoo.translator(args.model, "soft")
    if not isinstance(model.net, Transformer):
        raise UserError(tr("{model} is no Transformer; give one with --model.", model=args.model))
    pairs = spread(load_pairs(args.data, "dev"), args.sentences)
    gold = load_xlwa(args.alignment, "dev") if args.alignment else []
    read_ = [Read(one.source, one.target) for one in pairs]
    read_ += [Read(one.source, one.target, one.links) for one in spread(gold, args.sentences)]
    tally = tally_of(model, read_)
    losses = {} if args.no_importance else importance(model, gather([pair.texts for pair in pairs]))
    found = {name: replace(habit, lost=losses.get(name)) for name, habit in tally.habits().items()}
    print(_json(found, tally) if args.json else _table(found))
    if args.write:
        _write(zoo, model, found)
    return 0


@torch.inference_mode()
def tally_of(model: LoadedTranslator, sentences: Sequence[Read]) -> Tally:
    """What the heads of a Transformer look at while it reads sentences and their given translations."""
    tally = Tally()
    for one in sentences:
        parts = zip(("encoder", "decoder", "cross"), _maps(model, one), _masks(one), strict=True)
        for part, layers, masks in parts:
            for layer, weights in enumerate(layers):
                names = [f"{part}:{head_name(layer, head)}" for head in range(len(weights))]
                tally.add(names, weights, masks, causal=part == "decoder")
    return tally


def _masks(one: Read) -> Iterator[Masks]:
    yield self_masks(one.source)
    yield self_masks((START, *one.target))
    yield cross_masks(one.source, one.target, one.links)


def _maps(model: LoadedTranslator, one: Read) -> Iterator[list[Floats]]:
    """The maps [H, T, L] of each layer of the encoder, of the decoder, and of its look at the source."""
    net, words = model.net, model.words
    assert isinstance(net, Transformer)  # checked by the caller
    device = net.bias.device
    ids, ngrams = (part.to(device) for part in words.speller([one.source]))
    read_ = net.encode(net.words.source(ids) + net.words.embed_ngrams(ngrams), ids != 0, Ablation())[1]
    yield [layer.attended.weights[0].float().cpu().numpy() for layer in read_]
    memory: Any = read(net, words.speller, [one.source])
    inputs, letters = (part.to(device) for part in given(words.target, words.speller.buckets, [one.target]))
    said = net.follow(memory, inputs, letters)[1]
    yield [layer.own.weights[0].float().cpu().numpy() for layer in said]
    yield [layer.cross.weights[0].float().cpu().numpy() for layer in said]


@torch.inference_mode()
def importance(model: LoadedTranslator, asked: Sequence[Asked]) -> dict[str, float]:
    """BLEU points lost by greedy translation with each head switched off, by its name."""
    net = model.net
    whole, lost = _bleu(model, asked, None), {}
    names = [(layer, head) for layer in range(net.config.layers) for head in range(net.config.heads)]
    for part in ("encoder", "decoder", "cross"):
        for layer, head in names:
            change = Changes(**{part: Ablation(off=((layer, head),))})
            name = f"{part}:{head_name(layer, head)}"
            lost[name] = round(whole - _bleu(model, asked, change), 2)
            print(tr("{head}: {lost} BLEU lost", head=name, lost=lost[name]), file=sys.stderr, flush=True)
    return lost


def _bleu(model: LoadedTranslator, asked: Sequence[Asked], change: Changes | None) -> float:
    words = model.words
    said: list[str] = []
    for start in range(0, len(asked), BATCH):
        sources = [tokenize(one.source) for one in asked[start : start + BATCH]]
        found = translate_batch(
            model.net, words.speller, words.target, sources, 1, 1.0, words.glossary, change
        )  # fmt: skip
        said += map(detokenize, found)
    return bleu(said, asked)


def _table(found: dict[str, Habit]) -> str:
    rows = [(name, habit.label, habit.share, habit.lost) for name, habit in found.items()]
    return f"{table(['head', 'looks at', 'share', 'BLEU lost'], rows)}\n\n{tr(TOLD)}"


def _json(found: dict[str, Habit], tally: Tally) -> str:
    shares = tally.shares()
    return json.dumps({name: {**asdict(habit), "shares": shares[name]} for name, habit in found.items()})


def _write(zoo: Zoo, model: LoadedTranslator, found: dict[str, Habit]) -> None:
    path = zoo.folder / model.card.id / CARD
    save_card(replace(model.card, heads=found), path)
    print(tr("wrote {path}", path=path), file=sys.stderr)
