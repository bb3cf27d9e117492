"""The invariants of steps, traces and requests."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from helpers.pictures import corners
from helpers.traces import a_trace, grid

from attnviewer.core import paths
from attnviewer.core.errors import UserError
from attnviewer.core.images import Picture, load_picture
from attnviewer.core.request import Decoding
from attnviewer.core.trace import Source, Step, Tokens, Trace


@pytest.mark.parametrize("row", [[0.5, 0.4], [1.5, -0.5], [math.nan, 1], [math.inf, 0]])
def test_weights_that_are_no_distribution_are_refused(row: list[float]) -> None:
    with pytest.raises(ValueError, match="sum to 1"):
        Step("dog", -0.1, [row])


def test_weights_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="shape"):
        Step("dog", -0.1, [0.5, 0.5])
    step = Step("dog", -0.1, [[0.5, 0.5]])
    with pytest.raises(ValueError, match="the trace needs"):
        Trace("caption", "m", Source("image"), grid(), ("attention",), (step,))


def test_arrays_cannot_be_written_to_and_do_not_follow_their_origin() -> None:
    origin = np.array([[0.5, 0.5]])
    step = Step("dog", -0.1, origin)
    origin[:] = 0
    assert step.weights.tolist() == [[0.5, 0.5]]
    with pytest.raises(ValueError, match="read-only"):
        step.weights[0, 0] = 1


def test_views_over_all_words_have_a_row_a_word() -> None:
    trace = a_trace(heads=("a", "b"))
    assert trace.text == "a brown dog runs on the grass"
    assert trace.weights.shape == (7, 2, 12)
    assert trace.scores is not None
    assert trace.scores.shape == (7, 2, 12)
    assert len(trace.logprobs) == len(trace.alternatives) == len(trace.sampled) == len(trace.gate) == 7
    assert not any(trace.forced)


def test_a_trace_without_words_is_empty_and_not_broken() -> None:
    trace = a_trace(words=())
    assert trace.text == ""
    assert trace.weights.shape == (0, 1, 12)
    assert trace.scores is None


def test_locations_have_a_length() -> None:
    assert len(grid(3, 4)) == 12
    assert len(Tokens(("a", "b"))) == 2


@pytest.mark.parametrize("beam", [0, 51, -1])
def test_a_beam_out_of_range_is_the_users_fault(beam: int) -> None:
    with pytest.raises(UserError, match=f"not {beam}"):
        Decoding(beam=beam)


def test_shipped_folders_are_found_in_a_checkout() -> None:
    assert (paths.resources_dir() / "trace.schema.json").is_file()
    assert paths.models_dir().name == "models"


def test_shipped_folders_inside_the_package_win(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "_data" / "models").mkdir(parents=True)
    monkeypatch.setattr(paths, "_PACKAGE", tmp_path)
    assert paths.models_dir() == tmp_path / "_data" / "models"


def test_a_picture_passes_through() -> None:
    picture = Picture(corners())
    assert load_picture(picture) is picture


@pytest.mark.parametrize("shape", [(4, 4), (4, 4, 4), (0, 4, 3)])
def test_a_picture_of_another_shape_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="height, width, 3"):
        Picture(np.zeros(shape, np.uint8))
