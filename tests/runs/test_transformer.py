"""Translation and captions by Transformers: every head in the trace, search with a cache, copies and origins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers.nets import CELLS, annotations
from helpers.runs import PICTURE, a_model
from helpers.transformers import a_looker, a_transformer
from helpers.translators import SENTENCE, whole

from attnviewer.core.interventions import Intervention
from attnviewer.core.jobs import outcome
from attnviewer.core.request import CaptionRequest, Decoding
from attnviewer.core.sentence import tokenize
from attnviewer.core.text import UNKNOWN
from attnviewer.runs.caption import caption

BEAM = Decoding(beam=4)
HEADS = ("0.0", "0.1", "1.0", "1.1")


@pytest.mark.parametrize("decoding", [Decoding(), BEAM])
@pytest.mark.parametrize("seed", range(3))
def test_a_search_finds_what_teacher_forcing_confirms(decoding: Decoding, seed: int) -> None:
    model = a_transformer(seed=seed)
    trace = whole(model=model, decoding=decoding)
    assert trace.heads == HEADS
    assert trace.weights.shape == (len(trace.words), 4, len(tokenize(SENTENCE)))
    if any(step.unknown for step in trace.steps):
        return
    forced = whole(model=model, words=trace.words)
    np.testing.assert_allclose(trace.logprobs, forced.logprobs, atol=1e-4)
    np.testing.assert_allclose(trace.weights, forced.weights, atol=1e-5)


def test_each_word_tells_where_it_came_from() -> None:
    trace = whole(model=a_transformer())
    assert all(step.origin is not None and abs(step.origin.sum() - 1) < 1e-5 for step in trace.steps)


def test_an_unknown_word_is_copied_from_where_the_guided_head_looked() -> None:
    model = a_transformer(ending=-1e9)
    model.net.bias.data[UNKNOWN] = 1e4
    trace = whole(model=model)
    assert trace.words[0] == tokenize(SENTENCE)[int(trace.weights[0, 2].argmax())]


def test_a_map_is_imposed_on_the_head_that_is_named() -> None:
    given = (0.0,) * 8 + (1.0,)
    trace = whole(model=a_transformer(), interventions=(Intervention(0, weights=given, head="0.1"),))
    np.testing.assert_array_equal(trace.weights[0, 1], given)
    assert trace.weights[0, 0].max() < 1


@pytest.mark.parametrize("decoding", [Decoding(max_words=6), Decoding(beam=3, max_words=6)])
def test_a_photo_is_captioned_with_every_head_in_the_trace(decoding: Decoding) -> None:
    model = replace(a_model(), net=a_looker())  # type: ignore[arg-type]
    trace = outcome(caption(CaptionRequest(PICTURE, decoding=decoding), model, annotations()))
    forced = outcome(caption(CaptionRequest(PICTURE, words=trace.words), model, annotations()))
    assert trace.weights.shape == (len(trace.words), 16 // 4, CELLS)
    np.testing.assert_allclose(trace.logprobs, forced.logprobs, atol=1e-4)
    np.testing.assert_allclose(trace.weights, forced.weights, atol=1e-5)
