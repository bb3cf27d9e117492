"""Two tiny nets of equal size learn to tell two digits; then the digits are moved, and weight sharing shows its worth.

The digits are scikit-learn's (8 x 8, from the UCI repository), drawn twice as large in the middle of a ground.
Letters: B digits, G side of the ground, d pixels that digits are moved by.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.explore.findings import Learner, Learning
from attnviewer.core.explore.requests import LearnRequest
from attnviewer.core.i18n import tr
from attnviewer.core.jobs import Study
from attnviewer.core.trace import frozen

GROUND, ENLARGED = 28, 2
DIGITS = (3, 8)
HELD_OUT = 0.3
BATCH, RATE = 25, 4e-3
SAMPLES = 6
SIDES = ((0, 1), (0, -1), (1, 0), (-1, 0))


@dataclass
class Digits:
    """Digits [B, 1, G, G] and which of the two they are [B], to learn from and to be tested on."""

    learnt: tuple[Tensor, Tensor]
    tested: tuple[Tensor, Tensor]


def digits(seed: int) -> Digits:
    """The two digits on their ground, shuffled and parted."""
    from sklearn.datasets import load_digits

    found = load_digits()
    kept = np.flatnonzero(np.isin(found.target, DIGITS))
    kept = np.random.default_rng(seed).permutation(kept)
    drawn = np.kron(found.images[kept] / 16, np.ones((ENLARGED, ENLARGED)))  # [B, 16, 16]
    margin = (GROUND - drawn.shape[1]) // 2
    images = torch.from_numpy(np.pad(drawn, ((0, 0), (margin, margin), (margin, margin)))).float().unsqueeze(1)
    which = torch.from_numpy((found.target[kept] == DIGITS[1]).astype(np.int64))
    cut = round(HELD_OUT * len(kept))
    return Digits((images[cut:], which[cut:]), (images[:cut], which[:cut]))


def dense() -> nn.Sequential:
    """A fully connected net: each of its 7 hidden units has a weight for each pixel."""
    return nn.Sequential(nn.Flatten(), nn.Linear(GROUND**2, 7), nn.ReLU(), nn.Linear(7, 2))


def shared() -> nn.Sequential:
    """A convolutional net with as many parameters, to 1 %: its kernels are used at every place."""
    return nn.Sequential(
        nn.Conv2d(1, 12, 5, padding=2),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(12, 17, 5, padding=2),
        nn.ReLU(),
        nn.AdaptiveMaxPool2d(1),
        nn.Flatten(),
        nn.Linear(17, 2),
    )


NETS = {"MLP": dense, "CNN": shared}


@dataclass
class _Pupil:
    """A net while it learns."""

    name: str
    net: nn.Sequential
    optimiser: torch.optim.Optimizer
    losses: list[float] = field(default_factory=list)
    accuracies: list[float] = field(default_factory=list)
    shifted: tuple[float, ...] = ()

    def learn(self, images: Tensor, which: Tensor) -> None:
        """See all digits once."""
        total = 0.0
        for batch, wanted in zip(images.split(BATCH), which.split(BATCH), strict=True):
            loss = F.cross_entropy(self.net(batch), wanted)
            self.optimiser.zero_grad()
            loss.backward()
            self.optimiser.step()
            total += float(loss.detach()) * len(batch)
        self.losses.append(total / len(images))

    def right(self, images: Tensor, which: Tensor) -> float:
        """Share of digits that it tells."""
        return float((self.net(images).argmax(dim=1) == which).float().mean())

    def report(self) -> Learner:
        """What there is to see of it."""
        first = cast("nn.Linear | nn.Conv2d", self.net[0] if self.name == "CNN" else self.net[1])
        weights = first.weight
        shown = weights.detach().reshape(len(weights), round(weights[0].numel() ** 0.5), -1)
        parameters = sum(p.numel() for p in self.net.parameters())
        return Learner(
            self.name, parameters, tuple(self.losses), tuple(self.accuracies), self.shifted, frozen(shown.numpy())
        )


def learn(engine: Any, request: LearnRequest) -> Study:
    """Train both nets side by side; each epoch is a finding."""
    if not 1 <= request.epochs <= 500 or not 0 <= request.shift <= GROUND // 4 - 1:
        raise UserError(tr("learn for 1 to 500 epochs, and move digits by 0 to {most} pixels.", most=GROUND // 4 - 1))
    yield Progress(tr("fetching the digits"))
    given, pupils = digits(request.seed), _pupils(request.seed)
    order = torch.Generator().manual_seed(request.seed)
    found = _report(0, request, pupils, given)
    for epoch in range(1, request.epochs + 1):
        with torch.inference_mode(False), torch.enable_grad():
            images, which = (part.clone() for part in given.learnt)
            place = torch.randperm(len(which), generator=order)
            for pupil in pupils:
                pupil.learn(images[place], which[place])
        _test(pupils, given, request.shift if epoch == request.epochs else None)
        found = _report(epoch, request, pupils, given)
        yield found
    return found


def _pupils(seed: int) -> list[_Pupil]:
    with torch.inference_mode(False), torch.enable_grad(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        nets = [(name, make()) for name, make in NETS.items()]
        return [_Pupil(name, net, torch.optim.Adam(net.parameters(), RATE)) for name, net in nets]


def _test(pupils: list[_Pupil], given: Digits, shift: int | None) -> None:
    with torch.inference_mode():
        for pupil in pupils:
            pupil.accuracies.append(pupil.right(*given.tested))
            if shift is not None:
                pupil.shifted = tuple(_moved_right(pupil, given, by) for by in range(shift + 1))


def _moved_right(pupil: _Pupil, given: Digits, by: int) -> float:
    images, which = given.tested
    return float(np.mean([pupil.right(one, which) for one in moved(images, by)]))


def moved(images: Tensor, by: int) -> Iterator[Tensor]:
    """Digits moved by some pixels to each of the four sides; the ground is wide enough that none is cut."""
    for down, right in SIDES:
        yield torch.roll(images, (down * by, right * by), dims=(-2, -1))


def _report(epoch: int, request: LearnRequest, pupils: list[_Pupil], given: Digits) -> Learning:
    few = given.tested[0][:SAMPLES]
    aside = torch.stack([one[n] for n, one in zip(range(len(few)), _around(few, request.shift), strict=False)])
    learners = tuple(pupil.report() for pupil in pupils)
    return Learning(epoch, request.epochs, learners, frozen(few[:, 0].numpy()), frozen(aside[:, 0].numpy()))


def _around(images: Tensor, by: int) -> Iterator[Tensor]:
    while True:
        yield from moved(images, by)
