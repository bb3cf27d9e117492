"""The brush: soft, round, wherever it goes, and a distribution in the end."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from attnviewer.core.brush import one_cell, painted, stroke

SHARES = some.floats(0, 1)
POINTS = some.lists(some.tuples(SHARES, SHARES), min_size=1, max_size=5)
quick = settings(max_examples=50, deadline=None)


@quick
@given(points=POINTS, size=some.floats(0.005, 0.6))
def test_a_stroke_leaves_something_wherever_it_goes(points: list[tuple[float, float]], size: float) -> None:
    left = stroke(points, size, 14, 14)
    assert left.shape == (196,)
    assert 0 < left.max() <= 1
    assert (left >= 0).all()


def test_the_brush_is_strongest_in_its_middle_and_ends() -> None:
    left = stroke([(0.5, 0.5)], 0.3, 15, 15).reshape(15, 15)
    assert left.argmax() == 7 * 15 + 7
    assert left[7, 7] > left[7, 8] > left[7, 9] > 0
    assert left[0, 0] == 0


def test_the_brush_is_round_on_a_wide_photo() -> None:
    left = stroke([(0.5, 0.5)], 0.25, 40, 40, shape=2.0).reshape(40, 40)
    across, down = (left[20] > 0).sum(), (left[:, 20] > 0).sum()
    assert down == pytest.approx(2 * across, abs=2)


def test_a_stroke_goes_straight_between_its_points() -> None:
    left = stroke([(0.1, 0.45), (0.9, 0.45)], 0.05, 10, 10).reshape(10, 10)
    assert (left[4, 1:9] > 0.5).all()


@quick
@given(points=POINTS, strength=some.floats(0, 1))
def test_a_painted_map_is_a_distribution(points: list[tuple[float, float]], strength: float) -> None:
    own = np.random.default_rng(0).random(196)
    found = painted(own, stroke(points, 0.2, 14, 14), strength)
    assert found.sum() == pytest.approx(1)
    assert (found >= 0).all()


def test_strength_is_the_share_that_goes_where_the_brush_went() -> None:
    own, brush = one_cell(0, 4), one_cell(3, 4)
    assert painted(own, brush, 0.75).tolist() == [0.25, 0, 0, 0.75]
    assert painted(own, brush, 0.0).tolist() == own.tolist()
    assert painted(own, brush, 1.0).tolist() == brush.tolist()
