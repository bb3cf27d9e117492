"""Receptive fields by formula: which pixels of the input can reach a unit of a layer (Araujo et al. 2019).

All along one side: photos are squashed to a square, and rows and columns behave alike.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Filter:
    """A convolution or a pooling along one side; `padding` pixels before the first, None: TensorFlow's SAME rule."""

    kernel: int
    stride: int = 1
    padding: int | None = None
    dilation: int = 1

    @property
    def span(self) -> int:
        """Pixels from its first weight to its last."""
        return (self.kernel - 1) * self.dilation + 1

    def before(self, side: int) -> int:
        """Pixels that are added before the first of `side`."""
        if self.padding is not None:
            return self.padding
        return max((math.ceil(side / self.stride) - 1) * self.stride + self.span - side, 0) // 2

    def output(self, side: int) -> int:
        """Units along the side of its output."""
        if self.padding is None:
            return math.ceil(side / self.stride)
        return (side + 2 * self.padding - self.span) // self.stride + 1


@dataclass(frozen=True)
class Field:
    """What units of one layer can see of the input.

    Parameters
    ----------
    name : the layer.
    kernel, stride : of the layer itself (the widest kernel, the product of the strides).
    size : pixels of the input that a unit's field spans, should the photo be large enough.
    jump : pixels of the input between two neighbouring units.
    start : where the field of the first unit begins; negative where it begins in the margin.
    side : units along a side.
    """

    name: str
    kernel: int
    stride: int
    size: int
    jump: int
    start: int
    side: int

    def span(self, unit: int, pixels: int) -> tuple[int, int]:
        """First pixel and the one after the last that unit number `unit` sees of a side of `pixels`."""
        first = self.start + unit * self.jump
        return max(first, 0), min(first + self.size, pixels)


def fields(layers: Iterable[tuple[str, Iterable[Filter]]], pixels: int) -> tuple[Field, ...]:
    """The fields of each named layer, a layer being some filters one after the other, on a photo of `pixels` a side."""
    size, jump, start, side = 1, 1, 0, pixels
    found = []
    for name, filters in layers:
        kernel, stride = 1, 1
        for one in filters:
            start -= one.before(side) * jump
            size += (one.span - 1) * jump
            jump *= one.stride
            side = one.output(side)
            kernel, stride = max(kernel, one.kernel), stride * one.stride
        found.append(Field(name, kernel, stride, size, jump, start, side))
    return tuple(found)
