"""The options of `attnviewer evaluate translate`."""

from __future__ import annotations

import argparse
from pathlib import Path

from attnviewer.core.i18n import tr
from attnviewer.core.modes import of
from attnviewer.core.request import DEVICES
from attnviewer.export import FIGURES

ALIGNERS = ("eflomal", "fast_align", "diagonal")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer evaluate translate`."""
    add = parser.add_argument
    add("--data", type=Path, required=True, help=tr("the tatoeba folder: es-en.test.tsv.gz"))
    add("--alignment", type=Path, help=tr("the folder of hand-aligned pairs: es-en.gold.jsonl, and XL-WA's"))
    add(
        "--aligners", default=",".join(ALIGNERS), help=tr("what the maps are held against (default: all that is there)")
    )
    add("--split", default="test", choices=("dev", "test"))
    add("--sentences", type=int, metavar="N", help=tr("only so many Spanish sentences, spread over the split"))
    add(
        "--attention",
        help=tr(
            "one or more of {choices}, joined by commas (default: all installed)", choices=",".join(of("translate"))
        ),
    )
    add("--model", action="append", metavar="ID", help=tr("measure this model; may be given several times"))
    add("--beam", type=int, default=4, metavar="K")
    add("--length-penalty", type=float, default=None, metavar="P", help=tr("default: the one on the model's card"))
    add("--copy", action="store_true", help=tr("copy words that a model has none for, rather than look them up"))
    add("--shuffled", action="store_true", help=tr("translate each sentence with its words shuffled, too"))
    add("--device", default="auto", choices=DEVICES)
    add("--json", action="store_true", help=tr("print the figures as JSON"))
    add("-o", "--out", type=Path, metavar="PLOT", help=tr("draw BLEU by length: {figures}", figures=" ".join(FIGURES)))
