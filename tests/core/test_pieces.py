"""Word pieces joined to whole words."""

from __future__ import annotations

import numpy as np
import pytest

from attnviewer.core.attend import AttendTrace, attend_trace
from attnviewer.core.pieces import whole_words
from attnviewer.core.trace import Grid, Tokens

WEIGHTS = np.random.default_rng(3).dirichlet(np.ones(4), size=(2, 3, 4)).astype(np.float32)  # [N, H, T, L]


def made(**options: object) -> AttendTrace:
    return attend_trace("m", "a unwell b", ("a", "un", "##well", "b"), WEIGHTS, pieces=(0, 1, 1, 2), **options)  # type: ignore[arg-type]


def test_rows_are_averaged_and_columns_summed() -> None:
    trace, joined = made(), whole_words(made())
    assert joined.words == ("a", "unwell", "b")
    assert joined.locations == Tokens(("a", "unwell", "b"))
    assert joined.weights[0, :, 1] == pytest.approx(trace.weights[0, :, 1] + trace.weights[0, :, 2], abs=1e-6)
    rows = trace.weights[1:3].mean(axis=0)
    assert joined.weights[1, :, 0] == pytest.approx(rows[:, 0], abs=1e-6)
    assert joined.weights.sum(-1) == pytest.approx(1, abs=1e-5)
    assert "joined" in joined.notes[0]


def test_whole_words_stay_as_they_are() -> None:
    trace = attend_trace("m", "a b", ("a", "b"), WEIGHTS[..., :2, :2] / WEIGHTS[..., :2, :2].sum(-1, keepdims=True))
    assert whole_words(trace) is trace


def test_special_tokens_are_never_joined() -> None:
    trace = attend_trace("m", "", ("[CLS]", "[SEP]", "x", "y"), WEIGHTS, pieces=(None, None, 0, 1))
    assert whole_words(trace) is trace


def test_the_words_of_a_caption_over_a_picture_are_joined_by_their_marks() -> None:
    trace = made(words=("a", "un", "##well", "b"), locations=Grid(2, 2, (0, 0, 4, 4)))
    joined = whole_words(trace)
    assert joined.words == ("a", "unwell", "b")
    assert joined.locations == trace.locations
    assert joined.weights[1] == pytest.approx(trace.weights[1:3].mean(axis=0), abs=1e-6)
