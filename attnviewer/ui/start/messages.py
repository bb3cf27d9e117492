"""Qt's remarks that mean nothing to a user stay off stderr; all others are printed as they come."""

from __future__ import annotations

import atexit
import contextlib
import sys

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

NOISE = (
    "does not support propagateSizeHints",  # the platform without a screen, of any window with a least size
    "QVariant::load: unknown user type",  # a settings file that something else has written
)


def hush() -> None:
    """Drop the noise from now on, until Python ends."""
    qInstallMessageHandler(_print)
    atexit.register(qInstallMessageHandler, None)


def _print(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
    if not any(noise in text for noise in NOISE):
        with contextlib.suppress(OSError, ValueError, AttributeError):  # there may be no stderr
            print(text, file=sys.stderr, flush=True)
