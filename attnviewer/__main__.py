"""`attnviewer` and `python -m attnviewer`: the window, or a verb."""

from __future__ import annotations

import os
import signal
import sys

INTERRUPTED = 130


def leave(*_: object) -> None:
    """End silently at Ctrl+C: nothing has been begun that would have to be cleaned up."""
    os._exit(INTERRUPTED)


def main() -> int:
    """Load the command line and run it; Ctrl+C ends silently from the first moment on."""
    signal.signal(signal.SIGINT, leave)
    from attnviewer.cli import main as run

    return run(ready=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))


if __name__ == "__main__":
    sys.exit(main())
