"""Where results go: the screen, one file, or a folder with a file for each image or sentence."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from attnviewer.core.card import sound_cards
from attnviewer.core.errors import UserError, reason
from attnviewer.core.heads import MEAN, looking, usual_head
from attnviewer.core.i18n import tr
from attnviewer.core.paths import shelf
from attnviewer.core.trace import Trace
from attnviewer.core.writing import spare
from attnviewer.export import FORMS, check, offered

Plan = list[Path | None]


def wrote(target: Path | str, remarks: Sequence[str]) -> None:
    """Say that a file was written, and what must be said of it."""
    for line in (tr("wrote {path}", path=target), *remarks):
        print(line, file=sys.stderr)


def names(task: str) -> tuple[str, ...]:
    """The forms that suit a task, by their suffixes without the dot."""
    return tuple(suffix[1:] for suffix in offered(task))


def add_head(parser: argparse.ArgumentParser) -> None:
    """Offer the choice of a head."""
    parser.add_argument(
        "--head",
        metavar="HEAD",
        help=tr("the maps that are drawn: mean, max, all, or the name of a head (default: as the model's card says)"),
    )


def with_head(trace: Trace, head: str | None) -> Trace:
    """The trace as the head that is asked for sees it, or its model's usual one; raises `UserError` without such."""
    if head is not None and head != MEAN and len(trace.heads) < 2:
        raise UserError(tr("{model} has no heads to choose from; leave --head out.", model=trace.model))
    if len(trace.heads) < 2:
        return trace
    return looking(trace, head or usual_head(trace, {card.id: card for card in sound_cards(shelf())[0]}))


def forms_help(task: str) -> str:
    """What -o can write of a task, a line a form."""
    lines = [f"  {suffix:6} {tr(FORMS[suffix].what)}" for suffix in offered(task)]
    return "\n".join([tr("-o chooses the form by the suffix of the name:"), *lines])


def chosen_form(form: str | None, out: str | None) -> str:
    """The form of the files in a folder; raises `UserError` where a form is named but no folder."""
    if form is not None and out is None:
        raise UserError(tr("--form is for files in a folder; add the folder, such as -o out/ --form {form}", form=form))
    return form or "json"


def places(
    images: Sequence[Path], out: str | None, form: str, what: str = "images", read: Sequence[Path] | None = None,
    task: str = "",
) -> Plan:  # fmt: skip
    """The file to write for each image, or None for each; checked before any model runs.

    Parameters
    ----------
    out : what the user gave with -o: a file, or a folder (one that exists, or a name that ends in a slash).
    form : suffix without a dot for files in a folder.
    what : how `images` are called where they are something else, named by their numbers.
    read : files that must not be written over; None: the images.
    task : the task whose traces are written.
    """
    if out is None:
        return [None] * len(images)
    if not out.strip() or "\0" in out:
        raise UserError(tr("the name after -o is empty or no name of a file; give one, such as -o out.png"))
    if out.endswith(("/", "\\")) or Path(out).is_dir():
        return _in_folder(images, Path(out), f".{form}", images if read is None else read)
    if len(images) > 1:
        raise UserError(
            tr(
                "{count} {what} don't fit into {out}; give a folder: -o {folder}/",
                count=len(images),
                what=what,
                out=out,
                folder=Path(out).stem or "out",
            )
        )
    check(out, task)
    spare([out], images if read is None else read)
    return [Path(out)]


def _in_folder(images: Sequence[Path], folder: Path, suffix: str, read: Sequence[Path]) -> Plan:
    """One file an image, named after it; a name that occurs again gets a number."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(
            tr("can't make the folder {folder}: {reason}; choose another place.", folder=folder, reason=reason(error))
        ) from None
    taken: set[str] = set()
    room = _longest(folder) - len(suffix)
    targets = [folder / f"{_unused(image.stem or 'image', taken, room)}{suffix}" for image in images]
    for target in targets[:1]:
        check(target)
    spare(targets, read)
    return list(targets)


def _longest(folder: Path) -> int:
    """Bytes that a name in this folder may have."""
    try:
        return int(os.pathconf(folder, "PC_NAME_MAX"))
    except (OSError, ValueError, AttributeError):
        return 255


def _unused(stem: str, taken: set[str], room: int) -> str:
    """A name of at most `room` bytes that isn't taken, whatever the case of its letters."""
    name, number = _cut(stem, room), 1
    while name.lower() in taken:
        number += 1
        name = _cut(stem, room - len(f"-{number}")) + f"-{number}"
    taken.add(name.lower())
    return name


def _cut(stem: str, room: int) -> str:
    """The head of a name in so many bytes, with no letter cut in two."""
    whole = os.fsencode(stem)
    return stem if len(whole) <= room else whole[:room].decode(sys.getfilesystemencoding(), "ignore")
