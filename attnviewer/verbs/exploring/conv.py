"""`attnviewer explore conv`: one kernel slides over a photo; sizes, and one window product by product."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from PIL import Image

from attnviewer.core.decoding import MAX_PIXELS
from attnviewer.core.errors import UserError
from attnviewer.core.explore.convolution import (
    PADDINGS,
    PRESETS,
    Doubles,
    Slide,
    Window,
    convolve,
    grey,
    preset,
    window,
)
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.verbs.exploring.common import add_image, add_json, picture_of, put


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    add = parser.add_argument
    add_image(parser)
    add("--size", metavar="HxW", help=tr("resize the photo to so many rows and columns first"))
    add("--kernel", type=int, default=3, metavar="K", help=tr("side of the kernel, 1 to 11 (default: 3)"))
    add("--stride", type=int, default=1, metavar="S", help=tr("pixels between two stops (default: 1)"))
    add("--padding", choices=PADDINGS, default="zero", help=tr("what lies around the photo (default: zero)"))
    add("--dilation", type=int, default=1, metavar="D", help=tr("pixels between two weights (default: 1)"))
    add("--weights", choices=tuple(PRESETS), default="edges", help=tr("which kernel slides (default: edges)"))
    add("--at", metavar="R,C", help=tr("the stop to write out (default: the middle)"))
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Slide and print."""
    slide = Slide(args.kernel, args.stride, args.padding, args.dilation)
    picture = sized(picture_of(args), args.size)
    image, weights = grey(picture.pixels), preset(args.weights, args.kernel)
    output = convolve(image, weights, slide)
    at = _place(args.at, output)
    seen = window(image, weights, slide, *at)
    return put(
        args, "conv", _numbers(picture, slide, args.weights, output, seen), lambda: _told(picture, slide, output, seen)
    )


def sized(picture: Picture, size: str | None) -> Picture:
    """The photo at HxW; raises `UserError` where that is no size."""
    if size is None:
        return picture
    rows, columns = _two(size.lower(), "x", tr("--size takes rows x columns, such as 224x224, not {text}.", text=size))
    if not (rows > 0 and columns > 0 and rows * columns <= MAX_PIXELS):
        raise UserError(tr("--size takes rows x columns, such as 224x224, not {text}.", text=size))
    return Picture(np.asarray(Image.fromarray(picture.pixels).resize((columns, rows))), picture.path)


def _place(at: str | None, output: Doubles) -> tuple[int, int]:
    rows, columns = output.shape
    if at is None:
        return rows // 2, columns // 2
    row, column = _two(at, ",", tr("--at takes a row and a column, such as 0,0, not {text}.", text=at))
    if not (0 <= row < rows and 0 <= column < columns):
        last = {"row": rows - 1, "column": columns - 1, "text": at}
        raise UserError(tr("the output has rows 0 to {row} and columns 0 to {column}; {text} lies outside.", **last))
    return row, column


def _two(text: str, between: str, fault: str) -> tuple[int, int]:
    parts = text.split(between)
    try:
        first, second = (int(part) for part in parts)
    except ValueError:
        raise UserError(fault) from None
    return first, second


def _numbers(picture: Picture, slide: Slide, name: str, output: Doubles, seen: Window) -> dict[str, Any]:
    return {
        "source": picture,
        "input": [picture.height, picture.width],
        "kernel": slide.kernel,
        "stride": slide.stride,
        "padding": slide.padding,
        "dilation": slide.dilation,
        "margin": slide.margin,
        "output": list(output.shape),
        "formula": {"rows": slide.formula(picture.height), "columns": slide.formula(picture.width)},
        "parameters": slide.kernel**2,
        "weights": {"name": name, "values": seen.weights},
        "window": {key: getattr(seen, key) for key in ("row", "column", "top", "left", "values", "products")}
        | {"sum": seen.total},
        "range": [float(output.min()), float(output.max())],
    }


def _told(picture: Picture, slide: Slide, output: Doubles, seen: Window) -> str:
    rows, columns = output.shape
    lines = [
        tr("photo {high} x {wide} (rows x columns), output {rows} x {columns}, {count} weights",
           high=picture.height, wide=picture.width, rows=rows, columns=columns, count=slide.kernel**2),
        tr("rows:    {formula}", formula=slide.formula(picture.height)),
        tr("columns: {formula}", formula=slide.formula(picture.width)),
        "",
        tr("the stop at row {row}, column {column}: brightness x weight", row=seen.row, column=seen.column),
        *(_products(values, weights) for values, weights in zip(seen.values, seen.weights, strict=True)),
        tr("sum: {total}", total=f"{seen.total:.1f}"),
    ]  # fmt: skip
    return "\n".join(lines)


def _products(values: Doubles, weights: Doubles) -> str:
    return "   ".join(f"{value:5.1f} x {weight:6.3g}" for value, weight in zip(values, weights, strict=True))
