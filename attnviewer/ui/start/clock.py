"""Milestones of the start, in seconds since the process began."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

_IMPORTED = time.monotonic()


def process_age() -> float:
    """Seconds since the process began; where the system doesn't tell, since this module was imported."""
    try:
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        return time.clock_gettime(time.CLOCK_BOOTTIME) - int(fields[19]) / os.sysconf("SC_CLK_TCK")
    except (OSError, AttributeError, ValueError, IndexError):
        return time.monotonic() - _IMPORTED


class Milestones:
    """Writes each milestone once, as a line of JSON on stderr; silent unless `loud`."""

    def __init__(self, loud: bool) -> None:
        self._loud = loud
        self.reached: dict[str, float] = {}

    def reach(self, name: str) -> None:
        """The program has got so far; what counts is the first time."""
        if name not in self.reached:
            self.reached[name] = round(process_age(), 3)
            if self._loud:
                print(json.dumps({"milestone": name, "seconds": self.reached[name]}), file=sys.stderr, flush=True)
