"""2-d positions: click a place of a photo, and see how alike the vectors of all places are to its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from attnviewer.core.i18n import later, tr
from attnviewer.core.images import Picture
from attnviewer.core.trace import Floats
from attnviewer.core.transformer.findings import GridPlaces
from attnviewer.core.transformer.positions import alike
from attnviewer.core.transformer.requests import GridRequest
from attnviewer.ui.controls import column, label, row
from attnviewer.ui.panels.transformer.heat import HeatMap, Shown
from attnviewer.ui.theme import LIGHT, Tokens
from attnviewer.ui.widgets.raster import Mark, Raster

STRONG = 210  # opacity of a place that is all alike
RING = {True: "on_accent", False: "text"}  # the light colour of a light theme, and of a dark one
NO_PHOTO = later("Drop a photo, paste one, or pick a sample")


class PhotoPlaces(QWidget):
    """The photo with its places lit by likeness, and their vectors.

    Signals
    -------
    wanted(object) : a `GridRequest`.
    said(str) : what is seen now.
    """

    wanted = Signal(object)
    said = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._picture: Picture | None = None
        self._asked: Picture | None = None
        self._tokens: Tokens | None = None
        self.found: GridPlaces | None = None
        self.cell = (0, 0)
        self.photo = Raster(
            tr("Photo with the likeness of its places"), tr("Click a place; arrow keys move it"), empty=tr(NO_PHOTO)
        )
        self.vectors = HeatMap(tr("Vectors of the places of the photo"))
        self.photo.picked.connect(self._pick)
        left, right = QWidget(), QWidget()
        left.setLayout(column(label(tr("Cosine with the place that you clicked"), "title"), self.photo, spacing=4))
        title = label(tr("Vectors, a row a place: the row of the photo in the left half, its column in the right"),
                      "title", wrap=True)  # fmt: skip
        right.setLayout(column(title, self.vectors, spacing=4))
        for box in (left, right):
            box.layout().setStretch(1, 1)  # type: ignore[union-attr]
        self.setLayout(row(left, right, spacing=16))
        self.layout().setStretch(0, 3)  # type: ignore[union-attr]
        self.layout().setStretch(1, 2)  # type: ignore[union-attr]

    def show_picture(self, picture: Picture) -> None:
        """Take another photo."""
        self._picture = picture
        if self.isVisible():
            self.visit()

    def visit(self) -> None:
        """Ask for the places of the photo, if that wasn't done."""
        if self._picture is not None and self._asked is not self._picture:
            self._asked = self._picture
            self.wanted.emit(GridRequest(self._picture))

    def take(self, found: GridPlaces) -> None:
        """Show the places of the photo, the middle one chosen."""
        self.found, self.cell = found, (found.rows // 2, found.columns // 2)
        self._show()

    def cosines(self) -> Floats:
        """How alike all places are to the chosen one: [rows, columns]."""
        assert self.found is not None
        pairs = alike(self.found.vectors)
        return np.asarray(pairs[self.cell[0] * self.found.columns + self.cell[1]].reshape(self.found.rows, -1))

    def _pick(self, y: int, x: int) -> None:
        if self.found is None or self._picture is None:
            return
        rows, columns = self.found.rows, self.found.columns
        high, wide = self._picture.height, self._picture.width
        self.cell = min(y * rows // high, rows - 1), min(x * columns // wide, columns - 1)
        self._show()

    def _show(self) -> None:
        if self.found is None or self._picture is None or self._tokens is None:
            return
        found, picture, (r, c) = self.found, self._picture, self.cell
        shares = np.clip(self.cosines(), 0, 1)
        low = float(shares.min())
        lit = (shares - low) / max(1 - low, 1e-9)
        colour = [int(self._tokens.accent[at : at + 2], 16) for at in (1, 3, 5)]
        over = np.zeros((*shares.shape, 4), np.uint8)
        over[..., :3] = colour
        over[..., 3] = np.rint(lit * STRONG)
        grey = picture.pixels.mean(axis=-1, keepdims=True).astype(np.uint8).repeat(3, axis=-1)
        self.photo.show_image(grey, over, cells=True)
        high, wide = picture.height / found.rows, picture.width / found.columns
        self.photo.show_marks(
            (Mark((c * wide, r * high, (c + 1) * wide, (r + 1) * high), RING[self._tokens is LIGHT]),)
        )
        names = tuple(f"{at // found.columns},{at % found.columns}" for at in range(len(found.vectors)))
        self.vectors.show_matrix(Shown(found.vectors, names, (), signed=True, square=False))
        self.vectors.mark(r * found.columns + c)
        self.said.emit(self.sentence())

    def sentence(self) -> str:
        """What is seen, in words."""
        if self._picture is None:
            return tr("Drop a photo, paste one, or pick a sample: its places need two coordinates.")
        if self.found is None:
            return tr("Cutting the photo into places …")
        shares, (r, c) = self.cosines(), self.cell
        beside = float(shares[r, c - 1 if c else c + 1]) if self.found.columns > 1 else 1.0
        return tr(
            "The encoder cuts the photo into {rows} × {columns} places. Half of the numbers tell the row, half the "
            "column, so places in the row and the column of {row},{column} are the most alike (beside it {beside}, in "
            "the farthest corner {far}).", rows=self.found.rows, columns=self.found.columns, row=r, column=c,
            beside=f"{beside:.2f}", far=f"{float(shares.min()):.2f}",
        )  # fmt: skip

    def numbers(self) -> dict[str, Any]:
        """What can be saved as data."""
        return {} if self.found is None else {"cell": self.cell, "cosines": self.cosines()}

    def table(self) -> list[Sequence[Any]]:
        """Cosines, a row a row of the photo."""
        if self.found is None:
            return [()]
        return [("row", *range(self.found.columns)), *((n, *map(float, line)) for n, line in enumerate(self.cosines()))]

    def set_tokens(self, tokens: Tokens) -> None:
        """Paint in the colours of the theme."""
        self._tokens = tokens
        self.photo.set_tokens(tokens)
        self.vectors.set_tokens(tokens)
        self._show()
