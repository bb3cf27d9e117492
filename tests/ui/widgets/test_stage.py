from __future__ import annotations

import numpy as np
import pyqtgraph as pg
import pytest
from helpers.pictures import square
from PySide6.QtCore import QPointF, QRectF
from pytestqt.qtbot import QtBot

from attnviewer.core.images import Picture
from attnviewer.core.trace import Grid, Source, Step, Trace
from attnviewer.ui.look import Look, field
from attnviewer.ui.widgets.stage import Stage, cell_rect

CELLS = 14
SIZES = [(60, 30), (30, 60), (300, 40)]


def peaked(width: int, height: int, location: int, sampled: int | None = None) -> Trace:
    weights = np.full((1, CELLS * CELLS), 0.2 / (CELLS * CELLS - 1), np.float32)
    weights[0, location] = 0.8
    step = Step("dog", -0.1, weights, sampled=sampled)
    grid = Grid(CELLS, CELLS, (0, 0, width, height))
    return Trace("caption", "tiny", Source("image", None, width, height), grid, ("attention",), (step,))


@pytest.fixture
def stage(qtbot: QtBot) -> Stage:
    made = Stage()
    qtbot.addWidget(made)
    made.resize(400, 300)
    made.show()
    return made


def shown(stage: Stage, picture: Picture, trace: Trace, look: Look) -> Stage:
    stage.show_picture(picture)
    stage.show_word(trace, 0, look)
    return stage


