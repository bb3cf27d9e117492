"""The bare command: open the window, on an image, a folder, or what was open last."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from attnviewer.core.errors import UserError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of the bare command."""
    parser.add_argument("image", nargs="?", type=Path, help="an image, or a folder of images (default: a sample)")
    parser.add_argument("--timings", action="store_true", help="print milestones to stderr as JSON lines")
    parser.add_argument("--quit-when-done", action="store_true", help="close the window after the first caption")


def run(args: argparse.Namespace) -> int:
    """Check the image, then open the window."""
    if args.image is not None:
        _check(args.image)
    from attnviewer.app import run_app

    return run_app(args.image, timings=args.timings, quit_when_done=args.quit_when_done)


def _check(path: Path) -> None:
    """Raise `UserError` where there is nothing to show."""
    from attnviewer.core.images import is_folder, list_images, load_picture

    if not os.path.lexists(path):
        raise UserError(f"there is no file and no command {path}; check the name, or see `attnviewer --help`.")
    if is_folder(path):
        list_images(path)
    else:
        load_picture(path)
