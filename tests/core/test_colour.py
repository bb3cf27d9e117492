"""How weights become strengths, what lies below a map, and where a colour range ends."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.traces import with_maps
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.core import lens
from attnviewer.core.colour import DIMMED, FADED, GROUNDS, ground, shade, strength

SIDE, FINE = 14, 560


def sky(seed: int) -> np.ndarray:
    """A map with one sharp peak in the lower half, and hardly any attention in the upper one."""
    rng = np.random.default_rng(seed)
    map_ = np.zeros((SIDE, SIDE))
    map_[:7] = rng.uniform(0, 0.3 / SIDE**2, (7, SIDE))
    map_[10, seed % SIDE] = 1 - map_.sum()
    return map_.ravel()


@given(st.floats(0, 1), st.floats(0.01, 1))
def test_strength_rises_from_none_to_all_and_stays_there(weight: float, high: float) -> None:
    low, own, more = strength([0.0, weight, 1.0], high)
    assert (low, more) == (0, 1)
    assert own == pytest.approx(min(weight / high, 1) ** 0.5, abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_a_smooth_map_has_no_edge_where_hardly_any_attention_is(seed: int) -> None:
    strengths = shade(sky(seed), SIDE, SIDE, FINE, FINE, 0.2)[: FINE * 6 // SIDE]
    for axis in (0, 1):
        assert abs(np.diff(strengths, axis=axis)).max() < 2 / 255


def test_the_curve_is_put_on_the_cells_not_on_what_is_drawn_between() -> None:
    assert shade([0, 1], 1, 2, 1, 4, 1.0)[0] == pytest.approx([0, 0.25, 0.75, 1])
    assert shade([0, 0.25], 1, 2, 1, 4, 1.0)[0] == pytest.approx([0, 0.125, 0.375, 0.5])


def test_grounds_keep_the_shape_and_do_what_their_name_says() -> None:
    photo = np.array([[[200, 30, 90], [0, 0, 0], [255, 255, 255]]], np.uint8)
    grey, dim, colour, spotlight = (ground(photo, kind) for kind in GROUNDS)
    assert (grey == grey[..., :1]).all()
    assert grey[0, 1:, 0].tolist() == [round(255 * (1 - FADED)), 255]
    assert dim[0, 0].tolist() == [round(channel * DIMMED) for channel in (200, 30, 90)]
    assert colour is photo
    assert spotlight is photo


def ranged(*peaks: float) -> lens.Range:
    """The range over words with these peaks on a hundred places."""
    maps = np.array([[peak, *[(1 - peak) / 99] * 99] for peak in peaks])
    return lens.colour_range(with_maps(maps, 10, 10))


def test_one_word_that_looks_very_hard_does_not_take_the_range() -> None:
    found = ranged(0.52, 0.1, 0.12, 0.08, 0.11, 0.1, 0.09, 0.1)
    assert found.high < 0.2
    assert found.peak == pytest.approx(0.52)
    assert found.clipped
    assert strength([0.1], found.high)[0] > 0.7


@pytest.mark.parametrize("peaks", [(0.52, 0.4, 0.45, 0.5, 0.3), (0.9, 0.02, 0.02), (0.2, 0.2, 0.2, 0.2)])
def test_without_an_outlier_the_range_ends_at_the_largest_weight(peaks: tuple[float, ...]) -> None:
    found = ranged(*peaks)
    assert found.high == pytest.approx(max(peaks))
    assert not found.clipped


def test_a_range_of_one_word_is_its_own() -> None:
    maps = np.array([[peak, *[(1 - peak) / 99] * 99] for peak in (0.6, 0.05, 0.05, 0.05, 0.05)])
    assert lens.colour_range(with_maps(maps, 10, 10), word=0).high == pytest.approx(0.6)
