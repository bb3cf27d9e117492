"""The photo inside a saved trace: small enough to send, and laid out as the one that the model saw."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from attnviewer.core.decoding import MAX_PIXELS
from attnviewer.core.errors import UserError
from attnviewer.core.images import Picture, load_picture
from attnviewer.core.trace import Source

LONGEST, QUALITY = 1024, 85  # pixels along the longer side, and of 100


def pack(picture: Picture) -> NDArray[np.uint8]:
    """The photo as the bytes of a JPEG file, at most 1,024 pixels long."""
    image, store = Image.fromarray(picture.pixels), io.BytesIO()
    image.thumbnail((LONGEST, LONGEST), Image.Resampling.LANCZOS)
    image.save(store, "JPEG", quality=QUALITY)
    return np.frombuffer(store.getvalue(), np.uint8)


def unpack(data: NDArray[np.uint8], source: Source) -> Picture | None:
    """The photo in the size of its source, so that maps lie where they lay; None where there is none in `data`."""
    try:
        picture = load_picture(np.asarray(data, np.uint8).tobytes())
    except (UserError, ValueError, TypeError):
        return None
    wide, high = source.width or picture.width, source.height or picture.height
    if not 0 < wide * high <= MAX_PIXELS:
        return None
    image = Image.fromarray(picture.pixels)
    whole = image if image.size == (wide, high) else image.resize((wide, high), Image.Resampling.BICUBIC)
    return Picture(np.asarray(whole), source.path)


def fits(picture: Picture, source: Source) -> bool:
    """Whether a photo has the size of the one that a trace was made from."""
    return (picture.width, picture.height) == (source.width or picture.width, source.height or picture.height)
