"""Faithfulness: areas averaged by order, with their errors."""

from __future__ import annotations

import numpy as np
import pytest

from attnviewer.core.explore.findings import Matter
from attnviewer.core.trace import frozen
from attnviewer.measure.faithfulness import summed


def a_finding(attention: float, random: float) -> Matter:
    areas = {"attention": attention, "random": random}
    curves = dict.fromkeys(areas, (1.0, 0.0))
    return Matter(("a", "dog"), 1, 0.9, {"attention": frozen(np.ones(4))}, curves, curves, areas, areas, None)


def test_areas_are_averaged_by_order_with_their_errors() -> None:
    found = summed([a_finding(0.2, 0.5), a_finding(0.4, 0.5)])
    assert found["attention"]["deletion"] == pytest.approx((0.3, 0.1))
    assert found["attention"]["insertion"] == pytest.approx((0.3, 0.1))
    assert found["random"]["deletion"] == pytest.approx((0.5, 0.0))


def test_how_often_an_order_beats_random_is_counted() -> None:
    found = summed([a_finding(0.2, 0.5), a_finding(0.6, 0.5)])
    assert found["attention"]["beats random"][0] == 0.5
    assert found["random"]["beats random"][0] == 0
