"""Convolution: 3 x 3 on 5 x 5 by hand, and everything else as torch does it."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.core.errors import UserError
from attnviewer.core.explore.convolution import PRESETS, Slide, convolve, grey, preset, window

FIVE = np.arange(25.0).reshape(5, 5)
ONES = np.ones((3, 3))


def test_three_by_three_on_five_by_five_without_padding_by_hand() -> None:
    assert convolve(FIVE, ONES, Slide(padding="none")).tolist() == [[54, 63, 72], [99, 108, 117], [144, 153, 162]]


def test_a_stride_of_two_takes_every_other_stop() -> None:
    assert convolve(FIVE, ONES, Slide(padding="none", stride=2)).tolist() == [[54, 72], [144, 162]]


def test_zeros_around_the_photo_by_hand() -> None:
    out = convolve(FIVE, ONES, Slide(padding="zero"))
    assert out.shape == (5, 5)
    assert out[0, 0] == 0 + 1 + 5 + 6
    assert out[0, 2] == 1 + 2 + 3 + 6 + 7 + 8
    assert out[4, 4] == 18 + 19 + 23 + 24


def test_a_reflected_margin_by_hand() -> None:
    assert convolve(FIVE, ONES, Slide(padding="reflect"))[0, 0] == (6 + 5 + 6) + (1 + 0 + 1) + (6 + 5 + 6)


def test_a_dilated_kernel_skips_pixels() -> None:
    corners_and_middles = 0 + 2 + 4 + 10 + 12 + 14 + 20 + 22 + 24
    assert convolve(FIVE, ONES, Slide(padding="none", dilation=2)).tolist() == [[corners_and_middles]]


@pytest.mark.parametrize(
    ("side", "slide", "size"),
    [
        (5, Slide(3, 1, "none"), 3),
        (5, Slide(3, 2, "none"), 2),
        (5, Slide(3, 2, "zero"), 3),
        (224, Slide(3, 2, "zero"), 112),
        (224, Slide(11, 4, "none"), 54),
        (1, Slide(3, 1, "zero"), 1),
        (7, Slide(3, 1, "none", 3), 1),
    ],
)
def test_output_sizes_by_hand(side: int, slide: Slide, size: int) -> None:
    assert slide.output(side) == size
    assert slide.formula(side).endswith(f"= {size}")


def test_the_formula_shows_its_numbers() -> None:
    assert Slide(3, 2, "zero").formula(224) == "floor((224 + 2*1 - 1*(3 - 1) - 1) / 2) + 1 = 112"


@given(
    side=st.integers(1, 11), stride=st.integers(1, 4), dilation=st.integers(1, 3),
    padding=st.sampled_from(["zero", "none"]), channels=st.sampled_from([None, 3]), seed=st.integers(0, 99),
)  # fmt: skip
def test_every_slide_gives_what_torch_gives(
    side: int, stride: int, dilation: int, padding: str, channels: int | None, seed: int
) -> None:
    random = np.random.default_rng(seed)
    shape = () if channels is None else (channels,)
    image, kernel = random.normal(size=(40, 35, *shape)), random.normal(size=(side, side, *shape))
    slide = Slide(side, stride, padding, dilation)
    there = torch.from_numpy(image).reshape(40, 35, -1).permute(2, 0, 1)[None]
    weights = torch.from_numpy(kernel).reshape(side, side, -1).permute(2, 0, 1)[None]
    wanted = F.conv2d(there, weights, stride=stride, padding=slide.margin, dilation=dilation)[0, 0]
    np.testing.assert_allclose(convolve(image, kernel, slide), wanted.numpy(), atol=1e-9)


def test_reflection_is_that_of_torch() -> None:
    image, kernel = np.random.default_rng(0).normal(size=(9, 8)), preset("upright", 5)
    there = F.pad(torch.from_numpy(image)[None, None], (2, 2, 2, 2), mode="reflect")
    wanted = F.conv2d(there, torch.from_numpy(kernel)[None, None])[0, 0]
    np.testing.assert_allclose(convolve(image, kernel, Slide(5, padding="reflect")), wanted.numpy(), atol=1e-9)


@given(row=st.integers(0, 4), column=st.integers(0, 4), padding=st.sampled_from(["zero", "reflect", "none"]))
def test_the_products_of_a_window_sum_to_the_output_there(row: int, column: int, padding: str) -> None:
    slide = Slide(3, 1, padding)
    out = convolve(FIVE, preset("edges"), slide)
    found = window(FIVE, preset("edges"), slide, row, column)
    assert found.products.shape == (3, 3)
    assert found.total == pytest.approx(out[found.row, found.column])
    assert (found.top, found.left) == (found.row - slide.margin, found.column - slide.margin)


def test_the_presets_of_three_by_three_are_the_known_ones() -> None:
    assert preset("edges").tolist() == [[-1, -1, -1], [-1, 8, -1], [-1, -1, -1]]
    assert preset("upright").tolist() == [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]
    assert preset("blur").sum() == pytest.approx(1)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("side", [1, 3, 11])
def test_every_preset_goes_over_a_photo_of_any_size(name: str, side: int) -> None:
    for size in ((11, 11), (12, 47)):
        assert convolve(np.full(size, 100.0), preset(name, side), Slide(side)).shape == size


def test_a_flat_photo_has_no_edges_inside() -> None:
    assert abs(convolve(np.full((9, 9), 7.0), preset("edges"), Slide(padding="reflect"))).max() < 1e-9


def test_white_is_255_and_green_is_brighter_than_blue() -> None:
    pixels = np.array([[[255, 255, 255], [0, 255, 0], [0, 0, 255]]], np.uint8)
    white, green, blue = grey(pixels)[0]
    assert white == pytest.approx(255)
    assert green > blue


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: convolve(np.ones((1, 1)), ONES, Slide(padding="none")), "smaller kernel"),
        (lambda: convolve(np.ones((1, 1)), ONES, Slide(padding="reflect")), "can't be reflected"),
        (lambda: convolve(np.ones((5, 5, 3)), ONES, Slide()), "not over channels"),
        (lambda: convolve(FIVE, np.ones((2, 2)), Slide()), "2 x 2 weights, not 3 x 3"),
        (lambda: Slide(12), "from 1 to 11"),
        (lambda: Slide(stride=0), "stride"),
        (lambda: Slide(padding="same"), "zero, reflect, none"),
        (lambda: preset("magic"), "edges, blur"),
    ],
)
def test_what_cannot_slide_is_told_in_a_sentence(call, told: str) -> None:
    with pytest.raises(UserError, match=told):
        call()
