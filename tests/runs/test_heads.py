"""Nets with several heads and a cache: every head is in the trace, and a search keeps each cache with its words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from helpers.heads import HEADS, SIZE, State, ThreeHeads
from helpers.nets import CELLS, annotations
from helpers.runs import PICTURE, a_model
from hypothesis import given, settings
from hypothesis import strategies as st

from attnviewer.core.errors import UserError
from attnviewer.core.interventions import Intervention
from attnviewer.core.jobs import outcome
from attnviewer.core.request import CaptionRequest, Decoding
from attnviewer.core.trace import Trace
from attnviewer.nets.attention import impose, pointed
from attnviewer.runs.caption import caption
from attnviewer.runs.decode import DecodingPlan, beam_search

BEAM = Decoding(beam=4, max_words=6)
GREEDY = Decoding(max_words=6)
LEFT = (1.0, *(0.0,) * (CELLS - 1))


def whole(decoding: Decoding = GREEDY, attention: str = "soft", seed: int = 0, **asked: object) -> Trace:
    model = replace(a_model(), net=ThreeHeads(seed=seed))  # type: ignore[arg-type]
    request = CaptionRequest(PICTURE, attention, decoding, **asked)  # type: ignore[arg-type]
    return outcome(caption(request, model, annotations()))


@pytest.mark.parametrize("decoding", [GREEDY, BEAM])
def test_a_trace_holds_the_map_of_each_head(decoding: Decoding) -> None:
    trace = whole(decoding)
    assert trace.heads == HEADS
    assert trace.weights.shape == trace.scores.shape == (len(trace.words), 3, CELLS)
    np.testing.assert_allclose(trace.weights.sum(axis=-1), 1, atol=1e-6)
    assert np.abs(trace.weights[:, 0] - trace.weights[:, 1]).max() > 0.01


@pytest.mark.parametrize("seed", range(6))
def test_a_search_gives_each_text_the_cache_of_its_own_words(seed: int) -> None:
    found = whole(BEAM, seed=seed)
    forced = whole(words=found.words, seed=seed)
    np.testing.assert_allclose(found.logprobs, forced.logprobs, atol=1e-5)
    np.testing.assert_allclose(found.weights, forced.weights, atol=1e-5)


def test_photos_of_a_batch_get_what_they_get_alone() -> None:
    net, cells, plan = ThreeHeads(seed=3), annotations(3), DecodingPlan(BEAM)
    with torch.no_grad():
        together = beam_search(net, net.encode_source(cells), plan, torch.Generator())
        alone = [beam_search(net, net.encode_source(cells[i : i + 1]), plan, torch.Generator())[0] for i in range(3)]
    assert [[choice.word for choice in one.choices] for one in together] == [
        [choice.word for choice in o.choices] for o in alone
    ]


@pytest.mark.parametrize("decoding", [GREEDY, BEAM])
def test_a_map_may_be_imposed_on_one_head_and_leaves_the_others(decoding: Decoding) -> None:
    free = whole(decoding)
    trace = whole(decoding, interventions=(Intervention(0, weights=LEFT, head="middle"),))
    np.testing.assert_array_equal(trace.weights[0, 1], LEFT)
    np.testing.assert_allclose(trace.weights[0, [0, 2]], free.weights[0, [0, 2]], atol=1e-6)
    assert trace.forced[0]
    assert trace.logprobs[0] != free.logprobs[0]


def test_two_heads_may_get_maps_of_their_own_at_one_word() -> None:
    right = LEFT[::-1]
    given = (Intervention(1, weights=LEFT, head="left"), Intervention(1, weights=right, head="right"))
    trace = whole(interventions=given)
    np.testing.assert_array_equal(trace.weights[1, [0, 2]], [LEFT, right])


def test_a_map_for_no_head_in_particular_goes_to_all() -> None:
    trace = whole(interventions=(Intervention(1, weights=LEFT),))
    np.testing.assert_array_equal(trace.weights[1], [LEFT] * 3)
    np.testing.assert_allclose(whole(attention="uniform").weights, 1 / CELLS, rtol=1e-6)


def test_a_head_that_the_model_lacks_is_refused_by_name() -> None:
    with pytest.raises(UserError, match=r"no head 7\.1; choose one of left, middle, right"):
        whole(interventions=(Intervention(0, weights=LEFT, head="7.1"),))


def test_given_words_are_measured_with_all_heads() -> None:
    trace = whole(words=("w3", "w5", "w4"))
    assert trace.words == ("w3", "w5", "w4")
    assert trace.forced == (True,) * 3
    assert trace.weights.shape == (3, 3, CELLS)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 3), st.integers(1, 4), st.integers(0, 3), st.integers(0, 99))
def test_a_state_in_another_order_holds_the_named_hypotheses(b: int, k: int, t: int, seed: int) -> None:
    rng = torch.Generator().manual_seed(seed)
    cache, order = torch.randn(b, k, t, SIZE, generator=rng), torch.randint(k, (b, k), generator=rng)
    found = ThreeHeads().reorder(State(cache), order).cache
    assert all(torch.equal(found[i, j], cache[i, order[i, j]]) for i in range(b) for j in range(k))


def test_heads_given_as_nan_are_left_alone() -> None:
    own, given = torch.tensor([[0.25, 0.75], [0.5, 0.5]]), torch.tensor([[torch.nan] * 2, [1.0, 0.0]])
    assert impose(own, given).tolist() == [[0.25, 0.75], [1.0, 0.0]]
    assert impose(own, None) is own


def test_the_map_that_points_is_one_heads_or_the_mean_of_all() -> None:
    weights = torch.tensor([[0.25, 0.75], [0.75, 0.25]])
    assert pointed(weights, 1).tolist() == [0.75, 0.25]
    assert pointed(weights, None).tolist() == [0.5, 0.5]
