"""The options of every task that measures on photos."""

from __future__ import annotations

import argparse
from pathlib import Path

from attnviewer.core.i18n import tr

SPLITS = ("train", "tune", "dev", "test", "extra")


def add_split(parser: argparse.ArgumentParser, most: int | None = None) -> None:
    """Describe the shared options; `most` photos are measured where nothing else is said."""
    add = parser.add_argument
    add("--data", type=Path, nargs="+", required=True, help=tr("folders of photos: images/ and annotations.jsonl.gz"))
    add("--split", default="test", choices=SPLITS)
    add(
        "--photos",
        type=int,
        default=most,
        help=tr("only the first so many photos (default: {value})", value=most or "all"),
    )
    add("--json", action="store_true", help=tr("print the figures as JSON"))
