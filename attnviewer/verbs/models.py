"""`attnviewer models`: what is installed, on which terms, and how good it was measured to be."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from attnviewer.core.card import ModelCard, sound_cards
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import later, tr
from attnviewer.core.paths import Shelf, models_dir, shelf, user_models_dir

HEADLINES = ("bleu4", "bleu", "correctness", "pointing", "inside", "error", "origin_error")  # --json tells all
EPILOG = later("""examples:
  attnviewer models                                     what is installed, and where
  attnviewer models import BEST_checkpoint.pth.tar      a captioner of a-PyTorch-Tutorial-to-Image-Captioning;
                                                        its WORDMAP_....json lies beside it; none of its code is run""")
HEADERS = ("model", "task", "attention", "size", "licence", "measured", later("lies in"))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer models`."""
    parser.epilog = tr(EPILOG)
    parser.add_argument("action", nargs="?", choices=tuple(ACTIONS), help=tr("what to do (default: list the models)"))
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help=tr("with import: the checkpoint"))
    parser.add_argument("--words", type=Path, metavar="JSON", help=tr("its word map (default: the one beside it)"))
    parser.add_argument("--name", metavar="ID", help=tr("the id it gets (default: from the name of its file)"))
    parser.add_argument("--json", action="store_true", help=tr("print the whole cards as one JSON list"))


def run(args: argparse.Namespace) -> int:
    """List the models, or do what is asked."""
    return ACTIONS[args.action](args) if args.action else _list(args)


def _import(args: argparse.Namespace) -> int:
    """Turn a foreign checkpoint into models of the user's own."""
    if args.file is None:
        raise UserError(tr("name the checkpoint: attnviewer models import FILE"))
    from attnviewer.zoo.tutorial import import_checkpoint

    folder = args.models_dir or user_models_dir()
    for card in import_checkpoint(args.file, args.words, args.name, folder):
        print(tr("{id}: {name}, in {folder}", id=card.id, name=card.name, folder=folder / card.id))
    return 0


def _list(args: argparse.Namespace) -> int:
    """Print the cards of the installed models."""
    where = shelf(args.models_dir)
    cards, faults = sound_cards(where)
    if not cards:
        raise UserError(
            tr("no models in {folder}; install the package again, or name a folder: --models DIR", folder=where)
        )
    print(as_json(cards, where) if args.json else as_table(cards, where))
    for line in (*faults.values(), *hidden(cards, where)):
        print(f"attnviewer: {line}", file=sys.stderr)
    return 2 if faults else 0


def as_json(cards: list[ModelCard], where: Shelf) -> str:
    """The cards as one JSON list, each with the folder it lies in."""
    rows = [{**dataclasses.asdict(card), "folder": str(where / card.id)} for card in cards]
    return json.dumps(rows, ensure_ascii=False)


def as_table(cards: list[ModelCard], where: Shelf) -> str:
    """A row a model."""
    from attnviewer.measure.table import table

    return table(HEADERS, [_row(card, where) for card in cards])


def hidden(cards: list[ModelCard], where: Shelf) -> Iterator[str]:
    """A line for each model that another of its id stands before."""
    for card in cards:
        first, *others = where.places(card.id)
        for other in others:
            yield tr("{id} is taken from {first}; the one in {other} is not used.",
                     id=card.id, first=first.parent, other=other.parent)  # fmt: skip


def _row(card: ModelCard, where: Shelf) -> tuple[str, ...]:
    figures = ", ".join(f"{name} {card.figures[name]:g}" for name in HEADLINES if name in card.figures)
    place = (where / card.id).parent
    lies = tr("ships") if place == models_dir() else str(place)
    return card.id, card.task, card.attention, _size(card.parameters), card.licence, figures or "-", lies


def _size(parameters: int | None) -> str:
    return "-" if parameters is None else f"{parameters / 1e6:.1f} M"


ACTIONS: dict[str, Callable[[argparse.Namespace], int]] = {"import": _import}
