"""Receptive fields by hand: they grow with kernels and strides and shift with the margin."""

from __future__ import annotations

import pytest

from attnviewer.core.explore.fields import Filter, fields


def test_two_kernels_of_three_see_five_pixels() -> None:
    first, second = fields([("a", [Filter(3, padding=1)]), ("b", [Filter(3, padding=1)])], 20)
    assert (first.size, second.size) == (3, 5)
    assert (first.start, second.start) == (-1, -2)
    assert second.span(10, 20) == (8, 13)


def test_behind_a_stride_a_kernel_counts_twice() -> None:
    _, second = fields([("a", [Filter(3, 2, 1)]), ("b", [Filter(3, 1, 1)])], 20)
    assert (second.size, second.jump, second.side) == (3 + 2 * 2, 2, 10)


def test_gaps_widen_a_field() -> None:
    (only,) = fields([("a", [Filter(3, padding=0, dilation=4)])], 20)
    assert (only.size, only.side) == (9, 12)


def test_the_same_rule_puts_the_odd_pixel_behind() -> None:
    (even,) = fields([("a", [Filter(3, 2)])], 20)
    (odd,) = fields([("a", [Filter(3, 2)])], 21)
    assert (even.start, odd.start) == (0, -1)
    assert even.side == 10
    assert odd.side == 11


def test_a_field_ends_with_the_photo() -> None:
    (wide,) = fields([("a", [Filter(11, padding=5)])], 6)
    assert wide.span(0, 6) == (0, 6)


@pytest.mark.parametrize("side", [5, 8, 13])
def test_filters_within_a_layer_add_up_as_layers_do(side: int) -> None:
    filters = [Filter(1), Filter(5, 2), Filter(3)]
    apart = fields([(str(n), [one]) for n, one in enumerate(filters)], side)[-1]
    (together,) = fields([("all", filters)], side)
    assert (together.size, together.jump, together.start, together.side) == (
        apart.size, apart.jump, apart.start, apart.side,
    )  # fmt: skip
    assert (together.kernel, together.stride) == (5, 2)
