"""Libraries that write to the process's own stderr, past Python, are listened to instead."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_lock = threading.Lock()
STDERR = 2


@contextmanager
def overheard() -> Iterator[Callable[[], str]]:
    """What is written to stderr inside the block is kept from it; the function that is given tells what it was."""
    with _lock, tempfile.TemporaryFile() as heard:

        def told() -> str:
            heard.seek(0)
            return heard.read().decode("utf-8", "replace")

        try:
            kept = os.dup(STDERR)
        except OSError:  # there is no stderr
            yield told
            return
        try:
            os.dup2(heard.fileno(), STDERR)
            yield told
        finally:
            os.dup2(kept, STDERR)
            os.close(kept)
