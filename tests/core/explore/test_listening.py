"""How far a place listens, counted by hand on small grids."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.core.explore.listening import Listening, by_distance, distances
from attnviewer.core.trace import frozen


def heard(*heads: object, row: int = 1, column: int = 1) -> Listening:
    return Listening("net", 0, row, column, frozen(np.array(heads, np.float32)))


def test_distances_are_those_of_a_king() -> None:
    assert distances(3, 0, 0).tolist() == [[0, 1, 2], [1, 1, 2], [2, 2, 2]]
    assert distances(3, 1, 1).tolist() == [[1, 1, 1], [1, 0, 1], [1, 1, 1]]


def test_weights_add_up_by_distance() -> None:
    weights = np.arange(16).reshape(4, 4) / 120
    assert by_distance(weights, 0, 0) == pytest.approx((0, 10 / 120, 35 / 120, 75 / 120))


def test_all_that_a_small_kernel_reaches_is_not_beyond() -> None:
    near = np.zeros((4, 4))
    near[:3, :3] = 1 / 9
    far = np.zeros((4, 4))
    far[3, 3] = 1
    assert heard(near).beyond == pytest.approx(0, abs=1e-6)
    assert heard(far).beyond == pytest.approx(1)
    assert heard(near, far).beyond == pytest.approx(0.5)
    assert [round(sum(one[:2]), 6) for one in heard(near, far).by_head] == [1, 0]


def test_equal_weights_are_counted_by_cells() -> None:
    assert heard(np.eye(4) / 4, row=0, column=0).even == pytest.approx((1 / 16, 3 / 16, 5 / 16, 7 / 16))


def test_the_reach_of_a_kernel_ends_at_the_edge() -> None:
    assert heard(np.eye(4) / 4).near == (0, 0, 3, 3)
    assert heard(np.eye(4) / 4, row=0, column=3).near == (2, 0, 4, 2)


@given(st.integers(1, 9), st.data())
def test_shares_sum_to_1_wherever_the_place_is(side: int, data: st.DataObject) -> None:
    row, column = (data.draw(st.integers(0, side - 1)) for _ in range(2))
    weights = np.random.default_rng(side).dirichlet(np.ones(side * side)).reshape(side, side)
    shares = by_distance(weights, row, column)
    assert sum(shares) == pytest.approx(1)
    assert len(shares) == max(row, column, side - 1 - row, side - 1 - column) + 1
