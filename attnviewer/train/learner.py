"""The weights of a training run on their way, so that a run can stop after any epoch and go on later."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import torch
from torch import Tensor, nn

from attnviewer.train.loop import Average, load_checkpoint, save_checkpoint, share_gradients, world


class Learner:
    """Nets that learn: optimiser, moving average, epochs done and the best BLEU so far; saved and resumed."""

    def __init__(self, modules: nn.ModuleDict, rate: float) -> None:
        self.modules = modules
        self.learning = [value for value in modules.parameters() if value.requires_grad]
        self.optimiser = torch.optim.AdamW(self.learning, lr=rate, betas=(0.9, 0.98), weight_decay=1e-4, fused=True)
        self.average, self.epoch, self.best = Average(modules, 0.999), 0, -1.0

    def step(self, loss: Tensor, rate: float) -> None:
        """Go down the gradient of `loss`, averaged over the processes of a run."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.zero_grad(set_to_none=True)
        (loss / world()[1]).backward()
        share_gradients(self.learning)
        nn.utils.clip_grad_norm_(self.learning, 1.0)
        self.optimiser.step()
        self.average.update(self.modules)

    @contextmanager
    def averaged(self) -> Iterator[None]:
        """The nets with the averaged weights; afterwards they go on with their own."""
        own = {name: value.clone() for name, value in self.modules.state_dict().items()}
        self.modules.load_state_dict(self.average.state)
        try:
            yield
        finally:
            self.modules.load_state_dict(own)

    def save(self, path: Path) -> None:
        """Write all that `resume` needs."""
        save_checkpoint(
            path, modules=self.modules.state_dict(), optimiser=self.optimiser.state_dict(), average=self.average.state,
            updates=self.average.updates, epoch=self.epoch, best=self.best,
        )  # fmt: skip

    def resume(self, path: Path) -> None:
        """Go on from what `save` wrote, where there is such a file."""
        if saved := load_checkpoint(path):
            self.modules.load_state_dict(saved["modules"])
            self.optimiser.load_state_dict(saved["optimiser"])
            self.average.state, self.average.updates = saved["average"], saved["updates"]
            self.epoch, self.best = saved["epoch"], saved["best"]
