"""An engine without a network for the experiments: findings of the right shapes, at once."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.explore.fields import Field
from attnviewer.core.explore.finding import Finding
from attnviewer.core.explore.findings import (
    Alike,
    LayerRow,
    Layers,
    Learner,
    Learning,
    Maps,
    Patch,
    Patches,
    Refusal,
    Swapped,
    UnitField,
    Unrolled,
)
from attnviewer.core.explore.listening import Listening
from attnviewer.core.explore.requests import (
    AlikeRequest,
    Exploration,
    LayersRequest,
    LearnRequest,
    ListenRequest,
    MapsRequest,
    PatchRequest,
    ResizeRequest,
    SwapRequest,
    UnitRequest,
    UnrollRequest,
)
from attnviewer.core.trace import frozen
from helpers.fake_engine import FakeEngine

SIDE = 32
RANDOM = np.random.default_rng(0)
ROWS = (
    LayerRow(Field("stem", 3, 2, 3, 2, 0, 16), 4),
    LayerRow(Field("stage1.0", 3, 2, 7, 4, -2, 8), 6),
    LayerRow(Field("head", 3, 1, 99, 4, -40, 8), 8),
)
WORDS = ("a", "brown", "dog", "runs")


def _learning(epoch: int) -> Learning:
    done = (1.0, 0.8, 0.5) if epoch == 2 else ()
    both = (("MLP", (7, 28, 28)), ("CNN", (12, 5, 5)))
    learners = tuple(
        Learner(name, 5500, (0.5, 0.1)[:epoch], (0.9, 0.95)[:epoch], done, frozen(RANDOM.normal(size=shape)))
        for name, shape in both
    )
    digits = frozen(RANDOM.random((6, 28, 28)))
    return Learning(epoch, 2, learners, digits, digits)


def _unit(request: UnitRequest) -> UnitField:
    row = next(one for one in ROWS if request.layer in (None, one.name))
    at, to = request.row or 0, request.column or 0
    return UnitField(row, at, to, None, SIDE, (0, 0, 8, 8), frozen(RANDOM.random((SIDE, SIDE))), 3.0)


def _patches(request: PatchRequest, count: int) -> Patches:
    patches = (
        Patch((0, 0, 20, 20), "a wall", 0.05),
        Patch((0, 0, request.picture.width, request.picture.height), "a brown dog runs", 0.8, (("dog", 0.9),)),
    )
    return Patches(WORDS, 2 if request.word is None else request.word, 0.1, patches[:count])


def _unrolled() -> Unrolled:
    states = frozen(RANDOM.uniform(-1, 1, (4, 32)))
    return Unrolled(
        "fake", WORDS, (0.5,) * 4, (0.2, 3.0, 1.0, 0.3), states[0], states, (1.0, 0.5, 0.4, 0.3),
        frozen(RANDOM.random((4, 3, 32))), (0.1, 0.4, 0.2, 0.1), "a brown dog and a brown dog", 1000,
    )  # fmt: skip


_ANSWERS: dict[type[Exploration], Callable[[Any], list[Finding]]] = {
    ResizeRequest: lambda r: [Refusal(r.side, r.side + 5, r.width, "shapes cannot be multiplied", (r.side + 5,) * 2)],
    LearnRequest: lambda r: [_learning(1), _learning(2)],
    LayersRequest: lambda r: [Layers("fake", SIDE, ROWS, frozen(RANDOM.normal(size=(4, 3, 3, 3))))],
    MapsRequest: lambda r: [Maps(ROWS[1], frozen(RANDOM.normal(size=(6, 8, 8))))],
    UnitRequest: lambda r: [_unit(r)],
    ListenRequest: lambda r: [_listening(r)],
    PatchRequest: lambda r: [_patches(r, 1), _patches(r, 2)],
    SwapRequest: lambda r: [
        Swapped(ROWS, ((0, 0, 6, 6), (20, 20, 26, 26)), tuple(frozen(RANDOM.random((n, n))) for n in (16, 8, 8)))
    ],
    AlikeRequest: lambda r: [Alike(r.keys, frozen(np.eye(len(r.texts))))],
    UnrollRequest: lambda r: [_unrolled()],
}


def _listening(request: ListenRequest) -> Listening:
    row, column = (min(int(share * 8), 7) for share in request.place)
    return Listening("fake", 0, row, column, frozen(RANDOM.dirichlet(np.ones(64), 2).reshape(2, 8, 8)))


@dataclass
class ExploreEngine(FakeEngine):
    """Answers captions as the fake engine does, and every experiment too.

    Parameters
    ----------
    asked : the experiments that came, in their order.
    fault : what every experiment fails with, or "".
    """

    asked: list[Exploration] = field(default_factory=list)
    fault: str = ""

    def explore(self, request: Exploration) -> Generator[Progress | Finding, None, Finding]:
        """One experiment."""
        self.asked.append(request)
        yield Progress("loading the model")
        if self.fault:
            raise UserError(self.fault)
        found = _ANSWERS[type(request)](request)
        yield from found
        return found[-1]
