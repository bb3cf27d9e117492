"""The options of `attnviewer evaluate everyday`."""

from __future__ import annotations

import argparse
from pathlib import Path

from attnviewer.core.i18n import tr
from attnviewer.core.modes import of
from attnviewer.core.request import DEVICES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer evaluate everyday`."""
    add = parser.add_argument
    add("file", type=Path, metavar="FILE", help=tr("a line each: kind, tab, Spanish, tab, translations joined by |"))
    add("--attention", default="soft", choices=of("translate"))
    add("--model", metavar="ID", help=tr("a translator listed by `attnviewer models`"))
    add("--beam", type=int, default=4, metavar="K")
    add("--device", default="auto", choices=DEVICES)
    add("--show", action="store_true", help=tr("print each input, what came out, and whether it is accepted"))
    add("--json", action="store_true", help=tr("print the figures as JSON"))
