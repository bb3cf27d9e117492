"""An engine without a network for the experiments inside a Transformer: findings of the right shapes, at once."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.explore.finding import Finding
from attnviewer.core.explore.requests import Exploration
from attnviewer.core.trace import frozen
from attnviewer.core.transformer.cost import NAMES
from attnviewer.core.transformer.findings import Context, GridPlaces, Path, Places, Shuffled, Times
from attnviewer.core.transformer.positions import shuffled_order, sinusoidal, sinusoidal_2d
from attnviewer.core.transformer.requests import (
    ContextRequest,
    GridRequest,
    PlacesRequest,
    ShuffleRequest,
    TimesRequest,
)
from helpers.attend_engine import AttendEngine

RANDOM = np.random.default_rng(0)


def _path(sentence: str) -> Path:
    near = ((("river", 0.5), ("shore", 0.4)),) * 3
    return Path(("[CLS]", *sentence.split(), "[SEP]"), (1,), frozen(RANDOM.normal(size=(3, 2))), near)


def _context(request: ContextRequest) -> list[Finding]:
    one, other = map(_path, request.sentences)
    places = frozen(RANDOM.normal(size=(2, 2)))
    return [Context("tiny", request.word, (one, other), frozen([1, 0.8, 0.6]), ("river", "money"), places, 0.1, 80)]


def _shuffled(request: ShuffleRequest) -> list[Finding]:
    tokens = ("[CLS]", *request.text.split(), "[SEP]")
    order, ones = tuple(map(int, shuffled_order(len(tokens), request.seed))), np.ones(len(tokens))
    parts = (ones, 1e-7 * ones, 0.5 * ones, ones)
    return [Shuffled("tiny", tokens, order, *map(frozen, parts))]


def _times(request: TimesRequest) -> list[Finding]:
    counts = range(1, len(request.lengths) + 1)
    return [Times(request.size, request.lengths, NAMES, ((0.01,) * n,) * 3, 1, "cpu") for n in counts]


ANSWERS: dict[type[Exploration], Callable[[Any], list[Finding]]] = {
    PlacesRequest: lambda request: [Places("tiny", "learnt", frozen(sinusoidal(512, 12)))],
    GridRequest: lambda request: [GridPlaces(3, 4, frozen(sinusoidal_2d(3, 4, 8)))],
    ContextRequest: _context,
    ShuffleRequest: _shuffled,
    TimesRequest: _times,
}


@dataclass
class InsideEngine(AttendEngine):
    """Attends, and answers every experiment; `asked` are those that came, and some kinds fail with `faults`."""

    asked: list[Exploration] = field(default_factory=list)
    faults: dict[type[Exploration], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        AttendEngine.__init__(self)

    def explore(self, request: Exploration) -> Generator[Progress | Finding, None, Finding]:
        """One experiment."""
        self.asked.append(request)
        yield Progress("loading the model")
        if type(request) in self.faults:
            raise UserError(self.faults[type(request)])
        found = ANSWERS[type(request)](request)
        yield from found
        return found[-1]
