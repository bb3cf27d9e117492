"""Heads off or uniform, masks, positions and residuals off inside translations and captions by Transformers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers.nets import annotations
from helpers.runs import PICTURE, a_model
from helpers.transformers import a_looker, a_transformer
from helpers.translators import SENTENCE, assert_equal, whole

from attnviewer.core.ablation import Ablation, Changes
from attnviewer.core.errors import UserError
from attnviewer.core.images import Picture
from attnviewer.core.jobs import outcome
from attnviewer.core.request import CaptionRequest, Decoding, TranslateRequest
from attnviewer.core.rerun import request_of
from attnviewer.core.trace import Trace
from attnviewer.core.tracefiles import save_trace
from attnviewer.runs.caption import caption, caption_all
from attnviewer.runs.translate import translate, translate_all

GIVEN = ("the", "dog", "sleeps", ".")
CHANGES = {
    "head off": Changes(cross=Ablation(off=((0, 1),))),
    "all heads off": Changes(cross=Ablation(off=((0, 0), (0, 1), (1, 0), (1, 1)))),
    "uniform": Changes(encoder=Ablation(uniform=((0, 0),))),
    "mask": Changes(encoder=Ablation(mask="future")),
    "cell": Changes(encoder=Ablation(hidden=((0, 1),))),
    "positions": Changes(Ablation(positions=False), Ablation(positions=False)),
    "residuals": Changes(cross=Ablation(residuals=False)),
    "tied": Changes(decoder=Ablation(tied=True)),
}


def captioned(**asked: object) -> Trace:
    model = replace(a_model(), net=a_looker())  # type: ignore[arg-type]
    request = CaptionRequest(PICTURE, decoding=Decoding(max_words=5), **asked)  # type: ignore[arg-type]
    return outcome(caption(request, model, annotations()))


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_each_change_reaches_the_translation(change: Changes) -> None:
    model = a_transformer()
    plain, changed = (whole(model=model, words=GIVEN, change=one) for one in (None, change))
    assert not np.allclose(plain.logprobs, changed.logprobs, atol=1e-6)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_each_change_reaches_the_caption(change: Changes) -> None:
    words = ("w1", "w2", "w3")
    assert not np.allclose(captioned(words=words).logprobs, captioned(words=words, change=change).logprobs, atol=1e-6)


def test_a_uniform_head_has_equal_weights() -> None:
    found = whole(model=a_transformer(), words=GIVEN, change=Changes(cross=Ablation(uniform=((1, 0),))))
    np.testing.assert_allclose(found.weights[:, 2], 1 / len(found.locations), atol=1e-6)


@pytest.mark.parametrize(("name", "suffix"), [*((name, ".json") for name in CHANGES), ("mask", ".npz")])
def test_a_saved_trace_runs_again_to_equal_arrays(tmp_path: Path, name: str, suffix: str) -> None:
    change = CHANGES[name]
    model = a_transformer()
    trace = whole(model=model, decoding=Decoding(beam=3), change=change)
    save_trace(trace, tmp_path / f"t{suffix}")
    request = request_of(Trace.load(tmp_path / f"t{suffix}"))
    assert isinstance(request, TranslateRequest)
    assert request.change == change
    assert_equal(outcome(translate(request, model)), trace)


def test_a_saved_caption_runs_again_to_equal_arrays(tmp_path: Path) -> None:
    trace = captioned(change=CHANGES["positions"])
    save_trace(trace, tmp_path / "t.json")
    request = request_of(Trace.load(tmp_path / "t.json"), PICTURE)
    assert isinstance(request, CaptionRequest)
    again = outcome(caption(request, replace(a_model(), net=a_looker()), annotations()))  # type: ignore[arg-type]
    np.testing.assert_array_equal(again.weights, trace.weights)
    np.testing.assert_array_equal(again.logprobs, trace.logprobs)


@pytest.mark.parametrize("name", ["head off", "mask"])
def test_side_by_side_is_as_alone(name: str) -> None:
    model, change = a_transformer(), CHANGES[name]
    texts = [SENTENCE, "El gato duerme.", "La casa."]
    asked = [TranslateRequest(text, decoding=Decoding(beam=3), change=change) for text in texts]
    for request, trace in zip(asked, outcome(translate_all(asked, model)), strict=True):
        alone = outcome(translate(request, model))
        assert trace.words == alone.words
        np.testing.assert_allclose(trace.weights, alone.weights, atol=1e-5)
    looker = replace(a_model(), net=a_looker())  # type: ignore[arg-type]
    photo = CaptionRequest(PICTURE, decoding=Decoding(max_words=5, beam=2), change=change)
    (together,) = caption_all([photo], looker, annotations())
    np.testing.assert_allclose(together.weights, outcome(caption(photo, looker, annotations())).weights, atol=1e-5)


def test_a_recurrent_net_has_nothing_to_change() -> None:
    with pytest.raises(UserError, match="inside a Transformer"):
        whole(change=CHANGES["head off"])
    with pytest.raises(UserError, match="inside a Transformer"):
        outcome(caption(CaptionRequest(PICTURE, change=CHANGES["mask"]), a_model(), annotations()))


def test_a_head_that_is_not_there_is_named() -> None:
    with pytest.raises(UserError, match=r"no head 7\.0"):
        whole(model=a_transformer(), change=Changes(decoder=Ablation(off=((7, 0),))))


def test_another_photo_than_the_one_of_the_trace_is_refused() -> None:
    other = Picture(np.full((40, 60, 3), 9, np.uint8))
    with pytest.raises(UserError, match="another photo"):
        request_of(captioned(), other)
    with pytest.raises(UserError, match="isn't at hand"):
        request_of(captioned())


def test_a_trace_that_was_not_run_here_says_so() -> None:
    with pytest.raises(UserError, match="made with"):
        request_of(replace(captioned(), request={}))
    with pytest.raises(UserError, match="damaged"):
        request_of(replace(captioned(), request={"task": "translate", "sentence": "El gato", "change": {"x": {}}}))
