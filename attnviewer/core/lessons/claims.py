"""Claims: that a measure is larger, smaller or the same in one state than in another."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from attnviewer.core.lessons.measures import MEASURES, Result
from attnviewer.core.lessons.states import State

SIGNS = (">", "<", "=")
PARTS = ("first", "second", "ratio", "difference")
CLOSE = 0.01  # equal is what differs by less than a hundredth


@dataclass(frozen=True)
class Claim:
    """That `measure` of the state `first` is larger (>), smaller (<) or equal (=) to that of `second`."""

    name: str
    measure: str
    first: State
    second: State
    sign: str


@dataclass(frozen=True)
class Outcome:
    """What a claim came to."""

    claim: Claim
    first: float
    second: float

    @property
    def holds(self) -> bool:
        """Whether it is so."""
        near = math.isclose(self.first, self.second, rel_tol=CLOSE, abs_tol=CLOSE / 10)
        if self.claim.sign == "=":
            return near
        return not near and (self.first > self.second) == (self.claim.sign == ">")

    @property
    def told(self) -> Mapping[str, str]:
        """Its numbers in words."""
        tell = MEASURES[self.claim.measure].tell
        ratio = self.first / self.second if self.second else math.inf
        numbers = (tell(self.first), tell(self.second), _times(ratio), tell(abs(self.first - self.second)))
        return dict(zip(PARTS, numbers, strict=True))


def outcome(claim: Claim, results: Mapping[str, Result]) -> Outcome:
    """Measure a claim; `results` are the runs of `wanted(claim)` by the runs of their states."""
    measure = MEASURES[claim.measure]
    numbers = [
        measure.of([(run, results[run.run]) for run in measure.runs(one)]) for one in (claim.first, claim.second)
    ]
    return Outcome(claim, *numbers)


def wanted(claims: Sequence[Claim]) -> list[State]:
    """All states that have to run for some claims, each once."""
    states = [
        run for claim in claims for one in (claim.first, claim.second) for run in MEASURES[claim.measure].runs(one)
    ]
    return list({state.run: state for state in states}.values())


def _times(ratio: float) -> str:
    return "∞" if math.isinf(ratio) else f"{ratio:.0f}" if ratio >= 9.95 else f"{ratio:.1f}"
