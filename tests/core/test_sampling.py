"""Draws from a map follow it, and a seed repeats them."""

import numpy as np
import pytest
from helpers.traces import a_trace
from hypothesis import given, settings
from hypothesis import strategies as st

from attnviewer.core.lens import word_map
from attnviewer.core.sampling import draw, drawn, fixations
from attnviewer.core.trace import Source, Step, Trace

MAPS = st.lists(st.floats(0.02, 1.0), min_size=2, max_size=40).map(lambda values: np.array(values) / sum(values))


def chi_square(counts: np.ndarray, chances: np.ndarray) -> float:
    """How far counts lie from what was expected, in standard deviations of the chi-square statistic."""
    expected = chances * counts.sum()
    freedom = len(chances) - 1
    return float((((counts - expected) ** 2 / expected).sum() - freedom) / np.sqrt(2 * freedom))


@settings(max_examples=60, deadline=None)
@given(chances=MAPS, seed=st.integers(0, 2**32))
def test_many_draws_follow_the_distribution(chances: np.ndarray, seed: int) -> None:
    counts = draw(chances, 20_000, seed)
    assert counts.sum() == 20_000
    assert chi_square(counts, chances) < 10


def test_draws_from_another_map_are_told_apart() -> None:
    chances = np.linspace(1, 2, 30) / np.linspace(1, 2, 30).sum()
    assert chi_square(draw(np.full(30, 1 / 30), 20_000), chances) > 50


@given(seed=st.integers(0, 1000))
def test_a_seed_repeats_its_draws_and_another_draws_otherwise(seed: int) -> None:
    even = np.full(50, 0.02)
    assert draw(even, 100, seed).tolist() == draw(even, 100, seed).tolist()
    assert draw(even, 100, seed).tolist() != draw(even, 100, seed + 1).tolist()


def test_a_place_without_weight_is_never_taken() -> None:
    assert draw([0.0, 0.5, 0.5, 0.0], 1000)[[0, 3]].tolist() == [0, 0]


def test_a_trace_of_draws_holds_shares_of_each_words_own_map() -> None:
    trace = a_trace()
    shown = drawn(trace, 100, seed=4)
    assert shown.words == trace.words
    for word in range(len(trace.steps)):
        counts = word_map(shown, word) * 100
        np.testing.assert_allclose(counts, counts.round(), atol=1e-3)
        assert counts.sum() == pytest.approx(100, abs=1e-3)
        np.testing.assert_allclose(counts, draw(word_map(trace, word), 100, (4, word)), atol=1e-3)


def test_words_without_attention_stay_without() -> None:
    trace = a_trace()
    bare = Trace("caption", "m", trace.source, trace.locations, (), (Step("a", -1.0, np.zeros((0, 12))),))
    assert drawn(bare, 10).steps == bare.steps


def test_fixations_are_the_last_places_taken_the_newest_last() -> None:
    steps = tuple(Step("a", -1.0, np.full((1, 12), 1 / 12), sampled=place) for place in (3, 1, 4, 1, 5, 9))
    trace = Trace("caption", "m", Source("image"), a_trace().locations, ("attention",), steps)
    assert fixations(trace, 0) == (3,)
    assert fixations(trace, 5) == (1, 4, 1, 5, 9)
    assert fixations(trace, 2, most=2) == (1, 4)
    assert fixations(trace, -1) == ()
    assert fixations(a_trace(), 3) == ()
