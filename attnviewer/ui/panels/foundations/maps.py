"""Feature maps of one layer, a tile a channel; the chosen one tells which patch of the photo excites it most."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtWidgets import QComboBox, QWidget

from attnviewer.core.explore.findings import LayerRow, Layers, Maps
from attnviewer.core.i18n import tr
from attnviewer.ui.controls import column, label, named, row
from attnviewer.ui.theme import LIGHT, Tokens
from attnviewer.ui.widgets.raster import Mark, Raster, montage, signed_image

MOST = 64
FIRST = 2  # the layer whose maps are shown at first: deep enough to differ, shallow enough to be seen


def columns_of(count: int) -> int:
    """In how many columns so many tiles stand."""
    return max(1, int(np.ceil((count * 1.9) ** 0.5)))


class MapSheet(QWidget):
    """`ask_for` is called with the name of a layer whose maps are wanted, `chosen` when a channel was chosen."""

    def __init__(self, ask_for: Callable[[str], object], chosen: Callable[[], object]) -> None:
        super().__init__()
        self._ask_for, self._chosen, self._tokens = ask_for, chosen, LIGHT
        self.layers: Layers | None = None
        self.maps: Maps | None = None
        self.channel = -1
        self.title = label(tr("feature maps of the encoder"), "title")
        self.layer = named(QComboBox(), tr("Layer"), tr("Whose feature maps are shown"))
        self.layer.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.layer.activated.connect(lambda _: self.ask())
        self.sheet = Raster(
            tr("Feature maps"), tr("One map a channel; click one to see which patch of the photo excites it most"),
            empty=tr("The encoder looks at the photo …"), top=True,
        )  # fmt: skip
        self.sheet.picked.connect(self._pick)
        rows = column(self.sheet, spacing=4)
        rows.insertLayout(0, row(self.title, 1, self.layer))
        rows.setStretch(1, 1)
        self.setLayout(rows)

    def show_layers(self, layers: Layers) -> None:
        """Offer these layers and ask for the maps of one."""
        self.layers = layers
        for one in layers.layers:
            self.layer.addItem(_name(one), one.name)
        self.layer.setCurrentIndex(min(FIRST, self.layer.count() - 1))
        self.ask()

    def ask(self) -> None:
        """Ask for the maps of the chosen layer."""
        if self.layer.currentData():
            self._ask_for(self.layer.currentData())

    def show_maps(self, maps: Maps) -> None:
        """Show maps, none of them chosen."""
        self.maps, self.channel = maps, -1
        self._show()

    @property
    def tiles(self) -> int:
        """How many maps are shown."""
        return min(len(self.maps.maps), MOST) if self.maps is not None else 0

    @property
    def pitch(self) -> int:
        """From one tile to the next, in units."""
        side = self.maps.maps.shape[1] if self.maps is not None else 1
        return side + max(1, side // 16)

    def _show(self) -> None:
        if self.maps is None:
            return
        tiles = np.asarray(self.maps.maps[: self.tiles], np.float64)
        tops = np.abs(tiles).max(axis=(1, 2), keepdims=True)
        gap = self.pitch - tiles.shape[1]
        sheet = montage(tiles / np.maximum(tops, 1e-9), columns_of(len(tiles)), gap)[0]
        self.sheet.show_image(signed_image(sheet, self._tokens, 1.0))
        self.title.setText(tr("{shown} of {total} feature maps", shown=len(tiles), total=self.maps.layer.channels))
        self._mark()

    def _pick(self, row_at: int, column_at: int) -> None:
        if self.maps is None:
            return
        across = min(column_at // self.pitch, columns_of(self.tiles) - 1)
        self.channel = min(row_at // self.pitch * columns_of(self.tiles) + across, self.tiles - 1)
        self._mark()
        self._chosen()

    def _mark(self) -> None:
        if self.maps is None or self.channel < 0:
            return self.sheet.show_marks(())
        down, across = divmod(self.channel, columns_of(self.tiles))
        left, top, side = across * self.pitch, down * self.pitch, self.maps.maps.shape[1]
        return self.sheet.show_marks((Mark((left, top, left + side, top + side), "caution"),))

    def exciting(self) -> tuple[float, float, float, float] | None:
        """The patch that excites the chosen channel most (left, top, right, bottom), as shares of the photo."""
        if self.maps is None or self.layers is None or self.channel < 0:
            return None
        found, side = self.maps.maps[self.channel], self.layers.side
        place = np.unravel_index(int(found.argmax()), found.shape)
        (top, bottom), (left, right) = (self.maps.layer.field.span(int(at), side) for at in place)
        return left / side, top / side, right / side, bottom / side

    def set_tokens(self, tokens: Tokens) -> None:
        """Paint in the colours of the theme."""
        self._tokens = tokens
        self.sheet.set_tokens(tokens)
        self._show()


def _name(one: LayerRow) -> str:
    return tr("{name} ({side}²)", name=one.name, side=one.field.side)
