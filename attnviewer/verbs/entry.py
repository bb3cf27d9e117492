"""`attnviewer install-entry`: an entry in the start menu, with an icon; or takes it away again."""

from __future__ import annotations

import argparse

from attnviewer.core.entry import install_entry, remove_entry
from attnviewer.core.i18n import tr


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    parser.add_argument("--remove", action="store_true", help=tr("take the entry and its icon away again"))


def run(args: argparse.Namespace) -> int:
    """Write or remove the files, and name them."""
    for path in remove_entry() if args.remove else install_entry():
        print(path)
    return 0
