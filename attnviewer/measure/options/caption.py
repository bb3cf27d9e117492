"""The options of `attnviewer evaluate caption`."""

from __future__ import annotations

import argparse

from attnviewer.core.i18n import tr
from attnviewer.core.modes import of
from attnviewer.core.request import DEVICES, PICKS
from attnviewer.measure.options.photos import add_split


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer evaluate caption`."""
    add = parser.add_argument
    add_split(parser)
    modes = ",".join(of("caption"))
    add("--attention", default="soft", help=tr("one or more of {modes}, joined by commas (default: soft)", modes=modes))
    add("--beam", type=int, default=3, metavar="K")
    add("--length-penalty", type=float, default=None, metavar="P", help=tr("default: the one chosen on the dev split"))
    add("--model", metavar="ID", help=tr("a captioner of the folder of models"))
    add("--device", default="auto", choices=DEVICES)
    add("--seed", type=int, default=0, help=tr("seed of what hard attention samples"))
    add(
        "--pick",
        choices=PICKS,
        default="sample",
        help=tr("hard attention samples its place, or takes the most probable"),
    )
