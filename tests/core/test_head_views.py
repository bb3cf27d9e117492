"""Maps of one head, of their mean, of their maximum: what a view asks `lens` for."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.headed import HEADS, a_caption
from helpers.traces import a_trace

from attnviewer.core.card import Data, ModelCard, Training
from attnviewer.core.errors import UserError
from attnviewer.core.heads import ALL, MAX, MEAN, each_head, looking, shown_head, told, usual_head
from attnviewer.core.lens import colour_range, facts, maps, word_map
from attnviewer.core.story import story
from attnviewer.core.trace import Trace


def test_a_view_shows_the_maps_of_its_head_and_keeps_the_weights_of_all() -> None:
    trace = a_caption()
    view = looking(trace, "0.1")
    np.testing.assert_array_equal(maps(view), trace.weights[:, 1])
    np.testing.assert_array_equal(word_map(view, 2), trace.weights[2, 1])
    np.testing.assert_array_equal(view.weights, trace.weights)
    assert view.to_json() == trace.to_json()


def test_the_maximum_is_drawn_and_is_no_distribution() -> None:
    trace = a_caption()
    view = looking(trace, MAX)
    np.testing.assert_array_equal(maps(view), trace.weights.max(axis=1))
    assert maps(view).sum(axis=1).min() > 1.5
    assert colour_range(view).peak == pytest.approx(float(trace.weights.max()))
    found = facts(view, 0)
    assert found is not None
    assert 0 < found.normalized_entropy <= 1


@pytest.mark.parametrize("head", [MEAN, ALL])
def test_the_mean_stands_for_all_where_one_map_is_wanted(head: str) -> None:
    trace = a_caption()
    np.testing.assert_allclose(maps(looking(trace, head)), trace.weights.mean(axis=1), atol=1e-7)


def test_a_trace_of_one_head_has_nothing_to_choose() -> None:
    trace = a_trace()
    assert looking(trace, MAX) is trace
    assert told(trace) == ""


def test_a_head_that_is_not_there_is_told() -> None:
    with pytest.raises(UserError, match=r"^there is no head 7; choose 0\.0 to 1\.0, or mean, max, all\.$"):
        looking(a_caption(), "7")


def test_heads_are_told_in_words() -> None:
    trace = a_caption()
    said = [told(looking(trace, head)) for head in (MEAN, MAX, "1.0", ALL)]
    assert said == ["mean of 3 heads", "maximum of 3 heads", "head 1.0", "mean of 3 heads"]
    assert [shown_head(view) for view in each_head(trace).values()] == list(HEADS)


@pytest.mark.parametrize(("named", "head"), [({"head": "0.1"}, "0.1"), ({"head": "9"}, MEAN), ({}, MEAN)])
def test_the_usual_head_is_that_of_the_card(named: dict[str, str], head: str) -> None:
    kept = Data("none", "none"), Training("none", 0, 0.0)
    card = ModelCard("three", "three", "caption", "soft", "MIT", *kept, architecture=named)
    assert usual_head(a_caption(), {"three": card}) == head
    assert usual_head(a_caption(), {}) == MEAN


def test_the_story_is_that_of_the_head() -> None:
    trace: Trace = a_caption()
    assert story(looking(trace, "0.0"), 0) != story(looking(trace, "1.0"), 1)
