"""Pixels of every kind to eight bits of red, green and blue: deep greys scaled, transparency put over white."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr

Pixels = NDArray[np.uint8]
WHITE = (255, 255, 255, 255)
WHOLE = (255, 1023, 4095, 16383, 65535)  # white in files of 8, 10, 12, 14 and 16 bits
OVERSHOOT = 2.0  # resizing and sharpening go beyond white, but not by more than this
_SHALLOW = {"L;2": 85, "L;4": 17}  # how Pillow stretches greys of few bits, but not the transparent one among them


def to_rgb(image: Image.Image, stored: str = "") -> Image.Image:
    """Scale deep greys, put transparency over white, convert the rest.

    Parameters
    ----------
    stored : how the file holds a pixel, in Pillow's words, such as "RGB;16B"; "" where it isn't known.
    """
    if image.mode in ("I", "F") or image.mode.startswith("I;16"):
        return _deep(image)
    if image.has_transparency_data:
        layer = _keyed(image, stored).convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", layer.size, WHITE), layer).convert("RGB")
    return image if image.mode == "RGB" else image.convert("RGB")


def _deep(image: Image.Image) -> Image.Image:
    """A grey of more than eight bits; the grey that stands for transparent becomes white, and doesn't count."""
    values = np.asarray(image)
    hidden = values == image.info.get("transparency", np.nan)
    shown = np.where(hidden, 0, values) if hidden.any() else values
    grey = grey8(shown, _depth(image))
    grey[hidden] = 255
    return Image.fromarray(grey).convert("RGB")


def _depth(image: Image.Image) -> int | None:
    """Bits of a grey as a TIFF tells them where it packs them tight, or None."""
    bits = getattr(image, "tag_v2", {}).get(258, (16,))
    return int(bits[0]) if len(bits) == 1 and 8 < bits[0] < 16 else None


def _keyed(image: Image.Image, stored: str) -> Image.Image:
    """The image with its transparent colour given as the pixels are: of eight bits."""
    key = image.info.get("transparency")
    if stored in _SHALLOW and isinstance(key, int):
        image.info["transparency"] = key * _SHALLOW[stored]
    elif stored.startswith("RGB;16") and isinstance(key, tuple):
        image.info["transparency"] = tuple(part >> 8 for part in key)
    return image


def grey8(values: NDArray[Any], depth: int | None = None) -> Pixels:
    """Deep greys (16-bit, 32-bit, float) to 0..255 by the smallest usual white level that holds them.

    Parameters
    ----------
    depth : bits of a grey where the file tells; None: the values tell.
    """
    white = float(2**depth - 1) if depth else _white(values)
    levels = np.nan_to_num(values.astype(np.float32), nan=0.0, posinf=white, neginf=0.0)
    grey: Pixels = (np.clip(levels / white, 0, 1) * 255).round().astype(np.uint8)
    return grey


def _white(values: NDArray[Any]) -> float:
    """The value that is white: floats are of 0..1 or 0..255 and may overshoot a little."""
    top = float(values.max(initial=0, where=np.isfinite(values)))
    floats = values.dtype.kind == "f"
    for white in (1, *WHOLE) if floats else WHOLE:
        if top <= white * (OVERSHOOT if floats and white <= 255 else 1):
            return white
    return top


def array8(values: NDArray[Any]) -> Pixels:
    """An array of any numbers as eight bits; raises `UserError` where it holds none."""
    if values.dtype == np.uint8:
        return values
    if values.dtype == bool:
        return values.astype(np.uint8) * np.uint8(255)
    if values.dtype.kind not in "iuf":
        raise UserError(tr("an array of type {dtype} is no image; give uint8.", dtype=values.dtype))
    return grey8(values)
