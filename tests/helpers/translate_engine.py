"""An engine that translates word by word with a small dictionary, and captions as the fake engine does."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from dataclasses import replace

import numpy as np

from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.request import CaptionRequest, TranslateRequest
from attnviewer.core.spanish import read_spanish
from attnviewer.core.trace import Source, Step, Tokens, Trace
from helpers.fake_engine import FakeEngine

ENGLISH = {
    "la": "the", "el": "the", "casa": "house", "blanca": "white", "tiene": "has", "una": "a", "un": "a", "y": "and",
    "puerta": "door", "roja": "red", "compré": "bought", "coche": "car", "viejo": "old", "bicicleta": "bicycle",
    "nueva": "new", "perro": "dog", "duerme": "sleeps", "mi": "my", "hermana": "sister", "vive": "lives", "en": "in",
    "con": "with", "dos": "two", "gatos": "cats", "negros": "black",
}  # fmt: skip
AFTER = {"blanca", "roja", "viejo", "nueva", "negros"}  # adjectives, which English puts before the noun
PUNCTUATION = {".", ",", "?", "!"}


def crossed(words: Sequence[str]) -> list[int]:
    """The source word of each English word: in order, but adjectives come before their noun."""
    places = list(range(len(words)))
    for i in range(1, len(words)):
        if words[i].lower() in AFTER:
            places[i - 1], places[i] = places[i], places[i - 1]
    return places


def peak(place: int, count: int, share: float = 0.85) -> np.ndarray:
    """A map [1, L] with most of its mass at one place."""
    rest = np.full(count, (1 - share) / count)
    rest[place] += share
    return rest[None].astype(np.float32)


class TranslateEngine(FakeEngine):
    """Keeps the sentences it was asked; attention by content finds its word wherever it stands, by location doesn't."""

    def __init__(self, delay: float = 0.0) -> None:
        super().__init__(delay=delay)
        self.asked: list[TranslateRequest] = []
        self.fail_words: tuple[str, ...] = ()  # that are refused when they are imposed

    def run(self, request: CaptionRequest | TranslateRequest) -> Generator[Progress | Trace, None, Trace]:
        """One caption or one translation."""
        if isinstance(request, CaptionRequest):
            return (yield from super().run(request))
        self.asked.append(request)
        yield Progress("Loading the model")
        reading = read_spanish(request.sentence)
        words = reading.tokens
        order = np.arange(len(words)) if request.shuffle is None else reading.order(request.shuffle)
        trace = self._start(request, [words[i] for i in order])
        looks = {one.at: int(np.argmax(one.weights)) for one in request.interventions if one.weights is not None}
        said = {one.at: one.word for one in request.interventions if one.word is not None}
        if not set(said.values()).isdisjoint(self.fail_words):
            raise UserError("this can't be said.")
        kept = {one.at for one in request.interventions if one.kept}
        for index, place in enumerate(crossed(words)):
            self.before(index)
            time.sleep(self.delay)
            found = int(np.flatnonzero(order == place)[0]) if request.attention == "soft" else place
            found = looks.get(index, found)
            read = words[place if request.attention == "none" else order[found]]
            step = self._step(request.attention, read, found, hidden=int(order[found]) in request.hidden)
            word = said.get(index, request.words[index] if request.words else step.word)
            step = replace(step, word=word, forced=index in {*looks, *said} - kept)
            trace = Trace(
                trace.task, trace.model, trace.source, trace.locations, trace.heads, (*trace.steps, step), trace.request
            )
            yield trace
        return trace

    def _start(self, request: TranslateRequest, placed: Sequence[str]) -> Trace:
        heads = () if request.attention == "none" else ("attention",)
        self._length = len(placed)
        return Trace(
            "translate", f"es-en-{request.attention}", Source("text", text=request.sentence), Tokens(tuple(placed)),
            heads, (), request.to_dict(),
        )  # fmt: skip

    def _step(self, attention: str, word: str, place: int, *, hidden: bool = False) -> Step:
        known = "▢" if hidden else word if word in PUNCTUATION else ENGLISH.get(word.lower())
        weights = np.zeros((0, self._length), np.float32) if attention == "none" else peak(place, self._length)
        shown = known or ("(unknown)" if attention == "none" else word)
        others = (("some", 0.15), ("any", 0.08), ("one", 0.03), ("(end)", 0.01))
        origin = peak(place, self._length, 0.95)[0] if attention == "soft" else None
        chance = 0.3 if hidden else 0.7
        return Step(
            shown, float(np.log(chance)), weights, ((shown, chance), *others), unknown=known is None, origin=origin
        )
