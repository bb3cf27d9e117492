"""Drawing locations from attention maps, as hard attention does, often enough to see the distribution again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnviewer.core.lens import word_map
from attnviewer.core.trace import Step, Trace


def draw(weights: ArrayLike, times: int, seed: int | tuple[int, ...] = 0) -> NDArray[np.int64]:
    """How often each location [L] is taken in so many independent draws from a map [L]; the same seed draws the same.

    Parameters
    ----------
    seed : a number, or several that belong together (a run's seed and the word).
    """
    chances = np.asarray(weights, dtype=np.float64).ravel()
    return np.random.default_rng(seed).multinomial(times, chances / chances.sum())


def drawn(trace: Trace, times: int, seed: int = 0) -> Trace:
    """The trace with each word's map replaced by how often each location is taken in so many draws from it (shares)."""
    return replace(trace, steps=tuple(_redraw(trace, word, times, seed) for word in range(len(trace.steps))))


def _redraw(trace: Trace, word: int, times: int, seed: int) -> Step:
    step, chances = trace.steps[word], word_map(trace, word)
    if chances is None:
        return step
    shares = draw(chances, times, (seed, word)) / times
    rows = np.repeat(shares[None], len(step.weights), axis=0)
    return replace(step, weights=rows.astype(np.float32), scores=None, sampled=None)


def fixations(trace: Trace, word: int, most: int = 5) -> tuple[int, ...]:
    """The locations taken for a word and for those before it, the oldest first, no more than `most`."""
    taken = [step.sampled for step in trace.steps[: max(word + 1, 0)]]
    return tuple(place for place in taken[-most:] if place is not None)
