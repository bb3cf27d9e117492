"""Both parts of a small Transformer at work: its maps, its probabilities, the lens, and a decoder that looks ahead."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from helpers.transformers import a_transformer
from helpers.translators import SENTENCE, a_translator, whole

from attnviewer.core.ablation import Ablation, Changes
from attnviewer.core.errors import UserError
from attnviewer.core.jobs import outcome
from attnviewer.core.transformer.findings import Pair
from attnviewer.core.transformer.pair import moved_before, share_ahead
from attnviewer.core.transformer.requests import PairRequest
from attnviewer.runs.explore import study
from attnviewer.runs.transformer.pair import STOP


def pair(model: Any = None, **asked: Any) -> Pair:
    model = model or a_transformer(seed=1)
    engine = SimpleNamespace(zoo=SimpleNamespace(translator=lambda wanted: model))
    found = outcome(study(engine, PairRequest(asked.pop("sentence", SENTENCE), **asked)))
    assert isinstance(found, Pair)
    json.loads(found.to_json())
    return found


def test_the_maps_of_the_pair_are_those_of_the_translation() -> None:
    model = a_transformer(seed=1)
    found = pair(model)
    words = found.words[:-1]
    forced = whole(model=model, words=words)
    assert found.words[-1] == STOP
    np.testing.assert_allclose(
        np.concatenate(list(found.cross), axis=0).swapaxes(0, 1)[: len(words)], forced.weights, atol=1e-5
    )
    if not any(step.unknown for step in forced.steps):
        np.testing.assert_allclose(np.log(found.probabilities[:-1]), forced.logprobs, atol=1e-3)


def test_rows_sum_to_one_and_the_masked_future_is_exactly_zero() -> None:
    found = pair()
    for maps in (found.encoder, found.decoder, found.cross):
        np.testing.assert_allclose(maps.sum(axis=-1), 1, atol=1e-5)
    assert not np.triu(found.decoder, 1).any()
    assert np.triu(found.encoder, 1).any()


def test_a_masked_decoder_cannot_know_its_last_word_and_one_that_looks_ahead_does() -> None:
    words = pair().words[:-1]
    masked, ahead = pair(words=words), pair(words=words, ahead=True)
    assert moved_before(masked.probabilities, masked.other) < 1e-6 < moved_before(ahead.probabilities, ahead.other)
    assert share_ahead(masked.decoder) == 0 < share_ahead(ahead.decoder)
    np.testing.assert_allclose(ahead.decoder.sum(axis=-1), 1, atol=1e-5)
    assert ahead.ahead


def test_painted_cells_are_exactly_zero() -> None:
    words = pair().words[:-1]
    change = Changes(encoder=Ablation(hidden=((0, 1),)), decoder=Ablation(hidden=((1, 0),)))
    found = pair(words=words, change=change)
    assert not found.encoder[:, :, 0, 1].any()
    assert not found.decoder[:, :, 1, 0].any()


def test_the_last_row_of_the_lens_is_what_the_net_says() -> None:
    found = pair()
    assert len(found.lens.tops) == 3
    for said, word, chance in zip(found.lens.tops[-1], found.words, found.probabilities, strict=True):
        if dict(said).get(word) is not None:
            assert dict(said)[word] == pytest.approx(float(chance), abs=1e-5)
        assert [share for _, share in said] == sorted((share for _, share in said), reverse=True)


def test_a_net_without_self_attention_and_a_text_without_words_are_told() -> None:
    with pytest.raises(UserError, match="no self-attention"):
        pair(a_translator())
    with pytest.raises(UserError, match="1 to 60"):
        pair(sentence="palabra " * 80)
