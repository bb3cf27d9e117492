"""Convolution: a kernel that one can edit slides over the photo, with its products; and the encoder's feature maps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from PIL import Image
from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from attnviewer.core.errors import UserError
from attnviewer.core.explore.convolution import Doubles, convolve, grey, preset, window
from attnviewer.core.explore.finding import Finding
from attnviewer.core.explore.findings import Layers, Maps
from attnviewer.core.explore.requests import LayersRequest, MapsRequest
from attnviewer.core.i18n import tr
from attnviewer.ui.controls import column, label, row
from attnviewer.ui.desk import Desk
from attnviewer.ui.panels.foundations.base import EMPTY, Experiment
from attnviewer.ui.panels.foundations.convchoices import GREY, RGB, ConvChoices
from attnviewer.ui.panels.foundations.maps import MapSheet, columns_of
from attnviewer.ui.panels.foundations.products import told
from attnviewer.ui.theme import Tokens
from attnviewer.ui.widgets.raster import Mark, Raster, grey_image, montage, signed_image

SLIDING_MS, STOPS_A_ROW = 220, 12


class ConvExperiment(Experiment):
    """Everything about the one kernel is computed at once; layers and feature maps come from the model thread."""

    name = "conv"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.weights: Doubles = preset("edges")
        self.colour, self.at = False, (0, 0)
        self.image: Doubles = np.zeros((1, 1))
        self.pixels = np.zeros((1, 1, 3), np.uint8)
        self.output: Doubles | None = None
        self.layers: Layers | None = None
        self._sliding = QTimer(self)
        self._sliding.setInterval(SLIDING_MS)
        self._sliding.timeout.connect(self._advance)
        self.choices = ConvChoices(
            slid=self.slide, typed=self._typed, put=self._put, rescaled=self._rescale,
            coloured=self._choose_channels, play=self.toggle,
        )  # fmt: skip
        self.choices.kernel.show_weights(self.weights)
        self._make_views()
        self.lay_out(self._stage(), self.choices.parts())

    def _make_views(self) -> None:
        self.photo = Raster(
            tr("The photo and the window"), tr("Click or use the arrow keys to move the window"), empty=tr(EMPTY)
        )
        self.result = Raster(tr("The output"), tr("One number for each stop; click one to see how it was made"))
        self.seen = Raster(
            tr("What the kernel sees"), tr("The pixels under the kernel, enlarged"), still=True, top=True
        )
        self.learnt = Raster(
            tr("Learnt kernels"), tr("Kernels of the encoder's first layer; click one to let it slide"), top=True
        )
        self.sheet = MapSheet(self._ask_maps, lambda: self.point(*self.at))
        self.products = label("", "products")
        self.photo.picked.connect(self._point_photo)
        self.result.picked.connect(self._point_result)
        self.learnt.picked.connect(self._pick_kernel)

    def _stage(self) -> QWidget:
        self.photo_title, self.result_title = label("", "title"), label("", "title")
        pair, lower, whole = row(spacing=14), row(spacing=14), QWidget()
        pair.addLayout(column(self.photo_title, self.photo, spacing=4), 1)
        pair.addLayout(column(self.result_title, self.result, spacing=4), 1)
        self.seen.setFixedSize(118, 118)
        stop = column(label(tr("this stop"), "title"), self.seen, self.products, 1, spacing=6)
        learnt = column(label(tr("learnt kernels"), "title"), self.learnt, spacing=4)
        learnt.setStretch(1, 1)
        for part, wide in ((stop, 3), (learnt, 2)):
            lower.addLayout(part, wide)
        lower.addWidget(self.sheet, 4)
        rows = column(spacing=10)
        rows.addLayout(pair, 3)
        rows.addLayout(lower, 2)
        whole.setLayout(rows)
        return whole

    def begin(self) -> None:
        self._rescale()
        self.point(self.image.shape[0] // 2, 0)
        if self.layers is None:
            self.ask(LayersRequest(), "layers")
        else:
            self.sheet.ask()
        self._sliding.start()

    def _rescale(self, *_: object) -> None:
        picture, side = self.desk.picture, self.choices.photo.value
        if picture is None:
            return
        scale = min(1.0, side / max(picture.width, picture.height))
        size = max(1, round(picture.width * scale)), max(1, round(picture.height * scale))
        self.pixels = np.asarray(Image.fromarray(picture.pixels).resize(size, Image.Resampling.BILINEAR))
        self._take_channels()

    def _take_channels(self) -> None:
        self.image = self.pixels.astype(np.float64) if self.colour else grey(self.pixels)
        self.photo.show_image(self.pixels if self.colour else grey_image(self.image))
        self.slide()

    def slide(self, *_: object) -> None:
        """Compute the output anew."""
        try:
            self.output = convolve(self.image, self.weights, self.choices.way)
        except UserError as error:
            return self._fail(str(error))
        (rows, columns), (high, wide) = self.image.shape[:2], self.output.shape
        self.photo_title.setText(tr("photo, {rows} x {columns}", rows=rows, columns=columns))
        self.result_title.setText(tr("output, {rows} x {columns}", rows=high, columns=wide))
        self.choices.show_formula(rows, columns)
        self._paint_output()
        return self.point(*self.at)

    def _fail(self, fault: str) -> None:
        self.output = None
        self.result.show_image(None)
        self.photo.show_marks(())
        for part in (self.products, self.choices.formula, self.result_title):
            part.setText("")
        self.tell(fault, fault=True)

    def _paint_output(self) -> None:
        if self.output is None:
            return
        if (self.weights >= 0).all():
            self.result.show_image(grey_image(self.output, 0, max(255.0 * float(self.weights.sum()), 1e-9)))
        else:
            self.result.show_image(signed_image(self.output, self.desk.tokens))

    def point(self, row_at: int, column_at: int) -> None:
        """Show how the output at a place was made."""
        if self.output is None:
            return
        way = self.choices.way
        seen = window(self.image, self.weights, way, row_at, column_at)
        self.at = self.result.at = (seen.row, seen.column)
        self.photo.at = (max(seen.top, 0), max(seen.left, 0))
        box = (seen.left, seen.top, seen.left + way.span, seen.top + way.span)
        self.photo.show_marks((*self._exciting(), Mark(box)))
        self.result.show_marks((Mark((seen.column, seen.row, seen.column + 1, seen.row + 1)),))
        self.seen.show_image(seen.values.round().astype(np.uint8) if self.colour else grey_image(seen.values))
        self.products.setText(told(seen))
        self.tell(
            tr("The same {count} weights are used at all {stops} stops. A photo of another size needs no others.",
               count=self.weights.size, stops=f"{self.output.size:,}")
        )  # fmt: skip

    def _point_result(self, row_at: int, column_at: int) -> None:
        self._sliding.stop()
        self.point(row_at, column_at)

    def _point_photo(self, row_at: int, column_at: int) -> None:
        self._sliding.stop()
        way = self.choices.way
        middle = way.span // 2 - way.margin
        self.point(round((row_at - middle) / way.stride), round((column_at - middle) / way.stride))

    def _advance(self) -> None:
        if self.output is not None:
            self.step(max(1, self.output.shape[1] // STOPS_A_ROW))

    def step(self, by: int = 1) -> None:
        """Move the window along, row by row."""
        if self.output is not None:
            wide = self.output.shape[1]
            self.point(*divmod((self.at[0] * wide + self.at[1] + by) % self.output.size, wide))

    def toggle(self) -> None:
        """Slide, or hold."""
        if self._sliding.isActive():
            self._sliding.stop()
        else:
            self._sliding.start()

    def _typed(self, weights: Doubles) -> None:
        self.weights = weights
        self.choices.own()
        self.slide()

    def _put(self, weights: Doubles) -> None:
        """Let a known kernel slide; for RGB each channel gets a third of it."""
        self.weights = np.repeat(weights[..., None], 3, axis=2) / 3 if self.colour else weights
        self.choices.kernel.show_weights(self.weights)
        self.slide()

    def _choose_channels(self, key: str) -> None:
        """The old kernel meets other channels: say why it can't go on, then give it weights for them."""
        self.colour = key == RGB
        self._take_channels()
        fault = self.says.text() if self.output is None else ""
        self.choices.first_preset()
        if fault:
            self.tell(tr("{fault} Now it has {count} weights.", fault=fault, count=self.weights.size))

    def _pick_kernel(self, row_at: int, column_at: int) -> None:
        """Let a learnt kernel slide; it has weights for three channels."""
        if self.layers is None:
            return
        count, side = self.layers.kernels.shape[:2]
        number = min(row_at // (side + 1) * columns_of(count) + column_at // (side + 1), count - 1)
        self.colour = True
        self.choices.channels.show_choice(RGB)
        self.choices.own()
        self.choices.size.put(side - 1)
        self.weights = np.asarray(self.layers.kernels[number], np.float64)
        self.choices.kernel.show_weights(self.weights)
        self._take_channels()
        self.tell(
            tr("Kernel {number} of the encoder's first layer: {count} weights for RGB, learnt from photos.",
               number=number, count=self.weights.size)
        )  # fmt: skip

    def take(self, finding: Finding) -> None:
        if isinstance(finding, Layers) and self.layers is None:
            self.layers = finding
            self._show_kernels(finding)
            self.sheet.show_layers(finding)
        elif isinstance(finding, Maps):
            self.sheet.show_maps(finding)

    def _show_kernels(self, layers: Layers) -> None:
        kernels = np.asarray(layers.kernels, np.float64)  # [C, k, k, 3]
        tops = np.abs(kernels).max(axis=(1, 2, 3), keepdims=True)
        shown = (kernels / np.maximum(tops, 1e-12) + 1) / 2 * 255
        tiles = [montage(shown[..., channel], columns_of(len(kernels)))[0] for channel in range(3)]
        self.learnt.show_image(np.nan_to_num(np.stack(tiles, axis=-1), nan=40).round().astype(np.uint8))

    def _ask_maps(self, layer: str) -> None:
        if self.desk.picture is not None:
            self.ask(MapsRequest(self.desk.picture, layer), "maps")

    def _exciting(self) -> tuple[Mark, ...]:
        """The patch of the photo that excites the chosen channel most, in pixels of the photo as it is shown."""
        share = self.sheet.exciting()
        if share is None:
            return ()
        rows, columns = self.image.shape[:2]
        box = share[0] * columns, share[1] * rows, share[2] * columns, share[3] * rows
        return (Mark(box, "#f3c26b", dashed=True, text=tr("channel {number}", number=self.sheet.channel)),)

    def set_tokens(self, tokens: Tokens) -> None:
        for view in (self.photo, self.result, self.seen, self.learnt, self.sheet):
            view.set_tokens(tokens)
        self._paint_output()

    def hideEvent(self, event: QHideEvent) -> None:
        self._sliding.stop()
        super().hideEvent(event)

    def commands(self) -> dict[str, Callable[[], object]]:
        return {
            "play": self.toggle,
            "on": partial(self.step, 1),
            "back": partial(self.step, -1),
            "first": lambda: self.point(0, 0),
            "last": lambda: self.point(*self.output.shape) if self.output is not None else None,
        }

    def numbers(self) -> dict[str, Any]:
        if self.output is None:
            return {}
        way = self.choices.way
        return {
            "input": self.image.shape[:2], "channels": RGB if self.colour else GREY, "output": self.output.shape,
            "kernel": way.kernel, "stride": way.stride, "padding": way.padding, "dilation": way.dilation,
            "weights": self.weights, "window": window(self.image, self.weights, way, *self.at), "values": self.output,
        }  # fmt: skip

    def table(self) -> list[Sequence[Any]]:
        return [] if self.output is None else [list(map(float, line)) for line in self.output.round(4)]
