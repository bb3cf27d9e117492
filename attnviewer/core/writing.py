"""The one way to write a file: whole or not at all, and never over a file that was read."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr

DRAFT = ".attnviewer-"  # how the temporary names begin
LONGEST_SUFFIX = 12


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """A temporary name beside `path`, with its suffix, that takes its place when the block has ended well.

    Whatever goes wrong before, a full disk or an interruption, leaves the older file as it was and nothing else behind.
    A link is followed: the file it names is replaced. What is no regular file (a pipe, a device) is written directly.

    Raises `OSError` as writing does.
    """
    place = Path(os.path.realpath(path))
    if place.exists() and not place.is_file():
        yield place
        return
    draft = _draft(place)
    try:
        yield draft
        _settle(draft)
        os.replace(draft, place)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise


def write_bytes(path: str | Path, data: bytes) -> None:
    """Write a whole file, or leave the older one as it was."""
    with replacing(path) as draft:
        draft.write_bytes(data)


def write_text(path: str | Path, text: str, errors: str = "strict") -> None:
    """Write a whole text file in UTF-8 with its line breaks as they are, or leave the older one as it was."""
    write_bytes(path, text.encode("utf-8", errors))


def spare(targets: Iterable[str | Path], read: Iterable[str | Path]) -> None:
    """Raise `UserError` where one of the `targets` is a file that is `read`, by whatever name: a link, another case."""
    kept = {identity for path in read if (identity := _identity(path)) is not None}
    for target in targets:
        if _identity(target) in kept:
            raise UserError(tr("{name} is one of the files that are read; choose another name or folder.", name=target))


def _identity(path: str | Path) -> tuple[int, int] | None:
    """What tells a file from every other on this machine; None where there is no file to lose."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None


def _draft(place: Path) -> Path:
    """An empty file beside `place`, with the rights of the one it will replace."""
    mode = None
    if place.exists():
        with place.open("ab"):  # a file that may not be written may not be replaced
            mode = place.stat().st_mode & 0o777
    suffix = place.suffix if len(place.suffix) <= LONGEST_SUFFIX else ""
    draft = place.parent / f"{DRAFT}{secrets.token_hex(8)}{suffix}"
    os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    if mode is not None:
        with suppress(OSError):  # some file systems know no rights
            draft.chmod(mode)
    return draft


def _settle(draft: Path) -> None:
    """Wait until the file is on the disk: some file systems find out only then that it doesn't fit."""
    with draft.open("rb+") as file:
        os.fsync(file.fileno())
