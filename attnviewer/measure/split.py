"""What every `attnviewer evaluate` is told: the photos to measure on, the models, and the form of the answer."""

from __future__ import annotations

import argparse
from pathlib import Path

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.data.named import ASIDE, set_aside
from attnviewer.data.photos import Photo, load_photos

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


def split_photos(args: argparse.Namespace) -> list[Photo]:
    """The photos that the arguments name; raises `UserError` where that is none."""
    if args.photos is not None and args.photos < 1:
        raise UserError(tr("--photos must be at least 1, not {photos}.", photos=args.photos))
    photos = _of(args.data, args.split)[: args.photos]
    if not photos:
        text = "{folders} holds no photos of the {split} split; choose another --split."
        raise UserError(tr(text, folders=", ".join(map(str, args.data)), split=args.split))
    return photos


def _of(folders: list[Path], split: str) -> list[Photo]:
    """The photos of a split; `tune` is a part of the training photos that training leaves out."""
    if split != "tune":
        return load_photos(folders, split)
    return [photo for photo in set_aside(load_photos(folders, "train"), "tune", ASIDE) if photo.split == "tune"]
