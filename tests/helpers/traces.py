"""Small traces with plausible numbers."""

from __future__ import annotations

import numpy as np

from attnviewer.core.trace import Grid, Locations, Source, Step, Tokens, Trace

WORDS = ("a", "brown", "dog", "runs", "on", "the", "grass")


def grid(rows: int = 3, columns: int = 4, width: int = 80, height: int = 60) -> Grid:
    """A grid over a whole picture."""
    return Grid(rows, columns, (0.0, 0.0, float(width), float(height)))


def a_step(word: str, rng: np.random.Generator, heads: int, length: int) -> Step:
    """A step whose weights are the softmax of its scores."""
    scores = rng.normal(size=(heads, length)).astype(np.float32) * 2
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    chance = float(rng.uniform(0.2, 0.9))
    others = (("cat", (1 - chance) / 2), ("the", (1 - chance) / 4))
    return Step(
        word,
        float(np.log(chance)),
        powers / powers.sum(axis=1, keepdims=True),
        alternatives=((word, chance), *others),
        scores=scores,
        gate=float(rng.uniform()),
    )


def a_trace(
    words: tuple[str, ...] = WORDS,
    locations: Locations | None = None,
    heads: tuple[str, ...] = ("attention",),
    seed: int = 0,
) -> Trace:
    """A caption trace over an 80 x 60 picture (or a translation trace over tokens)."""
    rng, where = np.random.default_rng(seed), locations or grid()
    source = Source("image", "dog.jpg", 80, 60)
    if isinstance(where, Tokens):
        source = Source("text", text=" ".join(where.tokens))
    steps = tuple(a_step(word, rng, len(heads), len(where)) for word in words)
    task = "caption" if isinstance(where, Grid) else "translate"
    return Trace(task, "tiny", source, where, heads, steps, {"task": task})


def with_maps(maps: np.ndarray, rows: int, columns: int) -> Trace:
    """A one-head trace with the given maps [T, L], each made to sum to 1."""
    where = Grid(rows, columns, (0.0, 0.0, columns * 10.0, rows * 10.0))
    steps = tuple(Step(f"w{i}", -0.5, (row / row.sum())[None]) for i, row in enumerate(np.asarray(maps, float)))
    source = Source("image", None, columns * 10, rows * 10)
    return Trace("caption", "tiny", source, where, ("attention",), steps)
