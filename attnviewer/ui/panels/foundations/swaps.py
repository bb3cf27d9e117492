"""Squares that change places, and what glows over a photo: the small geometry of the experiment with fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviewer.core.explore.findings import Layers
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.ui.widgets.raster import Mark

SHARE = 5  # a square is a fifth of the shorter side
GLOW, BOX, FAINT = (255, 190, 60), "#93aaff", "#ffffff"
Corner = tuple[int, int]


def glow(values: Any, power: float = 0.5) -> NDArray[np.uint8]:
    """Values [n, n] in 0..1 as a layer of one colour [n, n, 4], the more opaque the larger."""
    made = np.zeros((*np.shape(values), 4), np.uint8)
    made[..., :3] = GLOW
    made[..., 3] = (np.clip(np.asarray(values, np.float64), 0, 1) ** power * 235).astype(np.uint8)
    return made


def scaled(
    box: tuple[float, float, float, float], source: tuple[float, float], shown: tuple[int, int], colour: str = BOX,
    *, dashed: bool = False, text: str = "",
) -> Mark:  # fmt: skip
    """A box in a source of (width, height) as a mark on an image of (rows, columns)."""
    across, down = shown[1] / source[0], shown[0] / source[1]
    left, top, right, bottom = box
    return Mark((left * across, top * down, right * across, bottom * down), colour, dashed, text)


def side_of(picture: Picture) -> int:
    """The side of the squares that change places."""
    return max(1, min(picture.width, picture.height) // SHARE)


def far_apart(picture: Picture) -> list[Corner]:
    """Two squares at opposite corners of a photo."""
    side = side_of(picture)
    return [(0, picture.height - side), (picture.width - side, 0)]


def moved(picture: Picture, corners: list[Corner], x: float, y: float) -> list[Corner]:
    """The same with the square that is nearer to (x, y) moved there, inside the photo."""
    side = side_of(picture)
    away = [abs(left + side / 2 - x) + abs(top + side / 2 - y) for left, top in corners]
    left, top = np.clip((x - side / 2, y - side / 2), 0, (picture.width - side, picture.height - side))
    nearer = int(away[1] < away[0])
    return [(int(left), int(top)) if n == nearer else corner for n, corner in enumerate(corners)]


def telling(layers: Layers) -> int:
    """The deepest layer whose field is clearly smaller than the photo: there, both fields can be seen."""
    return max(n for n, row in enumerate(layers.layers) if n == 0 or row.field.size < layers.side / 2)


def who_noticed(layers: Layers, shares: Sequence[float], at: int) -> str:
    """What a swap says: the share of a layer's units that changed, and from which layer on all did."""
    first = next((n for n, share in enumerate(shares) if share > 0.999), None)
    tail = tr(" All units notice from {layer} on.", layer=layers.layers[first].name) if first is not None else ""
    return tr(
        "A and B have changed places. In {layer} {share} of the units notice (they glow): those whose field holds a "
        "part of a square.{tail}",
        layer=layers.layers[at].name, share=f"{shares[at]:.0%}", tail=tail,
    )  # fmt: skip
