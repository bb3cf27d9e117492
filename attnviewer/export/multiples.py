"""All heads of all layers at a glance, as small multiples on one colour scale: a row a layer, a column a head.

Every length is in inches.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from attnviewer.core.attend import layers_of, maps_of
from attnviewer.core.colour import strength
from attnviewer.core.i18n import later, tr
from attnviewer.core.images import Picture
from attnviewer.core.lens import Range
from attnviewer.core.trace import Floats, Grid, Trace
from attnviewer.export.fonts import TRUTH, letters_of
from attnviewer.export.legend import draw_legend
from attnviewer.export.options import Options
from attnviewer.export.paint import lookup, overlay, photo_of, source_size
from attnviewer.export.picture import write
from attnviewer.export.tokens import LEGEND, LETTER, MARGIN, MUTED

TILE, GAP, LABEL, TITLE, FOOT, LEAST = 1.15, 0.08, 0.45, 0.75, 0.45, 2.2
FINEST = 320  # cells along a side of a tile: of more, neighbours are drawn as their largest
PHOTO = 220  # pixels along the longer side of a tile
ROWS = later("rows: who looks; columns: who is looked at")


def save_multiples(trace: Trace, picture: Picture | None, path: Path, options: Options) -> None:
    """Write the figure; raises `UserError` where the layers have unequally many heads."""
    maps = maps_of(trace)
    write(lambda: multiples_figure(trace, maps, picture, options), path, options, letters_of(trace))


def multiples_figure(trace: Trace, maps: Floats, picture: Picture | None, options: Options) -> Figure:
    """The maps [N, H, T, L] of a trace; over a photo each head's mean of all that look."""
    tiles = (
        _over_photo(trace, maps, picture, options) if isinstance(trace.locations, Grid) else _matrices(maps, options)
    )
    shown = _range(trace, maps)
    layers, heads = maps.shape[:2]
    high, wide = _sides(tiles[0][0].shape)
    across, down = LABEL + heads * (wide + GAP), layers * (high + GAP)
    foot = f"{trace.model}: {tr(TRUTH)}; {_reading(trace)}"
    width = max(MARGIN + across + LEGEND, 2 * MARGIN + LETTER * len(foot))
    height = TITLE + max(down, LEAST) + FOOT
    made = Figure(figsize=(width, height), facecolor="white")
    for layer, name in enumerate(layers_of(trace)):
        top = TITLE + layer * (high + GAP)
        _say(made, MARGIN, top + high / 2, str(name), ha="left")
        for head in range(heads):
            left = MARGIN + LABEL + head * (wide + GAP)
            axes = made.add_axes((left / width, 1 - (top + high) / height, wide / width, high / height))
            axes.imshow(tiles[layer][head], aspect="auto", interpolation="nearest")
            axes.set_axis_off()
    for head in range(heads):
        _say(made, MARGIN + LABEL + head * (wide + GAP) + wide / 2, TITLE - 0.1, str(head), ha="center")
    _say(made, MARGIN, TITLE - 0.1, tr("layer"), ha="left")
    _say(made, MARGIN, 0.25, _title(trace, width), fontsize=13, fontweight="bold", color="black")
    _say(made, MARGIN, height - 0.15, foot)
    place = (
        (MARGIN + across + 0.2) / width,
        (FOOT + 0.05) / height,
        0.16 / width,
        (height - TITLE - FOOT - 0.1) / height,
    )
    draw_legend(made, place, shown, options, solid=not isinstance(trace.locations, Grid))
    return made


def _range(trace: Trace, maps: Floats) -> Range:
    found = _means(maps) if isinstance(trace.locations, Grid) else maps
    return Range(float(found.max()), 1 / maps.shape[-1], peak=float(found.max()))


def _means(maps: Floats) -> Floats:
    return np.asarray(maps.mean(axis=2, dtype=np.float64), dtype=np.float32)  # [N, H, L]


def _matrices(maps: Floats, options: Options) -> list[list[NDArray[np.uint8]]]:
    table, high = lookup(options.table), float(maps.max())
    return [
        [table[(strength(_coarse(one), high) * 255).round().astype(int)].astype(np.uint8) for one in layer]
        for layer in maps
    ]


def _coarse(one: Floats) -> Floats:
    """A map [T, L] with at most `FINEST` cells along a side, each the largest of those it stands for."""
    for axis in (0, 1):
        size = one.shape[axis]
        if size > FINEST:
            one = np.maximum.reduceat(one, np.arange(FINEST) * size // FINEST, axis=axis)
    return one


def _over_photo(trace: Trace, maps: Floats, picture: Picture | None, options: Options) -> list[list[NDArray[np.uint8]]]:
    assert isinstance(trace.locations, Grid)
    photo, size, means = photo_of(trace, picture, PHOTO), source_size(trace, picture), _means(maps)
    high = float(means.max())
    return [[overlay(photo, one, trace.locations, size, high, options) for one in layer] for layer in means]


def _sides(shape: tuple[int, ...]) -> tuple[float, float]:
    """Height and width of a tile: the longer side is always the same."""
    longest = max(shape[:2])
    return max(TILE * shape[0] / longest, 0.35), max(TILE * shape[1] / longest, 0.35)


def _reading(trace: Trace) -> str:
    if isinstance(trace.locations, Grid):
        return tr("each head's mean of {count} that look", count=len(trace.steps))
    return tr(ROWS)


def _title(trace: Trace, width: float) -> str:
    text = trace.source.text or trace.text
    name = tr("a photo") if isinstance(trace.locations, Grid) else text
    most = int(width * 8)
    return name if len(name) <= most else name[: most - 1] + "…"


def _say(made: Figure, left: float, top: float, text: str, **style: Any) -> None:
    """Write a line at a distance from the left and from the top."""
    width, height = made.get_size_inches()
    chosen: dict[str, Any] = {"fontsize": 8, "color": MUTED, "va": "center", "parse_math": False} | style
    made.text(left / width, 1 - top / height, text, **chosen)
