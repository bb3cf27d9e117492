"""The options that impose words and attention, which captions and translations share."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from attnviewer.core.covers import Cover
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.imposing import cover_from, gathered, read_imposed
from attnviewer.core.interventions import Intervention


def add_impositions(parser: argparse.ArgumentParser, place: str) -> None:
    """Offer --force-word, --force-gaze and --intervention; `place` tells what a gaze may be."""
    add = parser.add_argument
    add("--force-word", action="append", default=[], metavar="N=WORD", help=tr("word N (from 0) is WORD; repeatable"))
    told = tr("word N is chosen while looking at {place}; @I.J at the end: with one head; repeatable", place=place)
    add("--force-gaze", action="append", default=[], metavar="N=PLACE", help=told)
    told = tr("impose what a JSON file lists, or what a saved trace was made with; repeatable")
    add("--intervention", action="append", default=[], metavar="FILE", help=told)


def add_covers(parser: argparse.ArgumentParser) -> None:
    """Offer --cover."""
    told = tr("cover a box of the photo: left,top,right,bottom as shares of it; =blur at the end blurs it; repeatable")
    parser.add_argument("--cover", action="append", default=[], metavar="BOX", help=told)


def covers_of_call(args: argparse.Namespace) -> tuple[Cover, ...]:
    """The covers that the arguments and their files name."""
    return (*map(cover_from, args.cover), *(one for file in args.intervention for one in read_imposed(file).covers))


def refuse_covers(args: argparse.Namespace) -> None:
    """Raise `UserError` for a file that covers places of a photo, where a sentence is read."""
    for file in args.intervention:
        if read_imposed(file).covers:
            raise UserError(
                tr("{file} covers places of a photo, and a sentence has none; strike source word N out with --hide N.",
                   file=Path(file).name)
            )  # fmt: skip


def warn_of_other_photos(args: argparse.Namespace, picture: Picture) -> None:
    """Say of each file of interventions that it was made with another photo than this one."""
    for file in args.intervention:
        if read_imposed(file).mismatch(picture):
            told = tr("{file} was made with another photo than {photo}; the maps will differ.", file=Path(file).name,
                      photo=Path(picture.path).name if picture.path else tr("this one"))  # fmt: skip
            print(told, file=sys.stderr)


def interventions_of(args: argparse.Namespace) -> tuple[Intervention, ...]:
    """What the arguments impose; raises `UserError` where that can't be read."""
    return gathered(args.force_word, args.force_gaze, args.intervention)
