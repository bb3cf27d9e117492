"""Translation runs with something imposed: a translation, words, weights, or the order of the source states."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from helpers.translators import ATTENTIONS, BUCKETS, SENTENCE, TARGET, a_translator, assert_equal, saying, whole

from attnviewer.core.errors import UserError
from attnviewer.core.interventions import Intervention
from attnviewer.core.request import Decoding
from attnviewer.core.sentence import tokenize
from attnviewer.core.text import START, UNKNOWN
from attnviewer.measure.translated import given
from attnviewer.runs.reading import read

WORDS = tokenize(SENTENCE)
GIVEN = ("the", "dog", "qwerty", "sleeps", ".")
BEAM = Decoding(beam=4)


@pytest.mark.parametrize("decoding", [Decoding(), BEAM])
@pytest.mark.parametrize("attention", ATTENTIONS)
def test_a_given_translation_is_measured_word_by_word(attention: str, decoding: Decoding) -> None:
    model = a_translator(attention)
    trace = whole(attention, model, words=GIVEN, decoding=decoding)
    assert trace.words == GIVEN
    assert trace.text == "the dog qwerty sleeps."
    assert trace.forced == (True,) * 5
    assert [step.unknown for step in trace.steps] == [False, False, True, False, False]
    ids = TARGET.encode(GIVEN)
    inputs, groups = given(TARGET, BUCKETS, [GIVEN])
    assert inputs.tolist() == [[START, *ids]]
    with torch.no_grad():
        output, weights, _ = model.net.teach(read(model.net, model.words.speller, [WORDS]), inputs, groups)
        logprobs = torch.log_softmax(model.net.logits(output)[0], dim=-1)
    np.testing.assert_allclose(trace.logprobs, [float(logprobs[t, word]) for t, word in enumerate(ids)], atol=1e-5)
    if weights is not None:
        np.testing.assert_allclose(trace.weights[:, 0], weights[0, :-1], atol=1e-6)


def test_a_given_translation_may_be_longer_than_any_that_is_made() -> None:
    given = ("the", "dog") * 30
    assert whole(words=given, text="perro").words == given


@pytest.mark.parametrize("decoding", [Decoding(), BEAM])
@pytest.mark.parametrize("word", ["cat", "qwerty"])
def test_an_imposed_word_is_said_and_what_follows_reads_it(word: str, decoding: Decoding) -> None:
    trace = whole(decoding=decoding, interventions=(Intervention(1, word),))
    assert trace.words[1] == word
    assert trace.forced == (False, True, *(False,) * (len(trace.words) - 2))
    assert trace.steps[1].unknown == (word == "qwerty")
    again = whole(words=trace.words)
    np.testing.assert_allclose(trace.logprobs[:2], again.logprobs[:2], atol=1e-5)


@pytest.mark.parametrize("decoding", [Decoding(), BEAM])
def test_imposed_weights_are_made_to_sum_to_1_and_obeyed(decoding: Decoding) -> None:
    trace = whole(decoding=decoding, interventions=(Intervention(1, weights=(0, 3, 1, 0, 0, 0, 0, 0, 0)),))
    np.testing.assert_allclose(trace.weights[1, 0], [0, 0.75, 0.25, 0, 0, 0, 0, 0, 0])
    assert trace.forced[:2] == (False, True)
    assert trace.logprobs[1] != whole(words=trace.words).logprobs[1]


@pytest.mark.parametrize(
    "weights", [(1.0,) * 8, (1.0,) * 10, (), (0.0,) * 9, (-1.0, *(1.0,) * 8), (math.nan,) * 9, (math.inf,) * 9]
)
def test_weights_that_cannot_be_imposed_are_refused(weights: tuple[float, ...]) -> None:
    with pytest.raises(UserError, match="needs 9 weights that are finite"):
        whole(interventions=(Intervention(0, weights=weights),))


def test_huge_weights_can_be_imposed() -> None:
    trace = whole(interventions=(Intervention(0, weights=(1e38,) * 9),))
    np.testing.assert_allclose(trace.weights[0, 0], [1 / 9] * 9, rtol=1e-6)


def test_without_attention_there_is_none_to_impose_but_words_can_be() -> None:
    with pytest.raises(UserError, match="es-en-none has no attention to impose"):
        whole("none", interventions=(Intervention(0, weights=(1.0,) * 9),))
    assert whole("none", interventions=(Intervention(0, "cat"),)).words[0] == "cat"


def test_content_based_maps_follow_shuffled_words_and_the_translation_stays() -> None:
    plain, shuffled = whole(), whole(shuffle=3)
    tokens = shuffled.locations.tokens
    assert sorted(tokens) == sorted(WORDS)
    assert list(tokens) != WORDS
    assert shuffled.words == plain.words
    moved = plain.weights[..., [WORDS.index(token) for token in tokens]]
    np.testing.assert_allclose(shuffled.weights, moved, atol=1e-5)


def test_location_based_maps_stay_where_they_were() -> None:
    np.testing.assert_array_equal(whole("location").weights[0], whole("location", shuffle=3).weights[0])


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_a_seed_shuffles_always_alike(attention: str) -> None:
    assert_equal(whole(attention, shuffle=3), whole(attention, shuffle=3))
    orders = {whole(attention, shuffle=seed).locations.tokens for seed in range(4)}
    assert len(orders) == 4
    assert whole(attention, shuffle=0, text="?").locations.tokens == ("?",)


def test_a_word_is_copied_from_where_it_was_shuffled_to() -> None:
    trace = whole(model=saying("soft", UNKNOWN), shuffle=3)
    assert trace.words[0] == trace.locations.tokens[int(trace.weights[0, 0].argmax())]
    assert trace.words[:4] == whole(model=saying("soft", UNKNOWN)).words[:4]
