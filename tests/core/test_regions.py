"""Boxes on a grid: hand-computed cells and properties of the coverage."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.core.regions import as_boxes, cell_centre, coverage, holds, union_area

unit = st.floats(0, 1, width=32)
box = st.tuples(unit, unit, unit, unit).map(
    lambda b: (min(b[0], b[2]), min(b[1], b[3]), max(b[0], b[2]), max(b[1], b[3]))
)
boxes = st.lists(box, max_size=5)


def test_a_box_over_half_a_cell_covers_half_of_it() -> None:
    assert coverage([[0, 0, 0.25, 0.5]], 2, 2).tolist() == [0.5, 0, 0, 0]


def test_overlapping_boxes_count_once() -> None:
    both = coverage([[0, 0, 0.75, 0.5], [0.25, 0, 1, 0.5]], 2, 2)
    assert both.tolist() == [1, 1, 0, 0]


def test_two_separate_boxes_in_one_cell_add_up() -> None:
    assert coverage([[0, 0, 0.25, 1], [0.5, 0, 1, 0.5]], 1, 1).tolist() == [0.5]


def test_no_boxes_cover_nothing() -> None:
    assert coverage([], 3, 4).tolist() == [0] * 12


def test_locations_run_along_the_rows() -> None:
    assert coverage([[0.75, 0, 1, 0.5]], 2, 4).argmax() == 3


def test_what_lies_outside_the_picture_is_cut_off() -> None:
    assert coverage([[-1, -1, 2, 0.5]], 2, 1).tolist() == [1, 0]


@given(boxes, st.integers(1, 9), st.integers(1, 9))
def test_the_cells_add_up_to_the_area_of_the_union(some: list[tuple[float, ...]], rows: int, columns: int) -> None:
    assert coverage(some, rows, columns).mean() == pytest.approx(union_area(some), abs=1e-5)


@given(boxes, boxes)
def test_more_boxes_never_cover_less(some: list[tuple[float, ...]], more: list[tuple[float, ...]]) -> None:
    assert (coverage(some + more, 5, 4) >= coverage(some, 5, 4) - 1e-6).all()


@given(box, st.integers(1, 7), st.integers(1, 7))
def test_one_box_covers_the_product_of_its_overlaps(one: tuple[float, ...], rows: int, columns: int) -> None:
    def overlaps(low: float, high: float, cells: int) -> np.ndarray:
        edge = np.arange(cells + 1) / cells
        return (np.minimum(edge[1:], high) - np.maximum(edge[:-1], low)).clip(0) * cells

    expected = np.outer(overlaps(one[1], one[3], rows), overlaps(one[0], one[2], columns)).ravel()
    np.testing.assert_allclose(coverage([one], rows, columns), expected, atol=1e-5)


def test_the_centre_of_a_cell_is_found() -> None:
    assert cell_centre(5, 2, 4) == (0.375, 0.75)


def test_a_point_is_held_by_any_of_the_boxes() -> None:
    pair = [[0, 0, 0.1, 0.1], [0.5, 0.5, 1, 1]]
    assert holds(pair, 0.6, 0.9)
    assert not holds(pair, 0.3, 0.3)
    assert not holds([], 0.5, 0.5)


@pytest.mark.parametrize("bad", [[[0, 0, 1]], [[0, 0, 1, float("nan")]]])
def test_boxes_of_another_shape_are_refused(bad: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="boxes must be"):
        as_boxes(bad)
