"""Where tokens stand: waves, what two places have in common, and a query for a place beside."""

from __future__ import annotations

import numpy as np
import pytest

from attnviewer.core.transformer.positions import (
    alike,
    apart,
    looks_aside,
    moved,
    put_back,
    shuffled_order,
    sinusoidal,
    sinusoidal_2d,
)
from attnviewer.core.transformer.unrolled import by_distance


def test_the_first_places_of_four_numbers_are_those_of_the_formula() -> None:
    found = sinusoidal(3, 4)
    one, two = [np.sin(1), np.sin(0.01), np.cos(1), np.cos(0.01)], [np.sin(2), np.sin(0.02), np.cos(2), np.cos(0.02)]
    np.testing.assert_allclose(found, [[0, 0, 1, 1], one, two], atol=1e-6)


def test_likeness_of_waves_depends_on_the_distance_alone() -> None:
    pairs = alike(sinusoidal(20, 32))
    for distance, mean in enumerate(by_distance(pairs)):
        np.testing.assert_allclose(np.diagonal(pairs, distance), mean, atol=1e-5)


def test_inner_products_count_lengths_and_cosines_do_not() -> None:
    vectors = np.array([[3, 4], [6, 8], [0, 2]], np.float32)
    np.testing.assert_allclose(alike(vectors), [[1, 1, 0.8], [1, 1, 0.8], [0.8, 0.8, 1]], atol=1e-6)
    np.testing.assert_allclose(alike(vectors, dot=True), [[25, 50, 8], [50, 100, 16], [8, 16, 4]], atol=1e-5)


@pytest.mark.parametrize("by", [-3, 0, 2])
def test_one_matrix_moves_every_place(by: int) -> None:
    vectors = sinusoidal(30, 16)
    np.testing.assert_allclose(moved(vectors, by)[5:20], vectors[5 + by : 20 + by], atol=1e-5)


def test_a_head_can_ask_for_two_to_the_left() -> None:
    weights = looks_aside(sinusoidal(24, 64), -2)
    np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-5)
    assert (weights[2:].argmax(axis=1) == np.arange(22)).all()


def test_a_place_of_a_photo_has_its_row_in_one_half_and_its_column_in_the_other() -> None:
    found = sinusoidal_2d(2, 3, 8)
    np.testing.assert_array_equal(found[4], np.concatenate((sinusoidal(2, 4)[1], sinusoidal(3, 4)[1])))
    assert found.shape == (6, 8)


def test_shuffled_tokens_are_put_back_and_their_edges_stay() -> None:
    order = shuffled_order(6, seed=1)
    assert (order[0], order[-1], sorted(order)) == (0, 5, list(range(6)))
    assert list(order) != list(range(6))
    vectors = np.arange(12, dtype=np.float32).reshape(6, 2)
    np.testing.assert_array_equal(put_back(vectors[order], order), vectors)


@pytest.mark.parametrize("seed", range(20))
def test_two_words_always_change_places(seed: int) -> None:
    assert list(shuffled_order(4, seed)) == [0, 2, 1, 3]


def test_the_largest_difference_of_each_token_is_told() -> None:
    one, other = np.array([[1, 2], [3, 4]], np.float32), np.array([[1, 2.5], [3, 4]], np.float32)
    np.testing.assert_array_equal(apart(one, other), [0.5, 0])
