"""What every training shares: schedule, averaged weights, a log to plot, checkpoints, several processes."""

from __future__ import annotations

import csv
import math
import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch import nn

from attnviewer.core.writing import replacing


def world() -> tuple[int, int]:
    """(rank, number of processes): (0, 1) unless started by torchrun."""
    if not dist.is_initialized() and int(os.environ.get("WORLD_SIZE", "1")) > 1:
        dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    return (dist.get_rank(), dist.get_world_size()) if dist.is_initialized() else (0, 1)


def share_gradients(parameters: Iterable[nn.Parameter]) -> None:
    """Add up the gradients of all processes, each of which saw its part of the batch."""
    if not dist.is_initialized():
        return
    for parameter in parameters:
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)


def cosine(step: int, steps: int, warmup: int = 200, floor: float = 0.02) -> float:
    """Factor on the learning rate: a linear warm-up, then half a cosine down to `floor`."""
    warmup = min(warmup, max(1, steps // 10))
    if step < warmup:
        return (step + 1) / warmup
    return floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * (step - warmup) / max(1, steps - warmup)))


class Average:
    """An exponential moving average of a module's floating-point state."""

    def __init__(self, module: nn.Module, decay: float) -> None:
        self.decay, self.updates = decay, 0
        self.state = {name: value.detach().clone() for name, value in module.state_dict().items()}

    @torch.no_grad()
    def update(self, module: nn.Module) -> None:
        self.updates += 1
        weight = 1 - min(self.decay, (1 + self.updates) / (10 + self.updates))
        for name, value in module.state_dict().items():
            self.state[name].lerp_(value.to(self.state[name].dtype), weight) if value.is_floating_point() else None


class Journal:
    """Progress on stderr and a `log.csv` that a plot can be made from; only the first process writes."""

    def __init__(self, folder: Path, steps: int) -> None:
        self.folder, self.steps, self.began, self.first = folder, steps, time.monotonic(), -1
        self.rank = world()[0]
        folder.mkdir(parents=True, exist_ok=True)

    def progress(self, step: int, text: str, every: int = 20) -> None:
        if self.rank or step % every:
            return
        self.first = step if self.first < 0 else self.first
        pace = (time.monotonic() - self.began) / max(1, step - self.first + 1)
        minutes = pace * (self.steps - step) / 60
        print(f"step {step}/{self.steps}  {text}  {minutes:.1f} min left", file=sys.stderr, flush=True)

    def record(self, **row: float | int | str) -> None:
        if self.rank:
            return
        path = self.folder / "log.csv"
        fresh = not path.exists()
        with path.open("a", newline="") as file:
            writer = csv.DictWriter(file, fieldnames=list(row))
            if fresh:
                writer.writeheader()
            writer.writerow(row)
        print("  ".join(f"{key} {value}" for key, value in row.items()), file=sys.stderr, flush=True)


def save_checkpoint(path: Path, **parts: Any) -> None:
    """Write `parts` so that an interruption leaves either the old file or the new one."""
    if world()[0]:
        return
    with replacing(path) as draft, draft.open("wb") as file:
        torch.save(parts, file)


def load_checkpoint(path: Path) -> dict[str, Any] | None:
    """What `save_checkpoint` wrote, or None where there is nothing to resume."""
    return torch.load(path, weights_only=True, map_location="cpu") if path.is_file() else None
