"""Texts that are translated side by side come out as they do alone: words, maps, origins, probabilities."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers.transformers import a_transformer
from helpers.translators import ATTENTIONS, SENTENCE, a_translator

from attnviewer.core.interventions import Intervention
from attnviewer.core.jobs import outcome
from attnviewer.core.request import Decoding, TranslateRequest
from attnviewer.core.trace import Trace
from attnviewer.runs.translate import together, translate, translate_all
from attnviewer.zoo.translators import LoadedTranslator

TEXTS = (SENTENCE, "El gato.", "Una canoa blanca. El perro duerme en la casa. Sí.", "42", "La casa blanca es blanca.")
BEAM = Decoding(beam=3)


def models() -> dict[str, LoadedTranslator]:
    return {name: a_translator(name) for name in ATTENTIONS} | {"transformer": a_transformer()}


def assert_alike(one: Trace, other: Trace) -> None:
    assert one.words == other.words
    assert (one.request, one.notes, one.locations) == (other.request, other.notes, other.locations)
    np.testing.assert_allclose(one.weights, other.weights, atol=1e-5)
    np.testing.assert_allclose(one.logprobs, other.logprobs, atol=1e-4)
    for a, b in zip(one.steps, other.steps, strict=True):
        assert (a.origin is None) == (b.origin is None)
        if a.origin is not None and b.origin is not None:
            np.testing.assert_allclose(a.origin, b.origin, atol=1e-5)


@pytest.mark.parametrize("name", models())
def test_texts_side_by_side_are_translated_as_alone(name: str) -> None:
    model = models()[name]
    requests = [TranslateRequest(text, model.card.attention, BEAM) for text in TEXTS]
    found = outcome(translate_all(requests, model))
    assert len(found) == len(TEXTS)
    for request, trace in zip(requests, found, strict=True):
        assert_alike(trace, outcome(translate(request, model)))
    told = [step.origin is not None for trace in found for step in trace.steps]
    assert any(told) == model.net.tells


def test_what_is_greedy_moved_given_or_imposed_goes_alone() -> None:
    request = TranslateRequest(SENTENCE, "soft", BEAM)
    assert together(request)
    assert not together(replace(request, decoding=Decoding()))
    assert not together(replace(request, shuffle=1))
    assert not together(replace(request, words=("the", "dog")))
    assert not together(replace(request, interventions=(Intervention(0, word="dog"),)))
