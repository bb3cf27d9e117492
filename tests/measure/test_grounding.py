"""Attention correctness and pointing on maps small enough to count by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.measure.correctness import BoxedWord, correctness, grounding, points

LEFT_HALF = [[0, 0, 0.5, 1]]
QUARTER_OF_A_CELL = [[0, 0, 0.25, 0.25]]


def test_correctness_is_the_mass_inside_the_boxes() -> None:
    assert correctness([0.4, 0.3, 0.2, 0.1], LEFT_HALF, 2, 2) == pytest.approx(0.6)


def test_a_cell_cut_by_a_box_counts_by_its_share() -> None:
    assert correctness([0.8, 0.2, 0, 0], QUARTER_OF_A_CELL, 2, 2) == pytest.approx(0.2)


@given(st.integers(1, 8), st.integers(1, 8))
def test_a_uniform_map_scores_the_area(rows: int, columns: int) -> None:
    boxes = [[0.1, 0.2, 0.6, 0.9], [0.5, 0.1, 0.8, 0.5]]
    uniform = np.full(rows * columns, 1 / (rows * columns))
    measured = grounding([BoxedWord(uniform, boxes, 0)], rows, columns)
    assert measured.correctness == pytest.approx(measured.area, abs=1e-5)


def test_the_peak_points_by_the_centre_of_its_cell() -> None:
    assert points([0.1, 0.6, 0.3, 0], [[0.7, 0.2, 1, 0.3]], 2, 2)
    assert not points([0.1, 0.6, 0.3, 0], [[0.8, 0, 1, 1]], 2, 2)


def test_means_run_over_words_and_over_the_best_word_of_each_phrase() -> None:
    words = [
        BoxedWord([1, 0, 0, 0], LEFT_HALF, "dog"),
        BoxedWord([0, 1, 0, 0], LEFT_HALF, "dog"),
        BoxedWord([0.5, 0.5, 0, 0], LEFT_HALF, "ball"),
    ]
    measured = grounding(words, 2, 2)
    assert (measured.words, measured.phrases) == (3, 2)
    assert measured.correctness == pytest.approx(0.5)
    assert measured.correctness_best == pytest.approx(0.75)
    assert measured.area == pytest.approx(0.5)
    assert measured.pointing == pytest.approx(2 / 3)


def test_the_centre_baseline_asks_whether_the_middle_lies_in_a_box() -> None:
    words = [BoxedWord([1, 0, 0, 0], [[0.4, 0.4, 0.6, 0.6]], 0), BoxedWord([1, 0, 0, 0], [[0, 0, 0.3, 1]], 1)]
    assert grounding(words, 2, 2).centre == pytest.approx(0.5)


def test_nothing_to_measure_is_refused() -> None:
    with pytest.raises(ValueError, match="no words"):
        grounding([], 2, 2)
