"""From numpy to Qt."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

FORMATS = {3: QImage.Format.Format_RGB888, 4: QImage.Format.Format_RGBA8888}


def thinned(pixels: NDArray[np.uint8], most: int) -> NDArray[np.uint8]:
    """Every n-th pixel of [rows, columns, channels], so that neither side has more than `most`."""
    step = max(1, -(-max(pixels.shape[:2]) // most))
    return pixels[::step, ::step]


def as_qimage(pixels: NDArray[np.uint8]) -> QImage:
    """An image of its own memory from pixels [rows, columns, 3 or 4], RGB or RGBA."""
    rows, columns, channels = pixels.shape
    data = np.ascontiguousarray(pixels, dtype=np.uint8).tobytes()
    return QImage(data, columns, rows, columns * channels, FORMATS[channels]).copy()
