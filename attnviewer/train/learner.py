"""The one learner of every training: optimiser, schedule, clipping, averaged weights, checkpoints, and the epochs.

A training describes what is learnt as a `Task`. The learner goes through its epochs, resumes where it stopped, and
keeps the weights that dev likes best.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from attnviewer.train.journal import Journal, load_checkpoint, save_checkpoint
from attnviewer.train.processes import share_gradients

KEPT_EVERY = 100  # steps between two checkpoints of an epoch


@dataclass(frozen=True)
class Rule:
    """How weights follow the gradient.

    Parameters
    ----------
    rate : the learning rate at its height; it warms up, then falls with a cosine.
    scales : the modules that learn, each with a factor on the rate.
    clip : the longest gradient.
    decay : of the moving average of the weights.
    """

    rate: float
    scales: Mapping[str, float] = field(default_factory=lambda: {"net": 1.0})
    clip: float = 1.0
    decay: float = 0.999
    weight_decay: float = 1e-4


@dataclass(frozen=True)
class Verdict:
    """What dev says of the weights: the greater `merit` the better.

    `scores` make a row of the log; `found` is kept beside the best weights as well.
    """

    merit: float
    scores: Mapping[str, float]
    found: Mapping[str, Any] = field(default_factory=dict)


class Task(Protocol):
    """What is learnt: the batches of an epoch, their loss, and how good the nets have become."""

    @property
    def steps(self) -> int:
        """Batches an epoch, for each process."""

    def batches(self, epoch: int) -> Iterator[Any]:
        """The batches of an epoch for this process: always the same ones for the same number."""

    def loss(self, batch: Any, step: int) -> tuple[Tensor, str]:
        """A batch's loss, of which the shares of all processes add up; and what to tell of it."""

    def judge(self) -> Verdict:
        """Measure the nets on dev, with the weights they have now and in evaluation mode."""


class Average:
    """An exponential moving average of a module's floating-point state."""

    def __init__(self, module: nn.Module, decay: float) -> None:
        self.decay, self.updates = decay, 0
        self.state = {name: value.detach().clone() for name, value in module.state_dict().items()}

    @torch.no_grad()
    def update(self, module: nn.Module) -> None:
        """Move towards the module's weights; fast at first, so that the start is soon forgotten."""
        self.updates += 1
        weight = 1 - min(self.decay, (1 + self.updates) / (10 + self.updates))
        for name, value in module.state_dict().items():
            if value.is_floating_point():
                self.state[name].lerp_(value.to(self.state[name].dtype), weight)


def cosine(step: int, steps: int, warmup: int = 200, floor: float = 0.02) -> float:
    """Factor on the learning rate: a linear warm-up, then half a cosine down to `floor`."""
    warmup = min(warmup, max(1, steps // 10))
    if step < warmup:
        return (step + 1) / warmup
    return floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * (step - warmup) / max(1, steps - warmup)))


