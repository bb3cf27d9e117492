"""What the verbs print to: streams that exist, take any letter, and let no text command the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from typing import Any

from attnviewer.core.shown import harmless

ERASE = "\x1b[K"  # what the line of progress is erased with


class Harmless:
    """A text stream whose control characters are written out; everything else is the stream's own.

    Parameters
    ----------
    allowed : a command to the terminal that is our own.
    """

    def __init__(self, stream: Any, allowed: str = "") -> None:
        self._stream, self._allowed = stream, allowed

    def write(self, text: str) -> int:
        """Write a text without its commands to the terminal."""
        parts = text.split(self._allowed) if self._allowed else [text]
        self._stream.write(self._allowed.join(map(harmless, parts)))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def harmless_streams() -> Iterator[None]:
    """Inside the block stdout and stderr are there, forgive letters that a terminal lacks, and are harmless."""
    _fill_gaps()
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    out: Any = None if sys.stdout is None else Harmless(sys.stdout)
    with redirect_stdout(out), redirect_stderr(Harmless(sys.stderr, ERASE)):
        yield


def _fill_gaps() -> None:
    """Streams that were closed lead nowhere: else the next file that is opened takes the place of stderr."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
