"""Several processes that train one net: `torchrun` starts them, and each takes its share of every batch."""

from __future__ import annotations

import os
from collections.abc import Iterable

import torch
import torch.distributed as dist
from torch import nn


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
