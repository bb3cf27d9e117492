"""Location or content: the order of a shuffled source, and how well two runs' maps agree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers.traces import a_trace
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.core.places import Agreement, agreement, order_of, told
from attnviewer.core.trace import Tokens, Trace

WORDS = tuple("abcdefgh")


def peaked(places: list[int], tokens: tuple[str, ...] = WORDS) -> Trace:
    """A trace whose maps lie each on one place."""
    trace = a_trace(tuple("x" * len(places)), Tokens(tokens))
    maps = np.eye(len(tokens), dtype=np.float32)[places]
    return replace(
        trace, steps=tuple(replace(step, weights=row[None]) for step, row in zip(trace.steps, maps, strict=True))
    )


@given(st.integers(0, 60), st.integers(0, 2**32))
def test_an_order_holds_each_word_once_and_comes_back(words: int, seed: int) -> None:
    assert sorted(order_of(words, seed)) == list(range(words))
    assert (order_of(words, seed) == order_of(words, seed)).all()


def test_maps_that_go_with_the_words_are_said_to_follow() -> None:
    order = order_of(8, 1)
    found = agreement(peaked([0, 1, 2]), peaked([int(np.flatnonzero(order == i)[0]) for i in range(3)]), order)
    assert found is not None
    assert (found.words, found.verdict) == (1.0, "followed")
    assert told(found).startswith("The weights followed the words to their new places: the maps agree to 100%")


def test_maps_that_stay_are_said_to_stay_even_where_one_run_is_longer() -> None:
    found = agreement(peaked([0, 1, 2, 3]), peaked([0, 1, 2]), order_of(8, 1))
    assert found is not None
    assert (found.places, found.verdict) == (1.0, "stayed")


def test_maps_that_are_everywhere_alike_tell_nothing() -> None:
    flat = peaked([0, 1])
    flat = replace(flat, steps=tuple(replace(step, weights=np.full((1, 8), 1 / 8)) for step in flat.steps))
    found = agreement(flat, flat, order_of(8, 1))
    assert found is not None
    assert found.verdict == "neither"
    assert "neither" in told(found)


@pytest.mark.parametrize(
    ("one", "other"),
    [(peaked([]), peaked([0])), (peaked([0], ("a",)), peaked([0], ("a",))), (peaked([0]), peaked([0], ("a", "b")))],
)
def test_where_nothing_can_be_compared_nothing_is_said(one: Trace, other: Trace) -> None:
    found = agreement(one, other, range(len(one.locations)))
    assert found is None
    assert told(found) == ""


def test_a_small_difference_is_no_verdict() -> None:
    assert Agreement(0.55, 0.5).verdict == "neither"
