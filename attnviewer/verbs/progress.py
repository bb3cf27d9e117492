"""Progress on stderr for what takes long: one line that is written over on a terminal, one now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

from attnviewer.core.events import Progress
from attnviewer.core.i18n import tr

QUIET = 2.0
EVERY = {True: 0.2, False: 5.0}
LONG = 20.0


class ProgressLine:
    """Say how far a run is and how long it still takes, once it has taken a while.

    Parameters
    ----------
    hint : what to do instead, said once where a run is going to take long.
    out : where to write; by default stderr.
    clock : gives seconds.
    """

    def __init__(self, hint: str = "", out: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._out = out or sys.stderr
        self._clock, self._hint = clock, hint
        self._live = self._out.isatty()
        self._begun = clock()
        self._counted: tuple[float, float] | None = None
        self._said = self._begun + QUIET - EVERY[self._live]

    def __call__(self, progress: Progress) -> None:
        """Tell how far it is, where it is time to."""
        now = self._clock()
        if progress.fraction is None:
            self._counted = None
            return
        left = self._left(progress.fraction, now)
        if progress.fraction >= 1 or now - self._said < EVERY[self._live]:
            self._clear(progress.fraction >= 1)
            return
        self._said = now
        self._write(progress.text + ("" if left is None else tr(", about {time} left", time=_duration(left))))
        if self._hint and left is not None and left > LONG:
            print(("\n" if self._live else "") + self._hint, file=self._out, flush=True)
            self._hint = ""

    def _left(self, fraction: float, now: float) -> float | None:
        """Seconds left, by what was done since the first word of the count; None while that can't be told."""
        if self._counted is None:
            self._counted = now, fraction
        began, at = self._counted
        return (now - began) * (1 - fraction) / (fraction - at) if fraction > at else None

    def _write(self, text: str) -> None:
        print(f"\r\x1b[K{text}" if self._live else text, end="" if self._live else "\n", file=self._out, flush=True)

    def _clear(self, done: bool) -> None:
        if done and self._live:
            print("\r\x1b[K", end="", file=self._out, flush=True)


def _duration(seconds: float) -> str:
    whole = round(seconds)
    return tr("{seconds} s", seconds=whole) if whole < 90 else tr("{minutes} min", minutes=round(whole / 60))
