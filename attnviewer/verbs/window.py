"""The bare command: open the window, on an image, a folder, or what was open last."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of the bare command."""
    add = parser.add_argument
    told = tr("an image, a folder of images or of a model, a saved trace (.json, .npz), a lesson or a state (.toml)")
    add("image", nargs="*", metavar="FILE", help=told)
    add("--timings", action="store_true", help=tr("print milestones to stderr as JSON lines"))
    add("--quit-when-done", action="store_true", help=tr("close the window after the first caption"))


def run(args: argparse.Namespace) -> int:
    """Check the image, then open the window."""
    for image in args.image:
        _check(image)
    if len(args.image) > 1:
        raise UserError(tr("the window opens on one image or folder; name one, or drop several on the window."))
    image = Path(args.image[0]) if args.image else None
    from attnviewer.app import run_app

    return run_app(image, timings=args.timings, quit_when_done=args.quit_when_done, language=args.lang)


def _check(name: str) -> None:
    """Raise `UserError` where there is nothing to show."""
    from attnviewer.core.added import model_at
    from attnviewer.core.images import is_folder, list_images, load_picture
    from attnviewer.core.lessons.states import SUFFIX, read_state
    from attnviewer.core.lessons.stops import is_lesson, read_lesson
    from attnviewer.core.tracefiles import SAVED, load_trace

    if not name or not os.path.lexists(name):
        raise UserError(
            tr(
                "there is no file and no command {name}; check the name, or see `attnviewer --help`.",
                name=name or repr(name),
            )
        )
    if model_at(Path(name)) is not None:
        return  # a model is read when it runs
    if Path(name).suffix.lower() in SAVED:
        load_trace(Path(name))
    elif Path(name).suffix.lower() == SUFFIX:
        read_state(name) if not is_lesson(name) else read_lesson(name)
    elif is_folder(name):
        list_images(name)
    else:
        load_picture(name)
