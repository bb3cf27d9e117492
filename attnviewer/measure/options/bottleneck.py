"""The options of `attnviewer evaluate bottleneck`."""

from __future__ import annotations

import argparse
from pathlib import Path

from attnviewer.core import modes
from attnviewer.core.i18n import tr
from attnviewer.core.request import DEVICES
from attnviewer.export import FIGURES
from attnviewer.measure.options.photos import add_split


def known() -> tuple[str, ...]:
    """The modes whose curves can be measured: all that have nets of their own."""
    return tuple(mode for mode in modes.compared("caption") if mode in modes.own("caption"))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer evaluate bottleneck`."""
    add = parser.add_argument
    add_split(parser, most=200)
    add(
        "--attention",
        default=",".join(known()),
        help=tr("of {choices}, joined by commas (default: all)", choices=",".join(known())),
    )
    add("--device", default="auto", choices=DEVICES)
    add("-o", "--out", type=Path, metavar="PLOT", help=tr("draw the curves: {figures}", figures=" ".join(FIGURES)))
