"""The options of `attnviewer evaluate grounding`."""

from __future__ import annotations

import argparse

from attnviewer.core.i18n import tr
from attnviewer.measure.options.photos import add_split


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer evaluate grounding`."""
    add_split(parser)
    parser.add_argument("--no-captioner", action="store_true", help=tr("leave out the captioner's own attention"))
