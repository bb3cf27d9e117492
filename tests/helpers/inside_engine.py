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
from attnviewer.core.request import AttendRequest, TranslateRequest
from attnviewer.core.trace import Floats, Trace, frozen
from attnviewer.core.transformer.cost import NAMES
from attnviewer.core.transformer.findings import Context, GridPlaces, Lens, Pair, Path, Places, Shuffled, Times
from attnviewer.core.transformer.positions import shuffled_order, sinusoidal, sinusoidal_2d
from attnviewer.core.transformer.requests import (
    ContextRequest,
    GridRequest,
    LensRequest,
    PairRequest,
    PlacesRequest,
    ShuffleRequest,
    TimesRequest,
)
from helpers.attend_engine import AttendEngine
from helpers.translate_engine import TranslateEngine

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


def a_lens(tokens: tuple[str, ...], kind: str = "words", layers: int = 3) -> Lens:
    """The words themselves at each layer, surer from layer to layer."""
    rows = tuple(tuple(((token, 0.3 * (n + 1)), ("other", 0.1)) for token in tokens) for n in range(layers))
    return Lens("tiny", kind, tokens, rows)


def _maps(rows: int, columns: int, causal: bool = False) -> Floats:
    """Maps [2, 2, rows, columns] whose rows sum to 1."""
    made = RANDOM.random((2, 2, rows, columns)) * (np.tri(rows, columns) if causal else 1)
    return frozen(made / made.sum(axis=-1, keepdims=True))


def _pair(request: PairRequest) -> list[Finding]:
    source, said = tuple(request.sentence.split()), request.words or ("The", "white", "house")
    words, change = (*said, "(end)"), request.change
    count = len(words)
    decoder = np.array(_maps(count, count, causal=not request.ahead))
    for row, column in change.decoder.hidden:
        decoder[:, :, row, column] = 0
    chances = frozen([0.9, 0.8, 0.2 if request.ahead else 0.95, 0.9][:count])
    other = frozen(np.array(chances) - (0.3 if request.ahead else 0))
    return [Pair("tiny", source, ("(start)", *said), words, _maps(len(source), len(source)), frozen(decoder),
                 _maps(count, len(source)), chances, other, a_lens(words), request.ahead)]  # fmt: skip


ANSWERS: dict[type[Exploration], Callable[[Any], list[Finding]]] = {
    PlacesRequest: lambda request: [Places("tiny", "learnt", frozen(sinusoidal(512, 12)))],
    GridRequest: lambda request: [GridPlaces(3, 4, frozen(sinusoidal_2d(3, 4, 8)))],
    ContextRequest: _context,
    ShuffleRequest: _shuffled,
    TimesRequest: _times,
    PairRequest: _pair,
    LensRequest: lambda request: [a_lens(("[CLS]", *request.text.split(), "[SEP]"), "nearest")],
}


@dataclass
class InsideEngine(AttendEngine):
    """Attends, translates, and answers every experiment; `asked` are those that came, and some fail with `faults`."""

    asked: list[Exploration] = field(default_factory=list)
    faults: dict[type[Exploration], str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        AttendEngine.__init__(self)

    def run(self, request: AttendRequest | TranslateRequest) -> Generator[Progress | Trace, None, Trace]:
        """One reading, or one translation, which fails for a model that is in `missing`."""
        if isinstance(request, AttendRequest):
            return (yield from super().run(request))
        if request.model in self.missing:
            raise UserError(f"no translator {request.model} is installed; there are: none.")
        return (yield from TranslateEngine().run(request))

    def explore(self, request: Exploration) -> Generator[Progress | Finding, None, Finding]:
        """One experiment."""
        self.asked.append(request)
        yield Progress("loading the model")
        if type(request) in self.faults:
            raise UserError(self.faults[type(request)])
        found = ANSWERS[type(request)](request)
        yield from found
        return found[-1]