@pytest.mark.parametrize("smooth", [True, False], ids=["smooth", "cells"])
@pytest.mark.parametrize(("row", "column"), [(0, 0), (3, 11), (13, 13)])
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_peak_lies_in_the_white_square(
    stage: Stage, width: int, height: int, row: int, column: int, smooth: bool
) -> None:
    picture = square(width, height, row, column, CELLS)
    shown(stage, picture, peaked(width, height, row * CELLS + column), Look(smooth=smooth))
    image = stage.overlay.image[..., 3]  # how opaque
    top = np.argwhere(image == image.max())
    y, x = top[len(top) // 2]
    place = stage.overlay.mapToParent(QPointF(x + 0.5, y + 0.5))
    assert cell_rect(stage.grid, row * CELLS + column).contains(place)
    lit = np.argwhere(picture.pixels[:, :, 0] == 255)
    if len(lit):
        (low_y, low_x), (high_y, high_x) = lit.min(axis=0), lit.max(axis=0) + 1
        assert low_x - 1 <= place.x() <= high_x + 1
        assert low_y - 1 <= place.y() <= high_y + 1


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_photo_and_overlay_cover_the_same_pixels(stage: Stage, width: int, height: int) -> None:
    shown(stage, square(width, height, 3, 3), peaked(width, height, 5), Look())
    whole = QRectF(0, 0, width, height)
    for item in (stage.photo, stage.overlay):
        covered = item.mapRectToParent(item.boundingRect())
        assert (covered.width(), covered.height()) == pytest.approx((whole.width(), whole.height()))


def test_a_crop_is_drawn_where_the_model_looked(stage: Stage) -> None:
    trace = peaked(60, 30, 0)
    grid = Grid(CELLS, CELLS, (15.0, 0.0, 45.0, 30.0))
    cropped = Trace("caption", "tiny", trace.source, grid, trace.heads, trace.steps)
    shown(stage, square(60, 30, 0, 0), cropped, Look())
    covered = stage.overlay.mapRectToParent(stage.overlay.boundingRect())
    assert (covered.left(), covered.right()) == pytest.approx((15, 45))


def test_a_picture_of_another_size_moves_the_overlay(stage: Stage) -> None:
    shown(stage, square(60, 30, 3, 3), peaked(60, 30, 5), Look())
    shown(stage, square(300, 40, 3, 3), peaked(300, 40, 5), Look(smooth=False))
    assert stage.overlay.mapRectToParent(stage.overlay.boundingRect()).width() == pytest.approx(300)


def test_a_uniform_map_is_not_drawn_as_a_peak(stage: Stage) -> None:
    flat = Step("dog", -0.1, np.full((1, CELLS * CELLS), 1 / CELLS**2, np.float32))
    trace = Trace("caption", "tiny", Source("image"), Grid(CELLS, CELLS, (0, 0, 60, 30)), ("attention",), (flat,))
    shown(stage, square(60, 30, 3, 3), trace, Look(per_word=True))
    low, high = stage.span
    assert (1 / CELLS**2 - low) / (high - low) == pytest.approx(0.25)


def test_hovering_finds_the_cell_under_the_pointer(stage: Stage, qtbot: QtBot) -> None:
    shown(stage, square(60, 30, 3, 3), peaked(60, 30, 5), Look())
    middle = cell_rect(stage.grid, 33).center()
    spot = stage.mapFromScene(stage.box.mapViewToScene(middle))
    with qtbot.waitSignal(stage.hovered, check_params_cb=lambda location: location == 33):
        qtbot.mouseMove(stage.viewport(), spot)
    assert stage.cell.isVisible()


def test_hard_attention_marks_the_place_it_took(stage: Stage) -> None:
    shown(stage, square(60, 30, 3, 3), peaked(60, 30, 5, sampled=20), Look())
    middle = cell_rect(stage.grid, 20).center()
    assert stage.fixation.isVisible()
    assert (stage.fixation.data["x"][0], stage.fixation.data["y"][0]) == pytest.approx((middle.x(), middle.y()))


def test_without_a_photo_the_stage_says_what_to_do(stage: Stage) -> None:
    stage.show_picture(None)
    assert stage.empty.isVisible()
    assert "Drop a photo" in stage.empty.text()


def composed(stage: Stage, white: int = 255) -> np.ndarray:
    """The map laid over a photo of one colour."""
    tint = stage.overlay.image.astype(float)
    opacity = tint[..., 3:] / 255
    return white * (1 - opacity) + tint[..., :3] * opacity


def with_sky(weights: np.ndarray) -> Trace:
    step = Step("dog", -0.1, np.asarray([weights / weights.sum()], np.float32))
    return Trace("caption", "t", Source("image"), Grid(CELLS, CELLS, (0, 0, 60, 30)), ("attention",), (step,))


@pytest.mark.parametrize("name", ["inferno", "viridis", "cividis"])
@pytest.mark.parametrize("seed", range(3))
def test_a_map_on_a_white_photo_has_no_ghost_contours(stage: Stage, name: str, seed: int) -> None:
    """No step where hardly any attention is, and nowhere far from the map drawn in floating point."""
    rng = np.random.default_rng(seed)
    weights = np.full((CELLS, CELLS), 0.0)
    weights[:7] = rng.uniform(0, 0.3 / CELLS**2, (7, CELLS))
    weights[10, 3 + seed] = 1.0
    look = Look(table=name, ground="colour")
    shown(stage, Picture(np.full((30, 60, 3), 255, np.uint8)), with_sky(weights.ravel()), look)
    seen = composed(stage)
    sky = seen[: len(seen) * 6 // CELLS]
    for axis in (0, 1):
        assert abs(np.diff(sky, axis=axis)).max() <= 2
    strengths = field(stage_weights(weights), stage.grid, look, stage.span[1])[..., None].astype(float)
    exact = pg.colormap.get(name).map(strengths[..., 0], mode=pg.ColorMap.FLOAT)[..., :3] * 255
    floating = 255 + look.opacity * strengths * (exact - 255)
    assert abs(seen - floating).max() <= 1


def stage_weights(weights: np.ndarray) -> np.ndarray:
    return (weights / weights.sum()).ravel()


@pytest.mark.parametrize(("kind", "below"), [("grey", 201), ("dim", 90), ("colour", 200), ("spotlight", 200)])
def test_the_photo_lies_below_the_map_as_the_look_says(stage: Stage, kind: str, below: int) -> None:
    picture = Picture(np.dstack([np.full((30, 60), value, np.uint8) for value in (200, 150, 150)]))
    shown(stage, picture, peaked(60, 30, 5), Look(ground=kind))
    red, green, blue = stage.photo.image[10, 10]
    assert red == pytest.approx(below, abs=2)
    assert (red == green == blue) == (kind == "grey")
    stage.show_word(None, -1, Look(ground=kind))
    assert stage.photo.image[10, 10].tolist() == [200, 150, 150]


def test_a_spotlight_leaves_light_where_the_model_looked_and_nowhere_else(stage: Stage) -> None:
    shown(stage, square(60, 30, 3, 3), peaked(60, 30, 5 * CELLS + 5), Look(ground="spotlight", smooth=False))
    tint, cell = stage.overlay.image, len(stage.overlay.image) // CELLS
    assert not tint[..., :3].any()
    assert tint[5 * cell + 1, 5 * cell + 1, 3] == 0
    assert tint[1, 1, 3] > 180


def test_the_value_stands_beside_the_pointer_with_row_and_column(stage: Stage) -> None:
    shown(stage, square(60, 30, 3, 11, CELLS), peaked(60, 30, 3 * CELLS + 11), Look())
    stage.hover(3 * CELLS + 11)
    assert stage.tag.text() == "80%  row 3, column 11"
    assert stage.lines.isVisible()
    cell, tag = stage._on_screen(cell_rect(stage.grid, 3 * CELLS + 11)), stage.tag.geometry()
    assert stage.rect().contains(tag)
    assert min(abs(tag.left() - cell.right()), abs(cell.left() - tag.right())) <= 10
    stage.hover(-1)
    assert not stage.tag.isVisible()
    assert not stage.lines.isVisible()


@pytest.mark.parametrize("location", [0, CELLS - 1, CELLS * (CELLS - 1), CELLS * CELLS - 1])
def test_the_value_of_a_cell_at_the_edge_is_seen_whole(stage: Stage, location: int) -> None:
    shown(stage, square(60, 30, 0, 0, CELLS), peaked(60, 30, 0), Look())
    stage.mark(location)
    assert stage.rect().contains(stage.tag.geometry())


def test_the_faint_grid_has_the_borders_of_all_cells(stage: Stage) -> None:
    shown(stage, square(60, 30, 0, 0, CELLS), peaked(60, 30, 0), Look())
    stage.mark(5)
    x, y = stage.lines.getData()
    assert len(x) == 4 * (CELLS + 1)
    assert (x.min(), x.max(), y.min(), y.max()) == (0, 60, 0, 30)


def test_rings_and_paths_grow_with_the_screen(stage: Stage) -> None:
    shown(stage, square(60, 30, 0, 0, CELLS), peaked(60, 30, 0, sampled=17), Look())
    stage.resize(500, 620)
    usual, pen = stage.fixation.opts["size"], stage.path.opts["pen"].widthF()
    stage.resize(2400, 1700)
    assert stage.fixation.opts["size"] > 2 * usual
    assert stage.path.opts["pen"].widthF() > 2 * pen
