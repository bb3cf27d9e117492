"""Ctrl+C and polite requests to end close the window; Qt's loop by itself would never let Python see them."""

from __future__ import annotations

import contextlib
import signal
import socket
from collections.abc import Callable
from typing import Any

NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


def _note(*_: object) -> None:
    """Nothing is done here: the signal's byte in the socket wakes Qt's loop."""


class Interrupts:
    """While entered, signals to end raise nothing; they wait until `connect` is told what to do, and then do it.

    Enter before Qt is imported: a KeyboardInterrupt inside that import aborts the process. Signals that the parent
    told the process to ignore stay ignored. Main thread only.
    """

    def __init__(self) -> None:
        self._before: dict[int, Any] = {}
        self._notifier: Any = None

    def __enter__(self) -> Interrupts:
        self._inner, self._outer = socket.socketpair()
        for end in (self._inner, self._outer):
            end.setblocking(False)
        self._wakeup = signal.set_wakeup_fd(self._outer.fileno(), warn_on_full_buffer=False)
        for number in (getattr(signal, name) for name in NAMES if hasattr(signal, name)):
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, _note)
        return self

    def __exit__(self, *_: object) -> None:
        if self._notifier is not None:
            self._notifier.setEnabled(False)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._wakeup)
        self._inner.close()
        self._outer.close()

    def connect(self, end: Callable[[], object]) -> None:
        """Call `end` in Qt's loop for each signal, also for one that came before."""
        from PySide6.QtCore import QSocketNotifier

        self._notifier = QSocketNotifier(self._inner.fileno(), QSocketNotifier.Type.Read)
        self._notifier.activated.connect(lambda *_: self._heed(end))

    def _heed(self, end: Callable[[], object]) -> None:
        came = b""
        with contextlib.suppress(OSError):
            came = self._inner.recv(4096)
        if any(number in self._before for number in came):
            end()
