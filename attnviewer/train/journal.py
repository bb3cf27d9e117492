"""What a training tells while it runs, and its checkpoints; of several processes only the first writes."""

from __future__ import annotations

import csv
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch

from attnviewer.core.i18n import tr
from attnviewer.core.writing import replacing
from attnviewer.train.processes import world

LOG = "log.csv"


class Journal:
    """Progress on stderr and a `log.csv` that a plot can be made from.

    Parameters
    ----------
    folder : of the training; it is made where it isn't there.
    steps : of the whole training, to tell how long it still takes.
    """

    def __init__(self, folder: Path, steps: int) -> None:
        self.folder, self.steps, self.began, self.first = folder, steps, time.monotonic(), -1
        self.rank = world()[0]
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def seconds(self) -> float:
        """How long the training has run since it was started or resumed."""
        return time.monotonic() - self.began

    def progress(self, step: int, text: str, every: int = 20) -> None:
        """Tell how a step went and how many minutes are left, for one step in `every`."""
        if self.rank or step % every:
            return
        self.first = step if self.first < 0 else self.first
        pace = self.seconds / max(1, step - self.first + 1)
        minutes = pace * (self.steps - step) / 60
        print(
            tr(
                "step {step}/{steps}  {text}  {minutes:.1f} min left",
                step=step,
                steps=self.steps,
                text=text,
                minutes=minutes,
            ),
            file=sys.stderr,
            flush=True,
        )

    def record(self, **row: float | int | str) -> None:
        """Add a row to the log."""
        if self.rank:
            return
        path = self.folder / LOG
        fresh = not path.exists()
        with path.open("a", newline="") as file:
            writer = csv.DictWriter(file, fieldnames=list(row))
            if fresh:
                writer.writeheader()
            writer.writerow(row)
        print("  ".join(f"{key} {value}" for key, value in row.items()), file=sys.stderr, flush=True)


def logged_hours(folder: Path) -> float:
    """Hours that the epochs in a folder's log took, in all its phases and after every resumption; 0 without a log."""
    path = folder / LOG
    if not path.is_file():
        return 0.0
    with path.open(newline="") as rows:
        seconds = [float(row["seconds"]) for row in csv.DictReader(rows)]
    lasts = [now for now, after in pairwise([*seconds, 0.0]) if after < now]  # the clock begins anew with each run
    return round(sum(lasts) / 3600, 2)


def save_checkpoint(path: Path, **parts: Any) -> None:
    """Write `parts` so that an interruption leaves either the old file or the new one."""
    if world()[0]:
        return
    with replacing(path) as draft, draft.open("wb") as file:
        torch.save(parts, file)


def load_checkpoint(path: Path) -> dict[str, Any] | None:
    """What `save_checkpoint` wrote, or None where there is nothing to resume."""
    return torch.load(path, weights_only=True, map_location="cpu") if path.is_file() else None
