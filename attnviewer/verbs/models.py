"""`attnviewer models`: what is installed, on which terms, and how good it was measured to be."""

from __future__ import annotations

import argparse
import dataclasses
import json
from pathlib import Path

from attnviewer.core.card import ModelCard, find_cards
from attnviewer.core.errors import UserError
from attnviewer.core.paths import models_dir

HEADLINES = ("bleu4", "bleu", "correctness", "pointing", "inside", "error", "origin_error")  # --json tells all
HEADERS = ("model", "task", "attention", "size", "licence", "measured")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer models`."""
    parser.add_argument("--json", action="store_true", help="print the whole cards as one JSON list")
    parser.add_argument("--models-dir", type=Path, help="list another folder of models")


def run(args: argparse.Namespace) -> int:
    """Print the cards of the installed models."""
    folder = args.models_dir or models_dir()
    cards = find_cards(folder)
    if not cards:
        raise UserError(f"no models in {folder}; install the package again, or give a folder with --models-dir.")
    print(as_json(cards) if args.json else as_table(cards))
    return 0


def as_json(cards: list[ModelCard]) -> str:
    """The cards as one JSON list."""
    return json.dumps([dataclasses.asdict(card) for card in cards], ensure_ascii=False)


def as_table(cards: list[ModelCard]) -> str:
    """A row a model."""
    from attnviewer.measure.table import table

    return table(HEADERS, [_row(card) for card in cards])


def _row(card: ModelCard) -> tuple[str, ...]:
    figures = ", ".join(f"{name} {card.figures[name]:g}" for name in HEADLINES if name in card.figures)
    return card.id, card.task, card.attention, _size(card.parameters), card.licence, figures or "-"


def _size(parameters: int | None) -> str:
    return "-" if parameters is None else f"{parameters / 1e6:.1f} M"
