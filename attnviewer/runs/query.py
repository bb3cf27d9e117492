"""A query as a run: items become keys, the query is compared with them, and the look-up becomes a trace of one step."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from weakref import proxy

import numpy as np

from attnviewer.core.content import ContentTrace, Items, Lookup, attend, check
from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.i18n import later, tr
from attnviewer.core.images import Picture
from attnviewer.core.jobs import Run
from attnviewer.core.lines import split_words
from attnviewer.core.request import QueryRequest
from attnviewer.core.trace import Floats, Locations, Source, Step, Tokens
from attnviewer.runs.keys import KEYS, Index, Library, library_of
from attnviewer.runs.passages import passages
from attnviewer.runs.regions import Annotate, RegionIndexer

ALL = "all"
SIDE_BY_SIDE = ("bow", "tfidf", "words", "sentence")
REGIONS = "regions"
SCORE = "cosine"
TEMPERATURES = {"sentence": 0.1, "lines": 0.05}
Regions = Callable[[Picture, Library], Generator[Progress, None, tuple[Index, Locations, float]]]


@dataclass(frozen=True, eq=False)
class Asked:
    """What a request looks at: an index for each head, the values for each, and what the trace says of the source."""

    names: tuple[str, ...]
    indexes: tuple[Index, ...]
    values: tuple[Items | None, ...]
    locations: Locations
    source: Source
    temperature: float


class HasModels(Protocol):
    """What a query needs of the engine: the installed models, and a picture's annotation vectors."""

    @property
    def zoo(self) -> Any:
        """The installed models."""

    def annotations(self, picture: Picture, encoder: Any) -> Any:
        """Annotation vectors [1, L, D] of a picture."""


def query(engine: HasModels, request: QueryRequest) -> Run:
    """Run `request` on `engine`; item vectors are kept as long as the engine lives."""
    near = proxy(engine)  # what is kept for an engine must not keep it alive
    annotate: Annotate = lambda picture, encoder: near.annotations(picture, near.zoo.encoder(encoder))  # noqa: E731
    library = library_of(engine.zoo)
    regions = engine.zoo.cache.get("regions", lambda: RegionIndexer(annotate, lambda: near.zoo.grounder()))
    return (yield from ask(request, library, regions))


def ask(request: QueryRequest, library: Library, regions: Regions) -> Run:
    """Run `request`; yields progress while items are encoded, then the trace.

    `regions` makes the index over the regions of a picture. Raises `UserError` for keys, values, a score, a temperature
    or scales that make no sense.
    """
    if request.score is not None or request.temperature is not None:
        check(request.score or SCORE, 1.0 if request.temperature is None else request.temperature)
    asked = yield from (_ask_picture(request, library, regions) if request.picture else _ask_text(request, library))
    trace = _trace(request, asked)
    yield trace
    return trace


def _ask_text(request: QueryRequest, library: Library) -> Generator[Progress, None, Asked]:
    kind = "lines" if request.sentence is None else "sentence"
    texts = request.lines if request.sentence is None else split_words(request.sentence)
    if not texts:
        raise UserError(tr("there are no lines to ask; give at least one line of text."))
    numbers = None if kind == "sentence" else request.numbers or tuple(range(1, len(texts) + 1))
    names = _names(request.keys or ("sentence" if kind == "lines" else "words"))
    indexes = []
    for name in names:
        indexes.append((yield from library.index(name, texts)))  # noqa: PERF401
    values = None
    if request.values is not None:
        values = (yield from library.index(request.values, texts)).items
    source = Source("text", text=request.sentence if request.sentence is not None else "\n".join(texts))
    return Asked(names, tuple(indexes), (values,) * len(names), Tokens(texts, numbers), source, TEMPERATURES[kind])


def _ask_picture(request: QueryRequest, library: Library, regions: Regions) -> Generator[Progress, None, Asked]:
    picture = request.picture
    assert picture is not None
    for option in (request.keys, request.values):
        if option not in (None, REGIONS):
            raise UserError(
                tr("an image is asked by its regions, not by {option!r}; leave the keys out.", option=option)
            )
    index, locations, temperature = yield from regions(picture, library)
    source = Source("image", picture.path, picture.width, picture.height)
    return Asked((REGIONS,), (index,), (index.values,), locations, source, temperature)


