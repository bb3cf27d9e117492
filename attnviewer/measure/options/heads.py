"""The options of `attnviewer evaluate heads`."""

from __future__ import annotations

import argparse
from pathlib import Path

from attnviewer.core.i18n import tr
from attnviewer.core.request import DEVICES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer evaluate heads`."""
    add = parser.add_argument
    add("--model", required=True, metavar="ID", help=tr("a Transformer that translates, of `attnviewer models`"))
    add("--data", type=Path, required=True, help=tr("the tatoeba folder: es-en.dev.tsv.gz"))
    add("--alignment", type=Path, help=tr("the folder of hand-aligned pairs; XL-WA's dev pairs tell aligned words"))
    add("--sentences", type=int, default=200, metavar="N", help=tr("of dev, at even distances (default: 200)"))
    add("--no-importance", action="store_true", help=tr("leave out how much is lost without each head"))
    add("--write", action="store_true", help=tr("write what was found onto the model's card"))
    add("--device", default="auto", choices=DEVICES)
    add("--json", action="store_true", help=tr("print the figures as JSON"))
