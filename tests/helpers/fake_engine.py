"""An engine without a network: blobs of attention that wander over the photo, a word at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field, replace

import numpy as np

from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.request import CaptionRequest
from attnviewer.core.trace import Grid, Source, Step, Trace

WORDS = ("a", "brown", "dog", "runs", "on", "the", "green", "grass")
CELLS = 14


def blob(x: float, y: float, rows: int = CELLS, columns: int = CELLS, wide: float = 0.16) -> np.ndarray:
    """A map [1, L] with a bump at (x, y), fractions of the photo, over a faint ground."""
    across = (np.arange(columns) + 0.5) / columns - x
    down = (np.arange(rows) + 0.5) / rows - y
    values = np.exp(-(across[None] ** 2 + down[:, None] ** 2) / (2 * wide**2)) + 0.02
    return (values / values.sum()).reshape(1, -1).astype(np.float32)


def step_for(word: str, index: int, attention: str, forced: bool, seed: int = 0) -> Step:
    """A plausible step; hard attention takes the peak with seed 0, and a place beside it with others."""
    turn = index * 0.9
    weights = blob(0.5 + 0.3 * np.cos(turn), 0.5 + 0.25 * np.sin(turn), wide=0.1 + 0.05 * (index % 3))
    chance = 0.75 - 0.05 * (index % 6)
    others = tuple(
        (other, (1 - chance) * 0.5**rank) for rank, other in enumerate(("puppy", "cat", "man", "white", "small"), 1)
    )
    if attention == "uniform":
        weights = np.full_like(weights, 1 / weights.size)
    heads = weights if attention != "none" else np.zeros((0, weights.shape[1]), np.float32)
    return Step(
        word, float(np.log(chance)), heads, alternatives=((word, chance), *others),
        sampled=(int(weights.argmax()) + seed) % weights.size if attention == "hard" else None,
        gate=None if attention == "none" else 0.3 + 0.06 * (index % 9), forced=forced, unknown=word == "zyzzyva",
        bits=2.0 / (index + 1) if attention == "none" else 1.0 + index % 2,
    )  # fmt: skip


def imposed(request: CaptionRequest, index: int, step: Step) -> Step:
    """A step as the interventions of a request make it; a look lowers the chance of the words by a tenth."""
    here = [one for one in request.interventions if one.at == index or (one.rest and one.at < index)]
    looks = [one for one in here if one.weights is not None]
    if looks and request.attention != "none":
        others = tuple((word, 0.9 * chance) for word, chance in step.alternatives)
        step = replace(step, weights=np.array([looks[-1].weights], np.float32), alternatives=others)
        step = replace(step, sampled=None if step.sampled is None else int(step.weights.argmax()))
    return replace(step, forced=step.forced or any(not one.kept for one in here))


@dataclass
class FakeEngine:
    """Yields progress, then one growing trace a word.

    Parameters
    ----------
    delay : seconds before each word.
    fail_at : the word at which the run fails, or None.
    before : called before each word, for tests that hold a run.
    requests : those that came, in their order.
    """

    delay: float = 0.0
    fail_at: int | None = None
    words: tuple[str, ...] = WORDS
    before: Callable[[int], None] = lambda _: None
    requests: list[CaptionRequest] = field(default_factory=list)
    device: str = "cpu"

    def run(self, request: CaptionRequest) -> Generator[Progress | Trace, None, Trace]:
        """One caption."""
        self.requests.append(request)
        yield Progress("Loading the model", 0.3)
        words, steps = list(request.words or self.words), ()
        for one in request.interventions:
            words[one.at] = one.word or f"{words[one.at]}*"
        for index, word in enumerate(words):
            self.before(index)
            time.sleep(self.delay)
            if index == self.fail_at:
                raise UserError("the memory of the device is full; choose the CPU.")
            steps = (*steps, imposed(request, index, step_for(word, index, request.attention, request.words is not None,
                                                              request.decoding.seed)))  # fmt: skip
            trace = self._trace(request, steps)
            yield trace
        return trace

    def _trace(self, request: CaptionRequest, steps: tuple[Step, ...]) -> Trace:
        picture = request.picture
        grid = Grid(CELLS, CELLS, (0.0, 0.0, float(picture.width), float(picture.height)))
        heads = () if request.attention == "none" else ("attention",)
        source = Source("image", picture.path, picture.width, picture.height)
        return Trace("caption", f"caption-{request.attention}", source, grid, heads, steps, request.to_dict())
