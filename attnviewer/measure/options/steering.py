"""The options of `attnviewer evaluate steering`."""

from __future__ import annotations

import argparse

from attnviewer.core.request import DEVICES
from attnviewer.measure.options.photos import add_split

MODES = ("soft", "hard")  # those with maps that can be held


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer evaluate steering`."""
    add_split(parser, most=200)
    parser.add_argument("--attention", default="soft", choices=MODES)
    parser.add_argument("--device", default="auto", choices=DEVICES)
