"""The blend of photo and map: it sits where the model looked, on one colour range."""

import numpy as np
import pytest
from helpers.pictures import square
from helpers.traces import with_maps
from PIL import Image

from attnviewer.core.images import Picture
from attnviewer.core.trace import Floats, Grid, frozen
from attnviewer.export.options import Options
from attnviewer.export.paint import fade, lookup, overlay, photo_of, ramp, span


def one_hot(row: int, column: int, cells: int = 14) -> Floats:
    """All mass in one cell."""
    weights = np.zeros((cells, cells))
    weights[row, column] = 1
    return frozen(weights.ravel())


@pytest.mark.parametrize("size", [(60, 30), (30, 60), (300, 40), (28, 28)])
@pytest.mark.parametrize("cells", [False, True])
def test_the_peak_is_painted_where_the_model_looked(size: tuple[int, int], cells: bool) -> None:
    picture = square(*size, row=3, column=9)
    grid = Grid(14, 14, (0, 0, *size))
    black = Image.new("RGB", size)
    painted = overlay(black, one_hot(3, 9), grid, size, 1.0, Options(cells=cells))
    brightest = np.unravel_index(painted.sum(axis=2).argmax(), painted.shape[:2])
    assert picture.pixels[brightest].tolist() == [255, 255, 255]


def test_outside_the_extent_of_the_grid_there_is_the_photo_alone() -> None:
    photo = Image.new("RGB", (40, 20), (100, 100, 100))
    painted = overlay(photo, frozen(np.full(4, 0.25)), Grid(2, 2, (10, 0, 30, 20)), (40, 20), 0.25, Options())
    ground = round(float(fade(np.float32([100]))[0]))
    assert (painted[:, :10] == ground).all()
    assert (painted[:, 30:] == ground).all()
    assert (painted[:, 10:30] != ground).any(axis=2).all()


def test_cells_are_flat() -> None:
    painted = overlay(
        Image.new("RGB", (40, 40)),
        frozen([0.1, 0.2, 0.3, 0.4]),
        Grid(2, 2, (0, 0, 40, 40)),
        (40, 40),
        0.4,
        Options(cells=True),
    )
    assert len(np.unique(painted.reshape(-1, 3), axis=0)) == 4


def test_all_words_share_one_range_unless_asked_otherwise() -> None:
    trace = with_maps(np.array([[9, 1, 0, 0], [3, 3, 2, 2.0]]), 2, 2)
    assert span(trace, 0, Options()) == span(trace, 1, Options())
    wide = with_maps(np.eye(9)[:2] * 50 + np.array([[1], [20]]), 3, 3)
    assert span(wide, 0, Options(per_word=True)).high > span(wide, 1, Options(per_word=True)).high


def test_a_uniform_map_stays_low_on_the_scale() -> None:
    shown = span(with_maps(np.ones((2, 9)), 3, 3), 0, Options(per_word=True))
    assert shown.uniform / shown.high == pytest.approx(0.25)


def test_the_scale_never_promises_a_weight_above_1() -> None:
    assert span(with_maps(np.ones((2, 1)), 1, 1), 0, Options()).high == 1.0
    assert span(with_maps(np.ones((2, 2)), 1, 2), 0, Options()).high == 1.0


def test_the_scale_runs_from_the_ground_to_the_brightest_colour() -> None:
    colours = ramp(16, Options(opacity=1.0))
    assert np.ptp(colours[0].astype(int)) == 0
    np.testing.assert_allclose(colours[-1], lookup("inferno")[-1], atol=1)


def test_a_large_photo_is_made_smaller_and_a_missing_one_is_grey() -> None:
    trace = with_maps(np.ones((1, 4)), 2, 2)
    assert photo_of(trace, Picture(np.zeros((300, 600, 3), np.uint8)), 100).size == (100, 50)
    assert photo_of(trace, None, 100).getpixel((5, 5)) == (205, 205, 205)
