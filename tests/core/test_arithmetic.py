"""The arithmetic of one word holds: the numbers are those of the run, and they add up."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from helpers.traces import a_trace

from attnviewer.core.arithmetic import lines, named, own_scores, stages
from attnviewer.core.terms import terms
from attnviewer.core.trace import Source, Step, Tokens, Trace


def looked(scores: list[float], **more: object) -> Trace:
    """A translation of one word with these scores."""
    powers = np.exp(scores)
    step = Step("red", math.log(0.5), (powers / powers.sum())[None], (("red", 0.5), ("blue", 0.2)), np.array([scores]))
    step = replace(step, **more)  # type: ignore[arg-type]
    return Trace(
        "translate", "m", Source("text", text="x"), Tokens(tuple("abcd")[: len(scores)]), ("attention",), (step,)
    )


def test_the_steps_of_a_translated_word_by_hand() -> None:
    score, soft, context, following = stages(looked([math.log(1), math.log(2), math.log(5)]), 0, place=1)
    assert score.numbers.startswith("s(b) = +0.69   (lowest +0.00, highest +1.61)")
    assert soft.numbers == "p(b) = 0.4 / 1.6 = 25%"
    assert context.numbers == "z = 62% · x(c) + 25% · x(b) + 12% · x(a)"
    assert following.numbers == "red 50%, blue 20%; taken: red 50%"


def test_without_a_place_the_peak_is_followed_and_what_is_not_named_is_counted() -> None:
    found = stages(looked([0.0, 1.0, 2.0, 3.0]), 0)
    assert found[0].numbers.startswith("s(d) = +3.00")
    assert found[2].numbers.endswith(" + 1 more")


def test_a_caption_has_a_gate_and_cells_counted_from_zero() -> None:
    trace = a_trace(("a", "dog"))
    found = stages(trace, 1, place=11)
    assert [stage.title for stage in found] == ["Score", "Softmax", "Context", "Gate", "Next word"]
    assert named(trace, 11) == "(2, 3)"
    assert f"β = {trace.gate[1]:.2f}" in found[3].numbers


@pytest.mark.parametrize("place", range(12))
def test_the_division_gives_the_weight_that_is_shown(place: int) -> None:
    trace = a_trace(("dog",))
    over, total, share = re.fullmatch(
        r"p\(\d, \d\) = (\S+) / (\S+) = <?([\d.]+)%", stages(trace, 0, place)[1].numbers
    ).groups()
    assert float(over) / float(total) == pytest.approx(trace.weights[0, 0, place], rel=0.02)
    assert float(share) / 100 == pytest.approx(trace.weights[0, 0, place], abs=0.006)


def test_weights_that_came_from_elsewhere_are_not_told_as_a_softmax() -> None:
    trace = looked([0.0, 1.0], weights=np.array([[0.5, 0.5]], np.float32))
    assert own_scores(trace.steps[0], trace.weights[0, 0]) is None
    assert [stage.title for stage in stages(trace, 0)] == ["Weights", "Context", "Next word"]


def test_a_place_that_was_drawn_is_all_that_goes_on() -> None:
    assert stages(looked([0.0, 1.0, 2.0], sampled=0), 0)[2].numbers == "z = x(a)"


def test_attention_by_place_says_that_what_stands_there_plays_no_part() -> None:
    trace = replace(looked([0.0, 1.0]), request={"attention": "location"})
    assert stages(trace, 0)[0].formula == "s = W h"


def test_without_attention_the_memory_is_all_there_is() -> None:
    bare = replace(looked([0.0]), heads=(), steps=(Step("x", -1.0, np.zeros((0, 1))),))
    assert [stage.title for stage in stages(bare, 0)] == ["No attention", "Next word"]


def test_each_step_has_a_term_that_is_explained() -> None:
    found = [*stages(a_trace(("dog",)), 0), *stages(looked([0.0], sampled=0), 0)]
    assert {stage.term for stage in found} <= set(terms())


def test_there_is_nothing_to_tell_of_no_word() -> None:
    assert stages(None, 0) == stages(a_trace(()), 0) == []
    assert len(list(lines(a_trace(("dog",)), 0))) == 5
