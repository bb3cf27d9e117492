"""What a saved trace shows in place of a photo that isn't at hand: a grey field, and a way to find the photo."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QFrame

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.images import SUFFIXES, Picture, load_picture
from attnviewer.core.photos import fits
from attnviewer.core.trace import Source
from attnviewer.ui.controls import button, label, row

GREY, SIDE = 205, 640


def grey(source: Source) -> Picture:
    """A field of the photo's shape."""
    shape = (source.height or SIDE, source.width or SIDE, 3)
    return Picture(np.full(shape, GREY, np.uint8))


class MissingPhoto(QFrame):
    """A line with a button; hidden while no photo is missing.

    Signals
    -------
    found(object) : the `Picture` that was missing.
    """

    found = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("foot")
        self._source: Source | None = None
        self.told = label("", "muted", wrap=True)
        self.search = button(
            tr("Find the photo…"), tr("Choose the photo that this trace was made from"), self._find, glyph="open"
        )
        self.choose: Callable[[], str] = self._ask
        line = row(self.told, self.search, spacing=12, margins=(12, 6, 12, 6))
        line.setStretch(0, 1)
        self.setLayout(line)
        self.hide()

    def show_for(self, source: Source | None) -> None:
        """Say that the photo of a source is missing; None: none is."""
        self._source = source
        self.setVisible(source is not None)
        if source is not None:
            name = source.path or tr("a photo that was pasted")
            self.told.setText(tr("The photo isn't at hand: {name}. The maps are those that were saved.", name=name))

    def _ask(self) -> str:
        forms = f"{tr('Photos')} ({' '.join(f'*{suffix}' for suffix in SUFFIXES)})"
        return QFileDialog.getOpenFileName(self, tr("Find the photo"), "", forms)[0]

    def _find(self) -> None:
        path = self.choose()
        if not path or self._source is None:
            return None
        try:
            picture = load_picture(path)
        except UserError as error:
            return self.told.setText(str(error))
        if not fits(picture, self._source):
            sizes = {"wide": picture.width, "high": picture.height}
            wanted = {"width": self._source.width, "height": self._source.height}
            return self.told.setText(
                tr("That photo has {wide} × {high} pixels, the one looked at had {width} × {height}; choose another.",
                   **sizes, **wanted)
            )  # fmt: skip
        self.show_for(None)
        return self.found.emit(picture)
