"""Every stop of the tour, from a cold start, on the models that ship: it runs, and what it claims is so."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest

from attnviewer.app import model_thread
from attnviewer.core.explore.requests import Exploration
from attnviewer.core.images import load_picture
from attnviewer.core.jobs import outcome as ended
from attnviewer.core.lessons.asking import photo_path, request_of
from attnviewer.core.lessons.claims import outcome, wanted
from attnviewer.core.lessons.states import State
from attnviewer.core.lessons.stops import PLACE, Stop, lessons_dir, read_lesson
from attnviewer.core.lessons.telling import filled
from attnviewer.runs.engine import Engine

FILES = sorted(path for path in lessons_dir().glob("*.toml") if path.name.count(".") == 1)
STOPS = [(f"{path.stem}-{at}", stop) for path in FILES for at, stop in enumerate(read_lesson(path).stops)]
LONGEST = 420  # letters of a text, so that the bar stays slim


@lru_cache
def engine() -> Engine:
    return Engine(device="cpu")


@lru_cache(maxsize=128)
def _ran(run: str, state: Any) -> Any:
    path = photo_path(state.state)
    request = request_of(state.state, load_picture(path) if path is not None else None)
    if request is None:
        return None
    with model_thread():
        return ended(engine().explore(request) if isinstance(request, Exploration) else engine().run(request))


class _Held:
    """A state that is equal to others with the same run."""

    def __init__(self, state: State) -> None:
        self.state = state

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and other.state.run == self.state.run

    def __hash__(self) -> int:
        return hash(self.state.run)


def ran(state: State) -> Any:
    """What a state's run gives; equal runs once."""
    return _ran(state.run, _Held(state))


@pytest.mark.parametrize(("name", "stop"), STOPS, ids=[name for name, _ in STOPS])
def test_what_a_stop_claims_is_so_on_the_models_that_ship(name: str, stop: Stop) -> None:
    results = {state.run: ran(state) for state in wanted(stop.claims)}
    found = [outcome(claim, results) for claim in stop.claims]
    assert found, f"{name} claims nothing"
    for one in found:
        claim = one.claim
        assert one.holds, (
            f"stop {name} ({stop.title}): {claim.measure} should be {claim.sign}, but is {one.first:.4g} in "
            f"{dict(claim.first.values)} and {one.second:.4g} in {dict(claim.second.values)}"
        )
    assert "{" not in filled(stop.reveal, found)
    assert "…" not in filled(stop.reveal, found)


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_lesson_says_the_same_in_both_languages(path: Any) -> None:
    english, chinese = read_lesson(path).stops, read_lesson(path, "zh").stops
    for one, other in zip(english, chinese, strict=True):
        assert other.title != one.title
        assert sorted(PLACE.findall(one.reveal)) == sorted(PLACE.findall(other.reveal))
        assert len(one.answers) == len(other.answers)
        assert max(len(one.text), len(one.reveal)) < LONGEST


def test_the_tour_has_a_dozen_stops_and_the_short_one_three() -> None:
    assert len([path for path in FILES if path.name[0].isdigit()]) == 12
    assert len(read_lesson(lessons_dir() / "first.toml").stops) == 3
