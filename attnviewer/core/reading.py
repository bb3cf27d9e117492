"""Reading a whole file: only where it is a regular one, since a pipe blocks for ever, and not beyond a bound."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

LARGEST = 2_000_000_000


def read_bytes(path: str | Path, most: int = LARGEST) -> bytes:
    """What a regular file holds; raises `OSError` for a pipe, a device, a folder, or more than `most` bytes."""
    with open(path, "rb", opener=_at_once) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "no regular file", str(path))
        if status.st_size > most:
            raise OSError(errno.EFBIG, f"larger than {most // 1_000_000:,} MB", str(path))
        return file.read()


def read_text(path: str | Path, most: int = LARGEST) -> str:
    """The same as text in UTF-8 with its line breaks made plain; raises `ValueError` where it is none."""
    return read_bytes(path, most).decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def _at_once(path: str, flags: int) -> int:
    """Opening a pipe that nobody writes to doesn't wait."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
