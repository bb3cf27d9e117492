"""A convolution as plain maths: one kernel slides over a photo, and every place it stops at gives one number.

As in every net of today the kernel is not turned round (a cross-correlation). Letters: H, W size of the photo, C
channels, K side of the kernel, h, w size of the output.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.images import Pixels

Doubles = NDArray[np.float64]
PADDINGS = ("zero", "reflect", "none")
LARGEST = 11
LUMA = (0.299, 0.587, 0.114)


@dataclass(frozen=True)
class Slide:
    """How a kernel of side `kernel` slides.

    Parameters
    ----------
    stride : pixels between two stops.
    padding : zero or reflect (as many pixels as put the kernel's middle on the first pixel), or none.
    dilation : pixels between two weights of the kernel; 1 is a kernel without gaps.
    """

    kernel: int = 3
    stride: int = 1
    padding: str = "zero"
    dilation: int = 1

    def __post_init__(self) -> None:
        for what, value, most in (
            (tr("the kernel"), self.kernel, LARGEST),
            (tr("the stride"), self.stride, 64),
            (tr("the dilation"), self.dilation, 64),
        ):
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
                told = {"what": what, "most": most, "value": value}
                raise UserError(tr("{what} must be a whole number from 1 to {most}, not {value}.", **told))
        if self.padding not in PADDINGS:
            choices = ", ".join(PADDINGS)
            raise UserError(tr("there is no padding {name!r}; choose {choices}.", name=self.padding, choices=choices))

    @property
    def span(self) -> int:
        """Pixels from the first weight of the kernel to the last, both counted."""
        return (self.kernel - 1) * self.dilation + 1

    @property
    def margin(self) -> int:
        """Pixels that are added on each side."""
        return 0 if self.padding == "none" else (self.span - 1) // 2

    def output(self, side: int) -> int:
        """Stops along a side of the photo; raises `UserError` where the kernel doesn't fit once."""
        padded = side + 2 * self.margin
        sizes = {"span": self.span, "side": side, "margin": self.margin}
        if self.span > padded:
            raise UserError(
                tr(
                    "the kernel covers {span} pixels, but the photo has {side} and a margin of {margin}; "
                    "take a smaller kernel, a larger photo, or padding.",
                    **sizes,
                )
            )
        if self.padding == "reflect" and self.margin >= side:
            raise UserError(
                tr(
                    "a margin of {margin} can't be reflected from {side} pixels; take a larger photo or zero padding.",
                    **sizes,
                )
            )
        return (padded - self.span) // self.stride + 1

    def formula(self, side: int) -> str:
        """The output side with its numbers, such as floor((224 + 2*1 - 1*(3 - 1) - 1) / 2) + 1 = 112."""
        inner = f"{side} + 2*{self.margin} - {self.dilation}*({self.kernel} - 1) - 1"
        return f"floor(({inner}) / {self.stride}) + 1 = {self.output(side)}"


@dataclass(frozen=True, eq=False)
class Window:
    """One stop of the kernel: what it sees, times its weights.

    Parameters
    ----------
    row, column : the place in the output.
    top, left : where the first weight lies in the photo; negative in the margin.
    values, weights, products : [K, K] or [K, K, C].
    total : the sum of the products.
    """

    row: int
    column: int
    top: int
    left: int
    values: Doubles
    weights: Doubles
    products: Doubles
    total: float


def grey(pixels: Pixels) -> Doubles:
    """Brightness [H, W] of RGB pixels, 0 black to 255 white."""
    brightness: Doubles = np.asarray(pixels, dtype=np.float64) @ np.asarray(LUMA)
    return brightness


def pad(image: ArrayLike, slide: Slide) -> Doubles:
    """The photo [H, W] or [H, W, C] with its margin."""
    values = np.asarray(image, dtype=np.float64)
    margin = slide.margin
    if not margin:
        return values
    around = ((margin, margin), (margin, margin), *((0, 0),) * (values.ndim - 2))
    mode: Literal["reflect", "constant"] = "reflect" if slide.padding == "reflect" else "constant"
    return np.pad(values, around, mode=mode)


def convolve(image: ArrayLike, weights: ArrayLike, slide: Slide) -> Doubles:
    """Slide `weights` [K, K] over a grey photo [H, W], or [K, K, C] over one of C channels: output [h, w].

    Raises `UserError` where the kernel doesn't fit or the channels differ.
    """
    values, kernel = np.asarray(image, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    _check(values, kernel, slide)
    high, wide = (slide.output(side) for side in values.shape[:2])
    padded = pad(values, slide)
    out = np.zeros((high, wide))
    for i in range(slide.kernel):
        rows = slice(i * slide.dilation, i * slide.dilation + (high - 1) * slide.stride + 1, slide.stride)
        for j in range(slide.kernel):
            columns = slice(j * slide.dilation, j * slide.dilation + (wide - 1) * slide.stride + 1, slide.stride)
            part = padded[rows, columns]
            out += part * kernel[i, j] if part.ndim == 2 else part @ kernel[i, j]
    return out


def window(image: ArrayLike, weights: ArrayLike, slide: Slide, row: int, column: int) -> Window:
    """What the output at (row, column) is made of; a place outside the output is moved to its edge."""
    values, kernel = np.asarray(image, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    _check(values, kernel, slide)
    row, column = (
        int(np.clip(at, 0, slide.output(side) - 1)) for at, side in zip((row, column), values.shape[:2], strict=True)
    )
    top, left = row * slide.stride, column * slide.stride
    seen = pad(values, slide)[top : top + slide.span : slide.dilation, left : left + slide.span : slide.dilation]
    products = seen * kernel
    return Window(row, column, top - slide.margin, left - slide.margin, seen, kernel, products, float(products.sum()))


def _check(values: Doubles, kernel: Doubles, slide: Slide) -> None:
    if kernel.shape[:2] != (slide.kernel, slide.kernel):
        shape = " x ".join(map(str, kernel.shape[:2]))
        raise UserError(tr("the kernel has {shape} weights, not {side} x {side}.", shape=shape, side=slide.kernel))
    channels, wanted = (array.shape[2] if array.ndim == 3 else 1 for array in (values, kernel))
    if values.ndim != kernel.ndim or channels != wanted:
        raise UserError(
            tr(
                "the photo has {channels} channels and the kernel {wanted}: a kernel slides over rows and columns, "
                "not over channels; give it weights for each channel.",
                channels=channels,
                wanted=wanted,
            )
        )


def _identity(side: int) -> Doubles:
    kernel = np.zeros((side, side))
    kernel[side // 2, side // 2] = 1
    return kernel


def _blur(side: int) -> Doubles:
    return np.full((side, side), 1 / side**2)


def _edges(side: int) -> Doubles:
    """Each pixel against the mean of its neighbours, in whole numbers: 8 in the middle of 3 x 3, -1 around it."""
    return _identity(side) * side**2 - np.ones((side, side))


def _sharpen(side: int) -> Doubles:
    return _identity(side) + _edges(side) / max(side**2 - 1, 1)


def _upright(side: int) -> Doubles:
    """Left against right: of 3 x 3 the kernel of Sobel."""
    across = np.sign(np.arange(side) - side // 2).astype(np.float64)
    down = (side + 1) // 2 - np.abs(np.arange(side) - side // 2)
    return np.outer(down, across)


PRESETS: dict[str, Callable[[int], Doubles]] = {
    "edges": _edges,
    "blur": _blur,
    "sharpen": _sharpen,
    "upright": _upright,
    "level": lambda side: _upright(side).T,
    "identity": _identity,
}


def preset(name: str, side: int = 3) -> Doubles:
    """Weights [K, K] of a known kernel; raises `UserError` for a name that isn't known."""
    if name not in PRESETS:
        raise UserError(tr("there is no kernel {name!r}; choose {choices}.", name=name, choices=", ".join(PRESETS)))
    return PRESETS[name](Slide(side).kernel)