class Learner:
    """Nets that learn by one rule, from their checkpoint (or afresh) to the end.

    Parameters
    ----------
    modules : all nets that are saved; the one named `net` changes between training and evaluation mode.
    folder : where `last.pt`, `best.pt` and the log go.
    phase : goes before the names of the checkpoints, and into the log.
    """

    def __init__(self, modules: nn.ModuleDict, rule: Rule, folder: Path, phase: str = "") -> None:
        self.modules, self.rule, self.folder, self.phase = modules, rule, folder, phase
        groups = [{"params": _learning(modules[name]), "scale": scale} for name, scale in rule.scales.items()]
        groups = [group for group in groups if group["params"]]
        self.learning = [value for group in groups for value in group["params"]]  # type: ignore[attr-defined]
        self.optimiser = torch.optim.AdamW(
            groups, lr=rule.rate, betas=(0.9, 0.98), weight_decay=rule.weight_decay, fused=True
        )
        self.average = Average(modules, rule.decay)
        self.done, self.best, self.waited = 0, -math.inf, 0

    @property
    def last_file(self) -> Path:
        """The checkpoint from which a training goes on."""
        return self.folder / (f"{self.phase}-last.pt" if self.phase else "last.pt")

    @property
    def best_file(self) -> Path:
        """The averaged weights that dev liked best, as `modules`, with what it said of them as `scores`."""
        return self.folder / (f"{self.phase}-best.pt" if self.phase else "best.pt")

    def run(self, task: Task, epochs: int, patience: int | None = None) -> Journal:
        """Learn to the end, or until `patience` epochs brought nothing better; the nets keep their last weights."""
        journal = Journal(self.folder, epochs * task.steps)
        self.resume()
        while self.done < journal.steps and (patience is None or self.waited < patience):
            self.learn_epoch(task, journal)
            self.judge_epoch(task, journal)
            self.save()
        return journal

    def learn_epoch(self, task: Task, journal: Journal) -> None:
        """What is left of the epoch."""
        self.modules["net"].train()
        number, begun = divmod(self.done, task.steps)
        for index, batch in enumerate(task.batches(number)):
            if index < begun:
                continue
            loss, text = task.loss(batch, self.done)
            self.step(loss, cosine(self.done, journal.steps))
            journal.progress(self.done - 1, f"{self.phase} {text}".lstrip())
            if self.done % KEPT_EVERY == 0 and self.done % task.steps:
                self.save()
        self.done = (number + 1) * task.steps

    def step(self, loss: Tensor, factor: float = 1.0) -> None:
        """Go down the gradient of `loss`, added up over the processes of a run; `factor` scales the learning rate."""
        for group in self.optimiser.param_groups:
            group["lr"] = self.rule.rate * group["scale"] * factor
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        share_gradients(self.learning)
        nn.utils.clip_grad_norm_(self.learning, self.rule.clip)
        self.optimiser.step()
        self.average.update(self.modules)
        self.done += 1

    def judge_epoch(self, task: Task, journal: Journal) -> None:
        """Have the averaged weights judged, and keep them if they are the best so far."""
        self.modules["net"].eval()
        with self.averaged(), torch.inference_mode():
            verdict = task.judge()
        phase = {"phase": self.phase} if self.phase else {}
        journal.record(**phase, epoch=self.done // task.steps, seconds=round(journal.seconds), **verdict.scores)
        self.waited += 1
        if verdict.merit > self.best:
            self.best, self.waited = verdict.merit, 0
            save_checkpoint(
                self.best_file, modules=self.average.state, scores=dict(verdict.scores), found=dict(verdict.found)
            )

    @contextmanager
    def averaged(self) -> Iterator[None]:
        """The nets with the averaged weights; afterwards they go on with their own."""
        own = {name: value.clone() for name, value in self.modules.state_dict().items()}
        self.modules.load_state_dict(self.average.state)
        try:
            yield
        finally:
            self.modules.load_state_dict(own)

    def begin(self, state: Mapping[str, Tensor]) -> None:
        """Start from other weights; raises `RuntimeError` where they don't fit."""
        self.modules.load_state_dict(state)
        self.average = Average(self.modules, self.rule.decay)

    def take_best(self) -> dict[str, Any] | None:
        """Fill the nets with the best weights and return their checkpoint; None where no epoch has ended."""
        best = load_checkpoint(self.best_file)
        if best:
            self.modules.load_state_dict(best["modules"])
        return best

    def save(self) -> None:
        """Write all that `resume` needs."""
        save_checkpoint(
            self.last_file, modules=self.modules.state_dict(), optimiser=self.optimiser.state_dict(),
            average=self.average.state, updates=self.average.updates, done=self.done, best=self.best,
            waited=self.waited,
        )  # fmt: skip

    def resume(self) -> None:
        """Go on from what `save` wrote, where there is such a file."""
        if saved := load_checkpoint(self.last_file):
            self.modules.load_state_dict(saved["modules"])
            self.optimiser.load_state_dict(saved["optimiser"])
            self.average.state, self.average.updates = saved["average"], saved["updates"]
            self.done, self.best, self.waited = saved["done"], saved["best"], saved["waited"]


def _learning(module: nn.Module) -> list[nn.Parameter]:
    return [value for value in module.parameters() if value.requires_grad]
