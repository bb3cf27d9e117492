"""What every `attnviewer evaluate` is told: the photos to measure on, the models, and the form of the answer."""

from __future__ import annotations

import argparse
from pathlib import Path

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.data.named import ASIDE, set_aside
from attnviewer.data.photos import Photo, load_photos


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
