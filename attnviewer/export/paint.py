"""Maps as colours: the same blend of photo and map for figures and movies."""

from __future__ import annotations

from functools import lru_cache

import matplotlib
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from attnviewer.core.colour import CURVE, FADED, ceiling, shade, strength
from attnviewer.core.images import Picture
from attnviewer.core.lens import Range, colour_range
from attnviewer.core.trace import Floats, Grid, Trace
from attnviewer.export.options import Options

Pixels = NDArray[np.uint8]
BLANK, GROUND = 205, 127
LEVELS = 4096  # colours between those of the table, so that no step between two of them shows


@lru_cache
def lookup(table: str) -> NDArray[np.float32]:
    """The colour table as RGB [256, 3], 0..255."""
    return np.asarray(matplotlib.colormaps[table](np.arange(256))[:, :3] * 255, dtype=np.float32)


@lru_cache
def _fine(table: str) -> NDArray[np.float32]:
    """The colour table with colours between its own, RGB [LEVELS, 3]."""
    places, coarse = np.linspace(0, 255, LEVELS), lookup(table)
    return np.stack([np.interp(places, np.arange(256), coarse[:, i]) for i in range(3)], axis=1).astype(np.float32)


def blend(under: NDArray[np.float32], strengths: Floats, options: Options) -> NDArray[np.float32]:
    """Lay the colours of `strengths` (0 to 1) over RGB [..., 3]; where one is low the ground shows through."""
    colour = _fine(options.table)[(strengths * (LEVELS - 1)).round().astype(int)]
    opacity = options.opacity * strengths ** (options.gamma / CURVE)
    return np.asarray(under + opacity[..., None] * (colour - under), dtype=np.float32)


def ramp(steps: int, options: Options) -> Pixels:
    """The colours [steps, 3] of weights from none to the highest, over a middling ground."""
    ground = fade(np.full((steps, 3), GROUND, dtype=np.float32))
    return blend(ground, strength(np.linspace(0, 1, steps), 1.0), options).round().astype(np.uint8)


def fade(grey: NDArray[np.float32]) -> NDArray[np.float32]:
    """Grey levels mixed with white."""
    return np.asarray(255 + FADED * (grey - 255), dtype=np.float32)


def span(trace: Trace, word: int | None, options: Options) -> Range:
    """The colour range: over all words, or of one `word` where the options ask for it."""
    found = colour_range(trace, word if options.per_word else None, options.head)
    return Range(ceiling(found.high, found.uniform), found.uniform, peak=found.peak)


def photo_of(trace: Trace, picture: Picture | None, longest: int) -> Image.Image:
    """The photo, at most `longest` pixels long; a grey field of the same shape where it isn't at hand."""
    if picture is None:
        image = Image.new("RGB", (trace.source.width or longest, trace.source.height or longest), (BLANK,) * 3)
    else:
        image = Image.fromarray(picture.pixels)
    factor = min(1.0, longest / max(image.size))
    size = (max(1, round(image.width * factor)), max(1, round(image.height * factor)))
    return image.resize(size, Image.Resampling.LANCZOS)


def overlay(
    photo: Image.Image, weights: Floats, grid: Grid, source: tuple[int, int], high: float, options: Options
) -> Pixels:
    """The photo in faded grey with one map [L] over it.

    Parameters
    ----------
    photo : the picture as it is shown, at any size.
    source : width and height in pixels that the grid's extent counts in.
    high : the weight that gets the brightest colour.
    """
    grey = fade(np.asarray(photo.convert("L"), dtype=np.float32))[:, :, None].repeat(3, axis=2)
    left, top, right, bottom = _pixels(grid.extent, source, photo.size)
    shape = (bottom - top, right - left)
    shades = shade(weights, grid.rows, grid.columns, *shape, high) if not options.cells else None
    strengths = _cells(strength(weights, high), grid, shape) if shades is None else shades
    grey[top:bottom, left:right] = blend(grey[top:bottom, left:right], strengths, options)
    return grey.round().astype(np.uint8)


def _pixels(
    extent: tuple[float, float, float, float], source: tuple[int, int], shown: tuple[int, int]
) -> tuple[int, int, int, int]:
    """The grid's extent in pixels of the shown photo, at least one pixel in each direction."""
    across, down = shown[0] / source[0], shown[1] / source[1]
    left, right = (min(max(round(x * across), 0), shown[0]) for x in extent[::2])
    top, bottom = (min(max(round(y * down), 0), shown[1]) for y in extent[1::2])
    return min(left, shown[0] - 1), min(top, shown[1] - 1), max(right, left + 1), max(bottom, top + 1)


def _cells(weights: Floats, grid: Grid, shape: tuple[int, int]) -> Floats:
    rows = np.arange(shape[0]) * grid.rows // shape[0]
    columns = np.arange(shape[1]) * grid.columns // shape[1]
    return weights.reshape(grid.rows, grid.columns)[rows[:, None], columns[None, :]]


def source_size(trace: Trace, picture: Picture | None) -> tuple[int, int]:
    """Width and height of the upright source in pixels."""
    if picture is not None:
        return picture.width, picture.height
    return trace.source.width or 1, trace.source.height or 1
