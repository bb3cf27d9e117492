"""`attnviewer models`: what is installed, on which terms, and how good it was measured to be; `add` fetches others."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from attnviewer.core.added import Added, added_folder, added_models, folder_name
from attnviewer.core.card import ModelCard, sound_cards
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import later, tr
from attnviewer.core.paths import Shelf, models_dir, shelf, user_models_dir

HEADLINES = ("bleu4", "bleu", "correctness", "pointing", "inside", "error", "origin_error")  # --json tells all
EPILOG = later("""examples:
  attnviewer models                                     what is installed, and where
  attnviewer models import BEST_checkpoint.pth.tar      a captioner of a-PyTorch-Tutorial-to-Image-Captioning;
                                                        its WORDMAP_....json lies beside it; none of its code is run
  attnviewer models add OWNER/NAME                      fetch a Hugging Face model: its size and licence are told first;
                                                        then offline: attnviewer attend TEXT --model OWNER/NAME""")
HEADERS = ("model", "task", "attention", "size", "licence", "measured", later("lies in"))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer models`."""
    parser.epilog = tr(EPILOG)
    parser.add_argument("action", nargs="?", choices=tuple(ACTIONS), help=tr("what to do (default: list the models)"))
    parser.add_argument(
        "file", nargs="?", metavar="FILE|NAME", help=tr("with import: the checkpoint; with add: the model's name")
    )
    parser.add_argument("--words", type=Path, metavar="JSON", help=tr("its word map (default: the one beside it)"))
    parser.add_argument("--name", metavar="ID", help=tr("the id it gets (default: from the name of its file)"))
    parser.add_argument("--yes", action="store_true", help=tr("with add: fetch without asking"))
    parser.add_argument(
        "--allow-pickle",
        action="store_true",
        help=tr("with add: take pickled weights where there are no others; none of their code is run"),
    )
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
    for card in import_checkpoint(Path(args.file), args.words, args.name, folder):
        print(tr("{id}: {name}, in {folder}", id=card.id, name=card.name, folder=folder / card.id))
    return 0


def _add(args: argparse.Namespace) -> int:
    """Fetch a model from the hub, once its size and licence were told and the user agreed."""
    if args.file is None:
        raise UserError(tr("name the model as the hub does: attnviewer models add OWNER/NAME"))
    from attnviewer.verbs.progress import ProgressLine
    from attnviewer.zoo.foreign import KINDS
    from attnviewer.zoo.hub import ask, fetch

    if known := added_folder(args.file):
        print(tr("{name} is here already, in {folder}", name=args.file, folder=known))
        return 0
    offer = ask(args.file, pickled=args.allow_pickle)
    if offer.kind not in KINDS:
        raise UserError(
            tr("{name} is of kind {kind}; the kinds that can be read are {known}.",
               name=offer.name, kind=offer.kind, known=", ".join(KINDS))
        )  # fmt: skip
    print(
        tr("{name}: {size:.1f} MB in {count} files, kind {kind}, licence {licence}",
           name=offer.name, size=offer.size / 1e6, count=len(offer.files), kind=offer.kind, licence=offer.licence)
    )  # fmt: skip
    if not (args.yes or _agrees()):
        print(tr("nothing was fetched"), file=sys.stderr)
        return 0
    line, place = ProgressLine(), args.models_dir or user_models_dir()
    for progress in fetch(offer, place):
        line(progress)
    print(
        tr("{name} is in {folder}; use it with --model {name}", name=offer.name, folder=place / folder_name(offer.name))
    )
    return 0


def _agrees() -> bool:
    """Whether the user says yes; raises `UserError` where nobody can be asked."""
    if not sys.stdin.isatty():
        raise UserError(tr("nobody is there to be asked; add --yes to fetch it."))
    return input(tr("Fetch it? [y/N] ")).strip().lower() in ("y", "yes", tr("yes"))


def _list(args: argparse.Namespace) -> int:
    """Print the cards of the installed models."""
    where = shelf(args.models_dir)
    cards, faults = sound_cards(where)
    if not cards:
        raise UserError(
            tr("no models in {folder}; install the package again, or name a folder: --models DIR", folder=where)
        )
    print(as_json(cards, where) if args.json else as_table(cards, where))
    if not args.json and (added := added_models(where)):
        print(f"\n{as_added(added)}")
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


def as_added(added: Mapping[Path, Added]) -> str:
    """A row a model of other people's."""
    from attnviewer.measure.table import table

    rows = [(one.name, one.kind, f"{one.size / 1e6:.1f} MB", one.licence, str(at)) for at, one in added.items()]
    return table(("added", "kind", "size", "licence", later("lies in")), rows)


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


ACTIONS: dict[str, Callable[[argparse.Namespace], int]] = {"import": _import, "add": _add}
