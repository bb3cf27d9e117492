"""The options that impose words and attention, which captions and translations share."""

from __future__ import annotations

import argparse

from attnviewer.core.i18n import tr
from attnviewer.core.imposing import gathered
from attnviewer.core.request import Intervention


def add_impositions(parser: argparse.ArgumentParser, place: str) -> None:
    """Offer --force-word, --force-gaze and --intervention; `place` tells what a gaze may be."""
    add = parser.add_argument
    add("--force-word", action="append", default=[], metavar="N=WORD", help=tr("word N (from 0) is WORD; repeatable"))
    told = tr("word N is chosen while looking at {place}; @I.J at the end: with one head; repeatable", place=place)
    add("--force-gaze", action="append", default=[], metavar="N=PLACE", help=told)
    told = tr("impose what a JSON file lists, or what a saved trace was made with; repeatable")
    add("--intervention", action="append", default=[], metavar="FILE", help=told)


def interventions_of(args: argparse.Namespace) -> tuple[Intervention, ...]:
    """What the arguments impose; raises `UserError` where that can't be read."""
    return gathered(args.force_word, args.force_gaze, args.intervention)
