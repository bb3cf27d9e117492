"""An engine that answers queries with vectors made of letters, and captions as the fake engine does."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from attnviewer.core.content import ContentTrace, Items, attend
from attnviewer.core.events import Progress
from attnviewer.core.lines import split_words
from attnviewer.core.request import CaptionRequest, QueryRequest
from attnviewer.core.trace import Grid, Source, Step, Tokens, Trace
from helpers.fake_engine import CELLS, FakeEngine


def letters(text: str) -> np.ndarray:
    """How often each letter occurs."""
    return np.array([text.lower().count(chr(97 + i)) for i in range(26)], np.float32)


class QueryEngine(FakeEngine):
    """Keeps the queries it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[QueryRequest] = []

    def run(self, request: CaptionRequest | QueryRequest) -> Generator[Progress | Trace, None, Trace]:
        """One caption or one query."""
        if isinstance(request, CaptionRequest):
            return (yield from super().run(request))
        self.asked.append(request)
        trace = answer(request)
        yield trace
        return trace


def answer(request: QueryRequest) -> ContentTrace:
    """The look-up among letters; regions are called a, b, c and so on."""
    picture = request.picture
    if picture is not None:
        where: Grid | Tokens = Grid(CELLS, CELLS, (0, 0, picture.width, picture.height))
        texts = [chr(97 + i % 26) for i in range(CELLS * CELLS)]
    else:
        texts = list(request.lines or split_words(request.sentence or ""))
        where = Tokens(tuple(texts), request.numbers)
    heads = ("bow", "tfidf", "words", "sentence") if request.keys == "all" else (request.keys or "regions",)
    items = Items.of(np.stack([letters(text) for text in texts]))
    lookup = attend(
        letters(request.text), items, kind=request.score or "cosine", temperature=request.temperature or 0.1,
        hard=request.hard, scales=request.scales,
    )  # fmt: skip
    step = Step(request.text, 0.0, np.tile(lookup.weights, (len(heads), 1)))
    return ContentTrace(
        "query", "letters", Source("text", text=" ".join(texts)), where, heads, (step,), {"device": "cpu"},
        lookups=(lookup,) * len(heads), unknown=tuple(i for i, norm in enumerate(items.norms) if norm == 0),
        presence=None if picture is None else 0.9, score=request.score or "cosine",
        temperature=request.temperature or 0.1, hard=request.hard,
        notes=("All scores are equal.",) if np.ptp(lookup.scores) == 0 else (),
    )  # fmt: skip
