"""When a captioner is probably guessing: a score from the words it chose, fitted where inventions are known.

Two things tell: how surprised the net is by its own words, and how unsure it was of the thing it named least readily.
Photos unlike anything it learnt from, and things that aren't there, raise both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from attnviewer.core.things import named


@dataclass(frozen=True)
class Evidence:
    """Both in nats: the mean surprise of a word, and that of the first word of the least expected thing (0 without)."""

    words: float
    thing: float


@dataclass(frozen=True)
class Doubt:
    """A captioner's own fit: the score is `words` and `thing` times the evidence, plus `offset`; above 0 it guesses."""

    words: float
    thing: float
    offset: float

    @classmethod
    def of(cls, architecture: Mapping[str, Any]) -> Doubt | None:
        """What a card says under `guess_words`, `guess_thing` and `guess_offset`; None where it says nothing."""
        names = ("guess_words", "guess_thing", "guess_offset")
        values = [architecture.get(name) for name in names]
        if not all(isinstance(value, (int, float)) for value in values):
            return None
        return cls(*(float(value) for value in values if value is not None))

    def score(self, evidence: Evidence) -> float:
        """How much the caption looks like a guess: the greater, the more; above 0 it is said."""
        return self.words * evidence.words + self.thing * evidence.thing + self.offset


def evidence(words: Sequence[str], logprobs: Sequence[float]) -> Evidence:
    """The evidence of a caption's words and their log-probabilities; a caption without words has none."""
    if not words:
        return Evidence(0.0, 0.0)
    things = [-logprobs[name.start] for name in named(words)]
    return Evidence(-sum(logprobs) / len(logprobs), max(things, default=0.0))
