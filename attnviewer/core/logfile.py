"""What went wrong, written down in the user's log folder: three files of a megabyte, the oldest thrown away."""

from __future__ import annotations

import logging
from collections import deque
from contextlib import suppress
from pathlib import Path

from attnviewer.core.paths import user_log_dir

NAME = "attnviewer.log"
LARGEST, KEPT = 1_000_000, 2
FORM = "%(asctime)s %(levelname)s %(name)s: %(message)s"
log = logging.getLogger("attnviewer")


def begin_log(folder: Path | None = None) -> Path | None:
    """Write what the program logs to its file from now on; None where the folder can't be written."""
    from logging.handlers import RotatingFileHandler

    path = (folder or user_log_dir()) / NAME
    for handler in log.handlers:
        if isinstance(handler, RotatingFileHandler) and Path(handler.baseFilename) == path.absolute():
            return path
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(path, maxBytes=LARGEST, backupCount=KEPT, encoding="utf-8", errors="replace")
        handler.setFormatter(logging.Formatter(FORM))
        log.addHandler(handler)
        log.setLevel(logging.INFO)
        return path
    return None


def log_tail(lines: int = 40, folder: Path | None = None) -> str:
    """The last lines of the log, "" where there is none."""
    try:
        with ((folder or user_log_dir()) / NAME).open(encoding="utf-8", errors="replace") as file:
            return "".join(deque(file, lines)).rstrip()
    except OSError:
        return ""
