"""The options of `attnviewer evaluate faithfulness`."""

from __future__ import annotations

import argparse

from attnviewer.core.i18n import tr
from attnviewer.core.request import DEVICES
from attnviewer.measure.options.photos import add_split

MODES = ("soft", "hard")  # those with maps that may matter


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer evaluate faithfulness`."""
    add_split(parser, most=200)
    add = parser.add_argument
    add("--attention", default="soft", choices=MODES)
    add("--steps", type=int, default=20, help=tr("steps from the whole photo to grey (default: 20)"))
    add("--no-occlusion", action="store_true", help=tr("leave the slowest order out"))
    add("--device", default="auto", choices=DEVICES)
