"""Patches that cover some of a photo before a net sees it: a way to ask what a place was worth (occlusion)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture

GREY = (128, 128, 128)
SOFT = 4  # a blurred patch keeps so many values along each side
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Cover:
    """A patch over the photo.

    Parameters
    ----------
    box : (left, top, right, bottom) as shares of the photo, 0 to 1.
    how : "grey", or "blur", which keeps the colours of the place.

    Raises `UserError` where the box is none or `how` is unknown.
    """

    box: Box
    how: str = "grey"

    def __post_init__(self) -> None:
        try:
            left, top, right, bottom = sides = tuple(map(float, self.box))
        except (TypeError, ValueError):
            sides = ()
        if not sides or not all(map(math.isfinite, sides)) or not (0 <= left < right <= 1 and 0 <= top < bottom <= 1):
            raise UserError(tr("a cover is a box: left, top, right, bottom as shares of the photo, 0 to 1."))
        if self.how not in WAYS:
            raise UserError(tr("a photo can't be covered with {how}; choose {ways}.", how=self.how,
                               ways=tr(" or ").join(WAYS)))  # fmt: skip


def cover_of(data: Mapping[str, Any]) -> Cover:
    """The cover that plain data describes: `box`, and perhaps `how`; raises `UserError` where there is none."""
    if unknown := sorted(set(data) - {"box", "how"}):
        raise UserError(tr("a cover has no {field}; it has box and how.", field=unknown[0]))
    return Cover(tuple(data.get("box") or ()), data.get("how", "grey"))


def covers_of(request: Mapping[str, Any]) -> tuple[Cover, ...]:
    """The covers of a request as plain data."""
    return tuple(cover_of(one) for one in request.get("covers") or ())


def covered(picture: Picture, covers: Sequence[Cover]) -> Picture:
    """The picture with its patches, in their order; itself where there are none."""
    if not covers:
        return picture
    image = Image.fromarray(picture.pixels)
    for cover in covers:
        place = pixels_of(cover.box, picture.width, picture.height)
        if place[0] < place[2] and place[1] < place[3]:
            image.paste(WAYS[cover.how](image.crop(place)), place)
    return Picture(np.asarray(image), picture.path)


def pixels_of(box: Box, width: int, height: int) -> tuple[int, int, int, int]:
    """A box in whole pixels of a picture."""
    left, top, right, bottom = box
    return round(left * width), round(top * height), round(right * width), round(bottom * height)


def _grey(patch: Image.Image) -> Image.Image:
    return Image.new("RGB", patch.size, GREY)


def _blur(patch: Image.Image) -> Image.Image:
    return patch.resize((SOFT, SOFT), Image.Resampling.BOX).resize(patch.size, Image.Resampling.BICUBIC)


WAYS: dict[str, Callable[[Image.Image], Image.Image]] = {"grey": _grey, "blur": _blur}
