"""Traces of a net with three heads that look at different places, and an engine that makes them."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import numpy as np

from attnviewer.core.events import Progress
from attnviewer.core.request import CaptionRequest, TranslateRequest
from attnviewer.core.sentence import tokenize
from attnviewer.core.trace import Grid, Source, Step, Tokens, Trace

HEADS = ("0.0", "0.1", "1.0")
WORDS = ("a", "dog", "runs")


def a_map(length: int, place: int) -> np.ndarray:
    """A map [L] with most of its weight on one place."""
    row = np.full(length, 0.4 / length, np.float32)
    row[place % length] += 0.6
    return row / row.sum()


def steps(length: int, words: tuple[str, ...] = WORDS) -> tuple[Step, ...]:
    """A step a word; each head looks one place further than the one before it."""
    return tuple(
        Step(word, -0.5, np.stack([a_map(length, 3 * at + head) for head in range(len(HEADS))]), ((word, 0.6),))
        for at, word in enumerate(words)
    )


def a_caption(width: int = 80, height: int = 60) -> Trace:
    """A caption over a grid of 3 x 4 places."""
    where = Grid(3, 4, (0.0, 0.0, float(width), float(height)))
    return Trace("caption", "three", Source("image", None, width, height), where, HEADS, steps(12), {"task": "caption"})


def a_translation(sentence: str = "El perro corre mucho") -> Trace:
    """A translation of a sentence."""
    tokens = tuple(tokenize(sentence))
    source = Source("text", text=sentence)
    return Trace("translate", "three", source, Tokens(tokens), HEADS, steps(len(tokens)), {"attention": "soft"})


class HeadedEngine:
    """Says the same of every photo and of every sentence, with three heads."""

    device = "cpu"

    def run(self, request: CaptionRequest | TranslateRequest) -> Generator[Progress | Trace, None, Trace]:
        """One caption or translation."""
        yield Progress("Loading the model")
        if isinstance(request, CaptionRequest):
            trace = a_caption(request.picture.width, request.picture.height)
        else:
            trace = a_translation(request.sentence)
        trace = replace(trace, request=request.to_dict())
        yield trace
        return trace
