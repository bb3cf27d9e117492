"""The maths of the views: no mass moves, nothing is negative, ranges and figures are right."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers.traces import a_trace, grid, with_maps
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attnviewer.core import lens
from attnviewer.core.trace import Grid, Source, Step, Tokens, Trace

sizes = st.integers(1, 6)


@st.composite
def grid_maps(draw: st.DrawFn) -> np.ndarray:
    values = draw(hnp.arrays(np.float64, (draw(sizes), draw(sizes)), elements=st.floats(0, 1)))
    values[0, 0] += 0.01
    return values / values.sum()


def blank() -> Trace:
    """A trace of two words without attention."""
    steps = tuple(Step(word, -1.0, np.zeros((0, 12))) for word in ("a", "dog"))
    return Trace("caption", "tiny", Source("image", None, 80, 60), grid(), (), steps)


@given(grid_maps(), st.integers(1, 5), st.integers(1, 5))
def test_upsampling_by_whole_factors_keeps_the_mass(p: np.ndarray, down: int, across: int) -> None:
    rows, columns = p.shape
    drawn = lens.upsample(p, rows, columns, rows * down, columns * across)
    assert drawn.sum() / (down * across) == pytest.approx(1, abs=1e-5)


@given(grid_maps(), st.integers(1, 40), st.integers(1, 40))
def test_upsampling_stays_within_the_values_of_the_map(p: np.ndarray, height: int, width: int) -> None:
    drawn = lens.upsample(p, *p.shape, height, width)
    assert drawn.shape == (height, width)
    assert drawn.min() >= p.min() - 1e-6
    assert drawn.max() <= p.max() + 1e-6


@given(grid_maps(), st.integers(1, 20), st.integers(1, 20))
def test_upsampling_commutes_with_mirroring(p: np.ndarray, height: int, width: int) -> None:
    drawn = lens.upsample(p, *p.shape, height, width)
    mirrored = lens.upsample(p[::-1, ::-1], *p.shape, height, width)
    assert mirrored[::-1, ::-1] == pytest.approx(drawn, abs=1e-6)


@pytest.mark.parametrize("size", [(60, 30), (30, 60), (300, 40), (14, 14), (15, 29)])
@pytest.mark.parametrize("location", [0, 13, 90, 182, 195])
def test_the_peak_lies_in_its_own_cell_at_any_aspect(size: tuple[int, int], location: int) -> None:
    width, height = size
    drawn = lens.upsample(np.arange(196) == location, 14, 14, height, width)
    y, x = np.unravel_index(int(drawn.argmax()), drawn.shape)
    left, top, right, bottom = lens.cell_rect(Grid(14, 14, (0, 0, width, height)), location)
    assert left <= x + 0.5 <= right
    assert top <= y + 0.5 <= bottom


def test_upsampling_two_cells_by_hand() -> None:
    assert lens.upsample([0, 1], 1, 2, 1, 4).tolist() == [[0, 0.25, 0.75, 1]]


def test_fewer_pixels_than_cells_take_the_mean_of_what_they_cover() -> None:
    assert lens.upsample([0, 1, 2, 3], 1, 4, 1, 2).tolist() == [[0.5, 2.5]]


def test_raw_cells_are_row_major() -> None:
    assert lens.cells([0, 1, 2, 3, 4, 5], 2, 3).tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize(("share", "told"), [(0.99, True), (0.975, True), (0.965, False), (0.85, False)])
def test_maps_are_nearly_uniform_from_97_hundredths_of_the_most_entropy_on(share: float, told: bool) -> None:
    even, peaked = np.full(16, 1 / 16), np.eye(16)
    low, high = 0.0, 1.0  # how far from even; found by halving
    for _ in range(50):
        middle = (low + high) / 2
        row = (1 - middle) * even + middle * peaked[0]
        low, high = (middle, high) if lens.normalized_entropy(row) > share else (low, middle)
    maps = [(1 - low) * even + low * peaked[place] for place in (0, 5, 10)]
    assert ("nearly uniform" in str(lens.badge(with_maps(np.stack(maps), 4, 4)))) is told


def test_one_range_serves_all_words_and_marks_the_uniform_level() -> None:
    trace = with_maps(np.array([[1, 1, 1, 1], [0, 0, 1, 9]]), 2, 2)
    assert lens.colour_range(trace) == lens.Range(high=pytest.approx(0.9), uniform=0.25)
    assert lens.colour_range(trace, word=0).high == pytest.approx(0.25)
    assert lens.colour_range(trace).low == 0


def test_without_attention_there_are_no_maps_and_the_range_is_whole() -> None:
    trace = blank()
    assert lens.maps(trace).shape == (0, 12)
    assert lens.word_map(trace, 1) is None
    assert lens.colour_range(trace).high == 1
    assert lens.facts(trace, 1) is None
    assert lens.badge(trace) is None


def test_the_head_mean_is_a_distribution_and_single_heads_are_kept() -> None:
    trace = a_trace(heads=("a", "b", "c"))
    assert lens.maps(trace).sum(axis=1) == pytest.approx(np.ones(7), abs=1e-5)
    assert np.array_equal(lens.maps(trace, 2), trace.weights[:, 2])
    assert np.array_equal(lens.word_map(trace, 3), lens.maps(trace)[3])


@pytest.mark.parametrize(
    ("p", "bits", "share"), [([1, 0, 0, 0], 0, 0), ([0.25] * 4, 2, 1), ([0.5, 0.5, 0, 0], 1, 0.5), ([1], 0, 0)]
)
def test_entropy_by_hand(p: list[float], bits: float, share: float) -> None:
    assert lens.entropy(p) == pytest.approx(bits)
    assert lens.normalized_entropy(p) == pytest.approx(share)


@given(grid_maps(), st.randoms())
def test_entropy_does_not_depend_on_order_and_has_its_bounds(p: np.ndarray, random: st.DataObject) -> None:
    shuffled = p.ravel().tolist()
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert lens.entropy(shuffled) == pytest.approx(lens.entropy(p), abs=1e-9)
    assert 0 <= lens.normalized_entropy(p) <= 1


def test_distances_between_maps_by_hand() -> None:
    trace = with_maps(np.array([[1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0]]), 2, 2)
    assert lens.distances(trace) == pytest.approx([1, 0.5])
    assert lens.distance([1, 0], [1, 0]) == 0


def test_a_badge_says_when_the_maps_say_little() -> None:
    rng = np.random.default_rng(0)
    flat, still, lively = np.ones((4, 16)), np.tile(rng.random(16) ** 4, (4, 1)), np.eye(16)[:4]
    assert "nearly uniform" in str(lens.badge(with_maps(flat + rng.random((4, 16)) / 10, 4, 4)))
    assert "hardly changes" in str(lens.badge(with_maps(still, 4, 4)))
    assert lens.badge(with_maps(lively, 4, 4)) is None
    assert lens.badge(with_maps(still[:1], 4, 4)) is None
    assert lens.badge(a_trace(words=())) is None


def test_facts_of_a_word() -> None:
    trace = with_maps(np.array([[1, 0, 0, 0], [0, 0, 3, 1]]), 2, 2)
    first, second = lens.facts(trace, 0), lens.facts(trace, 1)
    assert first == lens.Facts(0, 1.0, 0.0, 0.0, None, None, None)
    assert second is not None
    assert (second.peak, second.weight, second.moved) == (2, 0.75, 1.0)


def test_the_share_inside_boxes_counts_a_half_covered_cell_half() -> None:
    p = [0.5, 0.5, 0, 0]
    assert lens.inside(p, [[0, 0, 0.25, 1]], 2, 2) == pytest.approx(0.25)
    assert lens.inside(p, [[0, 0, 1, 0.5], [0, 0, 1, 0.5]], 2, 2) == pytest.approx(1)
    assert lens.inside(p, [], 2, 2) == 0


@given(sizes, sizes, st.data())
def test_a_cell_is_found_at_its_own_centre(rows: int, columns: int, data: st.DataObject) -> None:
    where = Grid(rows, columns, (10, 5, 73, 44))
    location = data.draw(st.integers(0, len(where) - 1))
    left, top, right, bottom = lens.cell_rect(where, location)
    assert lens.cell_at(where, (left + right) / 2, (top + bottom) / 2) == location


@pytest.mark.parametrize("point", [(9, 20), (73, 20), (20, 4), (20, 44)])
def test_no_cell_lies_outside_the_extent(point: tuple[float, float]) -> None:
    assert lens.cell_at(Grid(3, 3, (10, 5, 73, 44)), *point) is None


def test_what_each_word_gave_to_a_location() -> None:
    trace = a_trace()
    assert np.array_equal(lens.looked(trace, 5), trace.weights[:, 0, 5])


def test_origins_take_the_place_of_the_maps_that_chose_the_words() -> None:
    step = Step("dog", -0.1, np.array([[0.9, 0.1]], np.float32), scores=np.zeros((1, 2)), origin=np.array([0.2, 0.8]))
    trace = Trace("translate", "m", Source("text", text="un perro"), Tokens(("un", "perro")), ("attention",), (step,))
    found = lens.origins(trace)
    assert found is not None
    assert (found.heads, found.words, found.scores) == ((lens.ORIGIN,), ("dog",), None)
    np.testing.assert_allclose(found.weights, [[[0.2, 0.8]]])
    assert lens.origins(replace(trace, steps=(step, replace(step, origin=None)))) is None
    assert lens.origins(replace(trace, steps=())) is None


@pytest.mark.parametrize("origin", [[0.5, 0.6], [-0.5, 1.5], [float("nan"), 1.0]])
def test_an_origin_is_a_distribution(origin: list[float]) -> None:
    with pytest.raises(ValueError, match="an origin must be"):
        Step("dog", -0.1, np.array([[0.9, 0.1]], np.float32), origin=np.array(origin))
