"""The sentence that says what is seen in a map."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.traces import a_trace, grid, with_maps

from attnviewer.core.story import percent, story
from attnviewer.core.trace import Source, Step, Tokens, Trace


def peaked(at: int, weight: float, length: int = 36) -> np.ndarray:
    """A map with so much weight at one place and the rest alike."""
    map_ = np.full(length, (1 - weight) / (length - 1))
    map_[at] = weight
    return map_


def over_words(*weights: float, **more: object) -> Trace:
    tokens = Tokens(tuple("abc"[: len(weights)]))
    step = Step("x", -0.5, np.array([weights], np.float32))
    return Trace("translate", "m", Source("text", text="a b c"), tokens, ("attention",), (step,), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "shown"), [(0, "0%"), (1e-6, "<0.1%"), (0.004, "0.4%"), (0.0999, "10%"), (0.52, "52%"), (1, "100%")]
)
def test_shares_have_as_many_digits_as_they_need(value: float, shown: str) -> None:
    assert percent(value) == shown


def test_a_soft_map_is_told_with_its_place_its_weight_and_the_even_share() -> None:
    told = story(with_maps(np.array([peaked(0, 0.6)]), 6, 6), 0)
    assert told == (
        "Before it chose “w0”, the network looked mostly in the top left: 60% on one cell; an even map has 2.8%."
    )


def test_a_flat_map_is_not_told_as_a_peak() -> None:
    assert "nearly everywhere alike: no cell holds more than 3.0%" in story(
        with_maps(np.array([peaked(7, 0.03)]), 6, 6), 0
    )


def test_an_article_that_looks_harder_than_what_follows_is_explained() -> None:
    trace = with_maps(np.array([peaked(0, 0.6), peaked(0, 0.2), peaked(0, 0.15)]), 6, 6)
    steps = [replace(step, word=word) for step, word in zip(trace.steps, ("a", "dog", "runs"), strict=True)]
    trace = replace(trace, steps=tuple(steps))
    assert story(trace, 0).endswith("it has to find the thing that the next words will name.")
    assert "small word" not in story(trace, 1)


def test_a_drawn_place_is_told_with_its_chance() -> None:
    trace = with_maps(np.array([peaked(0, 0.6)]), 6, 6)
    drawn = replace(trace, steps=(replace(trace.steps[0], sampled=35),))
    assert (
        story(drawn, 0) == "Before it chose “w0”, the network drew one place, in the bottom right: its chance was 1.1%."
    )


def test_a_given_word_is_told_as_read_not_chosen() -> None:
    trace = with_maps(np.array([peaked(0, 0.6)]), 6, 6)
    assert story(replace(trace, steps=(replace(trace.steps[0], forced=True),)), 0).startswith(
        "Before it read your “w0”"
    )


def test_a_control_and_a_net_without_attention_say_what_is_missing() -> None:
    trace = a_trace(words=("a", "dog"))
    assert "the control that attention has to beat" in story(replace(trace, request={"attention": "uniform"}), 0)
    bare = replace(trace, heads=(), steps=tuple(replace(step, weights=np.zeros((0, 12))) for step in trace.steps))
    told = "Without attention there is no map: the network saw the whole photo once, and chose “dog” from what its"
    assert story(bare, 1) == f"{told} memory kept."


@pytest.mark.parametrize(
    ("weights", "told"),
    [
        ((1.0,), "only “a” to look at"),
        ((0.95, 0.03, 0.02), "looked at “a” and hardly elsewhere (95%)"),
        ((0.67, 0.32, 0.01), "looked mostly at “a” (67%)"),
        ((0.34, 0.33, 0.33), "looked at all words nearly alike"),
    ],
)
def test_a_map_over_words_is_never_called_sharper_than_it_is(weights: tuple[float, ...], told: str) -> None:
    assert told in story(over_words(*weights), 0)


def test_without_such_a_word_there_is_no_story() -> None:
    assert story(None, 0) == story(a_trace(("a",)), 1) == story(a_trace(("a",), grid()), -1) == ""


def test_where_the_user_made_it_look_is_told_as_that() -> None:
    trace = a_trace(("a", "dog"))
    steps = (trace.steps[0], replace(trace.steps[1], sampled=2, forced=True))
    held = replace(trace, steps=steps, request={"interventions": [{"at": 1, "weights": [1.0]}]})
    assert story(held, 1).startswith("You made it look")
    assert not story(held, 0).startswith("You made it look")