def _names(keys: str) -> tuple[str, ...]:
    """The keys that a request names, each once; `all` is one of every kind."""
    named = SIDE_BY_SIDE if keys == ALL else tuple(dict.fromkeys(filter(None, map(str.strip, keys.split(",")))))
    if not named:
        raise UserError(tr("no keys are named; choose from {keys}.", keys=", ".join(KEYS)))
    return named


def _trace(request: QueryRequest, asked: Asked) -> ContentTrace:
    text = request.text.strip()
    score = request.score or SCORE
    temperature = request.temperature or (asked.temperature if score == SCORE or _unit(asked) else 1.0)
    queries = tuple(
        index.encode(text) if text else np.zeros(index.items.vectors.shape[1], np.float32) for index in asked.indexes
    )
    lookups = tuple(
        attend(
            vector, index.items, values,
            kind=score, temperature=temperature, hard=request.hard, scales=request.scales, nearest=request.nearest,
        )
        for vector, index, values in zip(queries, asked.indexes, asked.values, strict=True)
    )  # fmt: skip
    first = asked.indexes[0]
    step = Step(
        word=text,
        logprob=0.0,
        weights=np.stack([lookup.weights for lookup in lookups]),
        scores=np.stack([lookup.scores for lookup in lookups]),
        sampled=int(lookups[0].weights.argmax()) if request.hard else None,
    )
    return ContentTrace(
        task="query",
        model="+".join(index.model for index in asked.indexes),
        source=asked.source,
        locations=asked.locations,
        heads=asked.names,
        steps=(step,),
        request=_plain(request, asked.names, score, temperature),
        notes=_notes(text, asked, lookups),
        lookups=lookups,
        unknown=tuple(sorted({item for index in asked.indexes for item in index.unknown})),
        presence=first.presence(text) if first.presence and text else None,
        score=score,
        temperature=temperature,
        hard=request.hard,
        passages=_passages(asked, lookups, queries, score) if text else (),
    )


def _passages(
    asked: Asked, lookups: tuple[Lookup, ...], queries: tuple[Floats, ...], score: str
) -> tuple[Mapping[int, tuple[int, int]], ...]:
    """Where in the long items of each head the best match stands."""
    if not isinstance(asked.locations, Tokens):
        return ()
    texts = asked.locations.tokens
    return tuple(
        passages(index, lookup, texts, vector, score)
        for index, lookup, vector in zip(asked.indexes, lookups, queries, strict=True)
    )


def _unit(asked: Asked) -> bool:
    """Whether all keys have length 1, so that a product is a cosine."""
    return all(np.allclose(index.items.norms, 1, atol=1e-3) for index in asked.indexes)


def _plain(request: QueryRequest, names: tuple[str, ...], score: str, temperature: float) -> dict[str, Any]:
    """The request with its defaults filled in; lines and picture stay as they are until somebody writes them down."""
    chosen = {"keys": ",".join(names), "score": score, "temperature": temperature}
    return {"task": request.task} | dict(vars(request)) | chosen


def _notes(text: str, asked: Asked, lookups: tuple[Lookup, ...]) -> tuple[str, ...]:
    if not text:
        return (tr("The query is empty, so every item gets the same weight."),)
    notes: list[str] = []
    for name, index, lookup in zip(asked.names, asked.indexes, lookups, strict=True):
        notes.extend(index.notes)
        if index.too_long(text):
            notes.append(tr("the query is longer than the encoder reads; its end is not looked at."))
        head = f"{name}: " if len(asked.names) > 1 else ""
        if missing := index.missing(text):
            reason = later("no vector for {words}.") if name.startswith("words") else later("no item holds {words}.")
            notes.append(head + tr(reason, words=", ".join(missing)))
        if len(lookup.scores) > 1 and np.ptp(lookup.scores) == 0:
            notes.append(head + tr("all scores are equal."))
    return tuple(note[0].upper() + note[1:] for note in notes)
