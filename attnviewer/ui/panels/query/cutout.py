"""The photo as a query sees it: dark, save where the weights lie."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QPixmap,
)

from attnviewer.core import lens
from attnviewer.core.content import ContentTrace
from attnviewer.core.i18n import later
from attnviewer.core.images import Picture
from attnviewer.core.lines import number_lines
from attnviewer.core.trace import Grid
from attnviewer.ui.panels.query.state import LINES_SAMPLE
from attnviewer.ui.pictures import as_qimage

SAMPLE_LINES = number_lines("\n".join(LINES_SAMPLE))
EDITABLE = 2000  # more lines than this are shown in part, and not edited
FORMS = later("Text (*.txt *.md *.csv);;All files (*)")
MASK = 168
NARROW = 760  # pixels of the source below which its foot is stacked


def masked(picture: Picture, trace: ContentTrace) -> QPixmap:
    """The photo, small, each place as bright as its weight among the greatest."""
    assert isinstance(trace.locations, Grid)
    step = max(1, max(picture.width, picture.height) // (2 * MASK))
    small = picture.pixels[::step, ::step]
    weights = lens.word_map(trace, 0)
    assert weights is not None
    bright = lens.upsample(weights, trace.locations.rows, trace.locations.columns, small.shape[0], small.shape[1])
    shown = (small * (bright / max(float(bright.max()), 1e-9)).clip(0, 1)[..., None]).astype(np.uint8)
    smooth = Qt.TransformationMode.SmoothTransformation
    return QPixmap.fromImage(as_qimage(shown)).scaled(MASK, MASK // 2 + 12, Qt.AspectRatioMode.KeepAspectRatio, smooth)
