"""What a decoder saw of words to come, what of it mattered, and cells that are painted."""

from __future__ import annotations

import numpy as np
import pytest

from attnviewer.core.transformer.pair import MEAN, moved_before, one_map, sees_something, share_ahead, turned


def test_one_map_is_that_of_a_head_or_the_mean_of_its_layer() -> None:
    maps = np.arange(8, dtype=np.float32).reshape(1, 2, 2, 2)
    np.testing.assert_array_equal(one_map(maps, 0, 1), [[4, 5], [6, 7]])
    np.testing.assert_array_equal(one_map(maps, 5, MEAN), [[2, 3], [4, 5]])


def test_what_lies_above_the_diagonal_is_ahead() -> None:
    maps = np.array([[[[0.25, 0.75], [0.5, 0.5]]]], np.float32)
    assert share_ahead(maps) == pytest.approx(0.375)
    assert share_ahead(np.tril(maps)) == 0


def test_the_word_that_was_put_in_place_of_another_is_left_out() -> None:
    assert moved_before(np.array([0.9, 0.5, 0.1], np.float32), np.array([0.8, 0.5, 0.9], np.float32)) == pytest.approx(
        0.1
    )
    assert moved_before(np.array([0.9, 0.5]), np.array([np.nan, np.nan])) == 0


def test_cells_are_hidden_and_shown_again() -> None:
    assert turned(((1, 0),), (0, 2), hide=True) == ((0, 2), (1, 0))
    assert turned(((0, 2), (1, 0)), (0, 2), hide=False) == ((1, 0),)


def test_a_row_is_left_one_cell() -> None:
    assert sees_something(((1, 0),), 1, 2)
    assert not sees_something(((1, 0), (1, 1), (0, 0)), 1, 2)
