"""Small pictures with known content."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from attnviewer.core.images import Picture

CORNERS = np.array([[[255, 0, 0], [0, 255, 0]], [[0, 0, 255], [255, 255, 0]]], dtype=np.uint8)


def corners(width: int = 40, height: int = 20) -> NDArray[np.uint8]:
    """Red, green, blue and yellow quarters (top left, top right, bottom left, bottom right)."""
    rows, columns = np.arange(height) * 2 // height, np.arange(width) * 2 // width
    return CORNERS[rows[:, None], columns[None, :]]


def square(width: int, height: int, row: int, column: int, cells: int = 14) -> Picture:
    """Black, with one cell of a `cells` x `cells` grid white."""
    rows, columns = np.arange(height) * cells // height, np.arange(width) * cells // width
    white = (rows[:, None] == row) & (columns[None, :] == column)
    return Picture(np.repeat(white[:, :, None] * np.uint8(255), 3, axis=2))


def encoded(image: Image.Image, form: str = "PNG", **options: Any) -> bytes:
    """The image as the bytes of a file."""
    buffer = io.BytesIO()
    image.save(buffer, form, **options)
    return buffer.getvalue()
