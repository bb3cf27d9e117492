"""All heads of all layers as small multiples."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers.pictures import corners
from PIL import Image

from attnviewer.core.attend import AttendTrace, attend_trace, maps_of
from attnviewer.core.heads import looking
from attnviewer.core.images import Picture
from attnviewer.core.trace import Grid
from attnviewer.export import Options, save
from attnviewer.export.multiples import FINEST, multiples_figure


def a_trace(layers: int = 3, heads: int = 4, tokens: int = 5) -> AttendTrace:
    rows = np.random.default_rng(3).random((layers, heads, tokens, tokens)).astype(np.float32)
    return attend_trace("net", "a text", [f"t{n}" for n in range(tokens)], rows / rows.sum(axis=-1, keepdims=True))


def over_photo() -> AttendTrace:
    return replace(a_trace(tokens=12), locations=Grid(3, 4, (0, 0, 80, 60)))


def test_there_is_a_tile_for_each_head_and_one_legend() -> None:
    trace = a_trace()
    made = multiples_figure(trace, maps_of(trace), None, Options())
    assert len(made.axes) == 3 * 4 + 1
    said = [text.get_text() for text in made.texts]
    assert [*"012", *"0123"] == [text for text in said if text.isdecimal()]


def test_of_one_layer_the_row_has_its_number() -> None:
    trace = attend_trace("net", "a", ["a", "b"], np.full((4, 2, 2, 2), 0.5, np.float32), only=3)
    made = multiples_figure(trace, maps_of(trace), None, Options())
    assert "3" in [text.get_text() for text in made.texts]
    assert len(made.axes) == 3


def test_a_tile_is_as_bright_as_its_head_looks_sharply() -> None:
    weights = np.full((1, 2, 4, 4), 0.25, np.float32)
    weights[0, 1] = np.eye(4)
    trace = attend_trace("net", "a", list("abcd"), weights)
    made = multiples_figure(trace, weights, None, Options())
    even, sharp = (np.asarray(axes.images[0].get_array(), dtype=int).sum(axis=-1) for axes in made.axes[:2])
    assert (np.diag(sharp) > even.max()).all()
    assert len(np.unique(even)) == 1


def test_over_a_photo_each_tile_is_the_photo(tmp_path: Path) -> None:
    trace = looking(over_photo(), "all")
    save(trace, Picture(corners(80, 60)), tmp_path / "out.png")
    made = multiples_figure(trace, maps_of(trace), Picture(corners(80, 60)), Options())
    high, wide = np.asarray(made.axes[0].images[0].get_array()).shape[:2]
    assert wide > high
    with Image.open(tmp_path / "out.png") as image:
        assert min(image.size) > 300


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_every_form_of_a_figure_can_show_all_heads(tmp_path: Path, suffix: str) -> None:
    for name in ("one", "two"):
        save(looking(a_trace(), "all"), None, tmp_path / f"{name}{suffix}")
    assert (tmp_path / f"one{suffix}").read_bytes() == (tmp_path / f"two{suffix}").read_bytes()


def test_long_texts_keep_their_sharpest_cells() -> None:
    weights = np.zeros((1, 1, 1000, 1000), np.float32)
    weights[0, 0, np.arange(1000), (np.arange(1000) * 7) % 1000] = 1
    trace = attend_trace("net", "a", ["t"] * 1000, weights)
    made = multiples_figure(trace, weights, None, Options())
    assert np.asarray(made.axes[0].images[0].get_array()).shape[:2] == (FINEST, FINEST)
