"""A layer unrolled, and what layers cost."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.attend_engine import LAYERS, an_inside

from attnviewer.core.transformer.cost import costs
from attnviewer.core.transformer.unrolled import by_distance, cosine, kept, likeness, matched, parts, shares


def test_the_parts_of_a_layer_have_their_vectors_lengths_and_cosines() -> None:
    inside = an_inside(5)
    came, attended, _, fed, out = parts(inside, 1, 3)
    assert came.length == pytest.approx(np.linalg.norm(inside.hidden[1, 3]))
    assert came.agrees == pytest.approx(1)
    assert attended.length == pytest.approx(np.linalg.norm(inside.attended[1, 3]))
    assert fed.agrees == pytest.approx(cosine(inside.fed[1, 3], inside.hidden[1, 3]))
    assert out.length == pytest.approx(np.linalg.norm(inside.hidden[2, 3]))
    assert cosine(np.zeros(3), np.ones(3)) == 0


def test_before_the_first_layer_all_of_a_word_is_there() -> None:
    left = kept(an_inside(5))
    assert left.shape == (LAYERS + 1, 5)
    np.testing.assert_allclose(left[0], 1, atol=1e-6)
    assert shares(an_inside(5)).shape == (LAYERS, 2)


def test_likeness_is_1_with_itself_and_its_mean_by_distance_goes_along_diagonals() -> None:
    alike = likeness(np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 0.0]]))
    np.testing.assert_allclose(alike, [[1, 0, 1], [0, 1, 0], [1, 0, 1]], atol=1e-6)
    np.testing.assert_allclose(by_distance(alike), [1, 0, 1], atol=1e-6)


def test_words_of_two_texts_are_matched() -> None:
    assert matched(["the", "bank", "."], ["a", "bank", "the", "."]) == [(0, 2), (1, 1)]


def test_what_layers_cost_by_the_formulas() -> None:
    attention, recurrent, convolution = costs(10, 4)
    assert (attention.weights, attention.products, attention.memory) == (64, 640 + 800, 160 + 100)
    assert (recurrent.weights, recurrent.products, recurrent.steps) == (32, 320, 10)
    assert (convolution.weights, convolution.apart) == (48, 5)
    assert costs(1, 4)[2].apart == 1
    long = costs(4096, 64)
    assert long[0].products > long[1].products > long[2].products / 2
