"""What the experiments share: the photo they look at, and how they print."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attnviewer.core.errors import UserError
from attnviewer.core.explore.finding import SCHEMA, plain
from attnviewer.core.i18n import tr
from attnviewer.core.images import SUFFIXES, Picture, load_picture
from attnviewer.core.paths import resources_dir


def add_json(parser: argparse.ArgumentParser) -> None:
    """Offer --json."""
    parser.add_argument("--json", action="store_true", help=tr("print the numbers as JSON, one line"))


def add_image(parser: argparse.ArgumentParser) -> None:
    """Take a photo, or the first sample."""
    parser.add_argument("image", nargs="?", metavar="IMAGE", help=tr("a photo (default: a sample that ships)"))


def picture_of(args: argparse.Namespace) -> Picture:
    """The photo that was given, or the first sample."""
    return load_picture(Path(args.image) if args.image is not None else first_sample())


def first_sample() -> Path:
    """The first photo that ships; raises `UserError` where none is there."""
    found = sorted(path for path in (resources_dir() / "images").glob("*") if path.suffix in SUFFIXES)
    named = [path for path in found if path.stem == "retriever"]
    if not found:
        raise UserError(tr("no sample photo is installed; give one of your own."))
    return (named or found)[0]


def put(args: argparse.Namespace, task: str, numbers: dict[str, Any], tell: Callable[[], str]) -> int:
    """Print the numbers as JSON, or what `tell` makes of them."""
    if args.json:
        print(json.dumps({"schema": SCHEMA, "task": task, **plain(numbers)}, ensure_ascii=False, allow_nan=False))
    else:
        print(tell())
    return 0
