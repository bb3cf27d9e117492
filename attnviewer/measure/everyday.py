"""`attnviewer evaluate everyday FILE`: everyday inputs with all accepted translations, right ones and chrF by kind."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sacrebleu.metrics import CHRF

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import later, tr
from attnviewer.core.jobs import outcome
from attnviewer.core.lines import read_rows
from attnviewer.core.paths import shelf
from attnviewer.core.request import Decoding, TranslateRequest
from attnviewer.measure.table import table
from attnviewer.runs.device import choose_device
from attnviewer.runs.translate import translate
from attnviewer.zoo.store import Zoo

ENDS = " .!?…"
STRAIGHT = str.maketrans("’‘“”", "''\"\"")
TOLD = later("""\
exact: share of the inputs whose translation is one of the accepted ones, capitals and the marks at the end aside.
chrF: character n-gram F-score (sacreBLEU) against all accepted translations, compared in the same way.""")


@dataclass(frozen=True)
class Item:
    """An input of a kind, with all translations that are accepted."""

    kind: str
    text: str
    accepted: tuple[str, ...]


@dataclass(frozen=True)
class Said:
    """What came out for an item."""

    item: Item
    text: str

    @property
    def exact(self) -> bool:
        """Whether it is one of the accepted translations, capitals and the marks at the end aside."""
        return bare(self.text) in map(bare, self.item.accepted)


def run(args: argparse.Namespace) -> int:
    """Translate every input as the program does, and print the figures by kind."""
    said = translated(load_items(args.file), args)
    rows = figures(said)
    if args.json:
        print(json.dumps({"file": args.file.name, "beam": args.beam, "kinds": rows}, ensure_ascii=False))
        return 0
    if args.show:
        shown = [("right" if one.exact else "", one.item.kind, one.item.text, one.text) for one in said]
        print(table(["", "kind", "Spanish", "English"], shown), end="\n\n")
    columns = ("kind", "inputs", "exact", "chrf")
    print(table(["kind", "inputs", "exact", "chrF"], [[row[name] for name in columns] for row in rows]))
    print(tr("\nBeam {beam}.\n{told}", beam=args.beam, told=tr(TOLD)))
    return 0


def load_items(path: Path) -> list[Item]:
    """The items of a file; raises `UserError` where a line isn't one."""
    items = []
    for number, row in enumerate(read_rows(path), 1):
        parts = row.split("\t")
        if not row.strip():
            continue
        if len(parts) != 3 or not all(part.strip() for part in parts):
            raise UserError(
                tr(
                    "{name}, line {number}: give a kind, a tab, Spanish, a tab, and translations.",
                    name=path.name,
                    number=number,
                )
            )
        items.append(Item(parts[0], parts[1], tuple(parts[2].split("|"))))
    if not items:
        raise UserError(
            tr("{name} holds no inputs; give a kind, a tab, Spanish, a tab, and translations a line.", name=path.name)
        )
    return items


def translated(items: Sequence[Item], args: argparse.Namespace) -> list[Said]:
    """What the translator says for each item."""
    model = Zoo(shelf(args.models_dir), choose_device(args.device)).translator(args.model, args.attention)
    said = []
    for number, item in enumerate(items):
        request = TranslateRequest(item.text, model.card.attention, Decoding(beam=args.beam))
        said.append(Said(item, outcome(translate(request, model)).text))
        if number % 20 == 19 or number + 1 == len(items):
            print(tr("translated {number}/{count}", number=number + 1, count=len(items)), file=sys.stderr, flush=True)
    return said


def figures(said: Sequence[Said]) -> list[dict[str, Any]]:
    """A row for each kind in the order of its first item, and one for all."""
    kinds = dict.fromkeys(one.item.kind for one in said)
    groups = {kind: [one for one in said if one.item.kind == kind] for kind in kinds} | {"all": list(said)}
    return [
        {
            "kind": kind,
            "inputs": len(group),
            "exact": round(sum(one.exact for one in group) / len(group), 3),
            "chrf": round(chrf(group), 1),
        }
        for kind, group in groups.items()
    ]


def chrf(said: Sequence[Said]) -> float:
    """Corpus chrF in percent, against all accepted translations."""
    most = max(len(one.item.accepted) for one in said)
    streams = [
        [bare(one.item.accepted[place if place < len(one.item.accepted) else 0]) for one in said]
        for place in range(most)
    ]
    return float(CHRF().corpus_score([bare(one.text) for one in said], streams).score)


def bare(text: str) -> str:
    """A translation as it is compared: small letters, straight quotes, no marks at its end, single spaces."""
    return " ".join(text.lower().translate(STRAIGHT).rstrip(ENDS).split())
