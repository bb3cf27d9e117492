"""One hue from the ground to the accent, for weights over words: what the washes and lines are painted in as well."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from attnviewer.core.colour import strength
from attnviewer.ui.pictures import as_qimage
from attnviewer.ui.theme import Tokens
from attnviewer.ui.widgets.legend import Legend

LEVELS = 256


@lru_cache(maxsize=8)
def ramp(tokens: Tokens) -> NDArray[np.uint8]:
    """The colours [256, 4] of weights from none to the top, as RGBA."""
    ends = np.array([QColor(colour).getRgb() for colour in (tokens.surface, tokens.accent)], float)
    share = strength(np.linspace(0, 1, LEVELS), 1.0)[:, None]
    return (ends[0] + share * (ends[1] - ends[0])).round().astype(np.uint8)


def as_image(values: ArrayLike, top: float, tokens: Tokens, wide: int = 1, high: int = 1) -> QImage:
    """Values [rows, columns] as an image, each as a cell so many pixels wide and high."""
    share = np.clip(np.atleast_2d(np.asarray(values, np.float64)) / max(top, 1e-9), 0, 1)
    colours = ramp(tokens)[(share * (LEVELS - 1)).round().astype(int)]
    return as_qimage(colours.repeat(high, axis=0).repeat(wide, axis=1))


class RampLegend(Legend):
    """The legend of the ramp."""

    def paint_colours(self, painter: QPainter, bar: QRectF) -> None:
        painter.drawImage(bar, as_image(np.linspace(0, 1, LEVELS), 1.0, self._tokens))
