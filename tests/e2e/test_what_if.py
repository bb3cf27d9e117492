"""What if? With the models that ship: what is imposed is obeyed, and what was saved runs again to the same numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import attnviewer
from attnviewer.api import run
from attnviewer.core.again import again, compared, other_photo
from attnviewer.core.covers import Cover
from attnviewer.core.errors import UserError
from attnviewer.core.images import Picture, load_picture
from attnviewer.core.paths import resources_dir
from attnviewer.core.trace import Trace
from attnviewer.ui.whatif import OWN

PHOTO = sorted((resources_dir() / "images").glob("*.jpg"))[0]


@pytest.fixture(scope="module")
def picture() -> Picture:
    return load_picture(PHOTO)


@pytest.fixture(scope="module")
def own(picture: Picture) -> Trace:
    return attnviewer.caption(picture)


@pytest.mark.parametrize("suffix", [".json", ".npz"])
@pytest.mark.parametrize("mode", ["soft", "hard"])
def test_a_saved_trace_runs_again_to_equal_arrays(picture: Picture, tmp_path: Path, suffix: str, mode: str) -> None:
    said = attnviewer.caption(picture, attention=mode).words
    asked = OWN.with_word(1, "dog", said).with_look(3, np.arange(1.0, 197.0), said, rest=True)
    covers = [Cover((0.0, 0.5, 0.5, 1.0))]
    trace = attnviewer.caption(picture, attention=mode, interventions=asked.interventions, covers=covers, seed=3)
    trace.save(tmp_path / f"saved{suffix}")
    saved = Trace.load(tmp_path / f"saved{suffix}")
    assert not other_photo(saved, picture)
    made = run(again(saved, picture))
    assert made.words == saved.words
    assert np.array_equal(made.weights, saved.weights)
    assert np.array_equal(made.logprobs, saved.logprobs)
    assert made.sampled == saved.sampled
    assert "every weight is the same" in compared(saved, made, other=False)


def test_another_photo_is_noticed(picture: Picture, own: Trace) -> None:
    mirrored = picture.mirrored()
    assert other_photo(own, mirrored)
    assert "not the one" in compared(own, run(again(own, mirrored)), other=True)


def test_covering_nothing_changes_nothing(picture: Picture, own: Trace) -> None:
    for covers in ((), (Cover((0.5, 0.5, 0.5001, 0.5001)),)):
        trace = attnviewer.caption(picture, covers=covers)
        assert trace.words == own.words
        assert np.array_equal(trace.weights, own.weights)
        assert np.array_equal(trace.logprobs, own.logprobs)


def test_covering_all_changes_the_chances(picture: Picture, own: Trace) -> None:
    trace = attnviewer.caption(picture, words=own.words, covers=[Cover((0, 0, 1, 1))])
    assert not np.allclose(trace.logprobs, own.logprobs, atol=0.1)


def test_a_trace_that_does_not_say_how_it_was_made_is_refused(picture: Picture, own: Trace) -> None:
    from dataclasses import replace

    with pytest.raises(UserError, match="can't be run again"):
        again(replace(own, request={}), picture)
