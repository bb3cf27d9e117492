"""Receptive field: what a unit sees, what attention hears, what is in a patch, who notices a swap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtWidgets import QStackedWidget, QWidget

from attnviewer.core.explore.finding import Finding
from attnviewer.core.explore.findings import Layers, Patches, Swapped, UnitField
from attnviewer.core.explore.listening import Listening
from attnviewer.core.explore.requests import LayersRequest, ListenRequest, PatchRequest, SwapRequest, UnitRequest
from attnviewer.core.i18n import tr
from attnviewer.ui.controls import Segments, button, column, label
from attnviewer.ui.desk import Desk
from attnviewer.ui.panels.foundations.base import EMPTY, Experiment
from attnviewer.ui.panels.foundations.distance import DistancePlot, sentence
from attnviewer.ui.panels.foundations.layers import LayerTable
from attnviewer.ui.panels.foundations.patches import PatchView, in_a_line
from attnviewer.ui.panels.foundations.swaps import FAINT, far_apart, glow, moved, scaled, side_of, telling, who_noticed
from attnviewer.ui.panels.foundations.ways import LISTEN, PATCH, SWAP, UNIT, WAYS
from attnviewer.ui.theme import Tokens
from attnviewer.ui.widgets.knob import Knob
from attnviewer.ui.widgets.plot import Axis, Line, Plot
from attnviewer.ui.widgets.raster import Raster

SHOWN = 640  # pixels along the longer side of the photo on the stage
NOTICED = 0.01  # a unit notices a change of 1 % of its length


class FieldExperiment(Experiment):
    """Four things to do with one photo, chosen at the top of the side."""

    name = "field"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.way = UNIT
        self.layers: Layers | None = None
        self.unit: UnitField | None = None
        self.heard: Listening | None = None
        self.patches: Patches | None = None
        self.swapped: Swapped | None = None
        self.place = (0.5, 0.5)  # of the unit, as shares of height and width
        self.corners: list[tuple[int, int]] = []
        self._make_views()
        self.lay_out(self._stage(), self._side())
        self._show_way()

    def _make_views(self) -> None:
        self.photo = Raster(
            tr("The photo"), tr("Click a place: its unit, its patch, or the square that moves there"),
            empty=tr(EMPTY),
        )  # fmt: skip
        self.photo.setMinimumHeight(190)
        self.photo.picked.connect(self._click)
        self.ways = Segments([(way.key, way.name, way.tip) for way in WAYS], self.choose, tr("What to do"))
        self.rows = LayerTable(self._choose_layer)
        self.layer_knob = Knob(tr("Layer"), tr("From the photo to the deepest layer"), 0, self._choose_layer,
                               tell=self._layer_name)  # fmt: skip
        self.patch_view = PatchView(self._choose_patch, self._choose_word)
        self.notice = Plot(
            tr("Units that notice, by layer"), tr("Share of each layer's units that change by more than 1 %"),
            Axis(tr("layer"), tell=lambda at: f"{at:.0f}"), Axis(low=0, high=1, tell="{:.0%}".format),
        )  # fmt: skip
        self.notice.picked.connect(lambda at: self._choose_layer(round(at)))
        self.far = DistancePlot()

    def _stage(self) -> QWidget:
        self.below = QStackedWidget()
        empty = QWidget()
        for page in (empty, self.far, self.patch_view, self.notice):
            self.below.addWidget(page)
        whole = QWidget()
        rows = column(self.photo, self.below, spacing=10)
        rows.setStretch(0, 5)
        rows.setStretch(1, 3)
        whole.setLayout(rows)
        return whole

    def _side(self) -> Sequence[QWidget | int]:
        self.hint = label("", "muted", wrap=True)
        self.run = button("", tr("Do it again for this photo"), self._again, glyph="play")
        self.captions = label("", "", wrap=True)
        self.table_title = label(tr("how the field grows, layer by layer"), "title")
        return self.ways, self.hint, self.run, self.layer_knob, self.table_title, self.rows, self.captions, 1

    def _layer_name(self, at: int) -> str:
        return self.layers.layers[at].name if self.layers is not None else ""

    def begin(self) -> None:
        picture = self.desk.picture
        assert picture is not None
        self.unit = self.heard = self.patches = self.swapped = None
        self.corners = far_apart(picture)
        self._show_photo()
        if self.layers is None:
            self.ask(LayersRequest(), "layers")  # which then asks for a unit
        else:
            self._again()

    def _show_photo(self, over: Any = None, *, cells: bool = False) -> None:
        picture = self.desk.picture
        if picture is None:
            return
        step = max(1, -(-max(picture.width, picture.height) // SHOWN))
        pixels = picture.pixels[::step, ::step]
        dim = pixels.mean(axis=2, keepdims=True).repeat(3, axis=2) * 0.6 if over is not None else pixels
        self.photo.show_image(np.ascontiguousarray(dim.astype(np.uint8)), over, cells=cells)

    def choose(self, way: str) -> None:
        """Do another of the three things."""
        self.way = way
        self._show_way()
        self._show()
        if {UNIT: self.unit, LISTEN: self.heard, PATCH: self.patches, SWAP: self.swapped}[way] is None:
            self._again()

    def _show_way(self) -> None:
        self.ways.show_choice(self.way)
        self.below.setCurrentIndex([way.key for way in WAYS].index(self.way))
        self.below.setVisible(self.way != UNIT)
        for part in (self.layer_knob, self.table_title, self.rows):
            part.setVisible(self.way in (UNIT, SWAP))
        self.captions.setVisible(self.way == PATCH)
        way = next(way for way in WAYS if way.key == self.way)
        self.hint.setText(tr(way.hint))
        self.run.setText(tr(way.again))

    def _again(self) -> None:
        """Begin with the place that suits most."""
        self.place = (0.5, 0.5)
        self._ask(None)

    def _click(self, row_at: int, column_at: int) -> None:
        rows, columns = self.photo.shape
        self.place = ((row_at + 0.5) / rows, (column_at + 0.5) / columns)
        if (picture := self.desk.picture) is not None:
            self._ask((self.place[1] * picture.width, self.place[0] * picture.height))

    def _ask(self, place: tuple[float, float] | None) -> None:
        """Do what is chosen, at (x, y) in pixels of the photo or where it suits most."""
        ways: dict[str, Callable[[], object]] = {
            UNIT: self._ask_unit,
            LISTEN: self._ask_listen,
            PATCH: partial(self._ask_patches, place),
            SWAP: partial(self._ask_swap, place),
        }
        ways[self.way]()

    def _ask_unit(self) -> None:
        picture = self.desk.picture
        if picture is None:
            return None
        if self.layers is None or self.rows.at < 0:
            return self.ask(UnitRequest(picture), UNIT)
        row = self.layers.layers[self.rows.at]
        row_at, column_at = (min(int(share * row.field.side), row.field.side - 1) for share in self.place)
        return self.ask(UnitRequest(picture, row.name, row_at, column_at), UNIT)

    def _ask_listen(self) -> None:
        if self.desk.picture is not None:
            self.ask(ListenRequest(self.desk.picture, self.place), LISTEN)

    def _ask_patches(self, place: tuple[float, float] | None, word: int | None = None) -> None:
        if self.desk.picture is not None:
            x, y = place or (None, None)
            self.cut = place
            self.ask(PatchRequest(self.desk.picture, x, y, word=word), PATCH)

    def _choose_word(self, word: int) -> None:
        self._ask_patches(self.cut, word)

    def _ask_swap(self, place: tuple[float, float] | None) -> None:
        picture = self.desk.picture
        if picture is not None:
            self.corners = moved(picture, self.corners, *place) if place else self.corners
            self.ask(SwapRequest(picture, self.corners[0], self.corners[1], side_of(picture)), SWAP)

    def _choose_layer(self, at: int) -> None:
        if self.layers is None:
            return
        at = min(max(at, 0), len(self.layers.layers) - 1)
        self.rows.mark(at)
        self.layer_knob.put(at)
        if self.way == UNIT:
            self._ask_unit()
        else:
            self._show()

    def _choose_patch(self, _at: int) -> None:
        self._show()

    def take(self, finding: Finding) -> None:
        if isinstance(finding, Layers):
            self.layers = finding
            self.layer_knob.limit(len(finding.layers) - 1)
            self.rows.show_layers(finding)
            self._choose_layer(telling(finding))
        elif isinstance(finding, UnitField):
            self.unit = finding
        elif isinstance(finding, Listening):
            self.heard = finding
        elif isinstance(finding, Patches):
            self.patches = finding
            self.patch_view.show_patches(finding, self.desk.picture)
        elif isinstance(finding, Swapped):
            self.swapped = finding
        self._show()

    def _show(self) -> None:
        {UNIT: self._show_unit, LISTEN: self._show_heard, PATCH: self._show_patches, SWAP: self._show_swap}[self.way]()

    def _show_unit(self) -> None:
        found = self.unit
        if found is None or self.layers is None:
            return self._show_photo()
        at = next(n for n, row in enumerate(self.layers.layers) if row.name == found.layer.name)
        self.rows.mark(at)
        self.layer_knob.put(at)
        self._show_photo(glow(found.gradient))
        self.photo.show_marks((scaled(found.box, (found.side, found.side), self.photo.shape),))
        size = found.layer.field.size
        told = {"layer": found.layer.name, "row": found.row, "column": found.column, "size": size,
                "width": f"{found.width:.0f}",
                "wider": tr(" (more than the whole photo)") if size > found.side else ""}  # fmt: skip
        return self.tell(
            tr("The unit of {layer} at row {row}, column {column} can see {size} x {size} pixels{wider}. "
               "What moves it is about as large as {width} x {width}.", **told)
        )  # fmt: skip

    def _show_heard(self) -> None:
        found = self.heard
        if found is None:
            return self._show_photo()
        self._show_photo(glow(found.weights / found.weights.max()), cells=True)
        side = len(found.weights)
        self.photo.show_marks((scaled(found.near, (side, side), self.photo.shape),))
        self.far.show_finding(found)
        return self.tell(sentence(found))

    def _show_patches(self) -> None:
        self._show_photo()
        found, picture = self.patches, self.desk.picture
        if found is None or picture is None or not found.patches:
            return self.photo.show_marks(())
        source, at = (picture.width, picture.height), self.patch_view.at
        others = [scaled(p.box, source, self.photo.shape, FAINT, dashed=True) for p in found.patches]
        self.photo.show_marks((*others, scaled(found.patches[at].box, source, self.photo.shape)))
        self.captions.setText("\n\n".join(map(in_a_line, found.patches)))
        return self.tell(self.patch_view.sentence(found))

    def _show_swap(self) -> None:
        found = self.swapped
        if found is None or self.layers is None:
            self._show_photo()
            return self.photo.show_marks(())
        shares = [float((change > NOTICED).mean()) for change in found.changes]
        at = max(self.rows.at, 0)
        steps = tuple(map(float, range(len(shares))))
        self.notice.show_lines((Line(tr("units that changed"), steps, tuple(shares), points=True),), float(at))
        self._show_photo(glow(np.asarray(found.changes[at]) > NOTICED), cells=True)
        source = (self.layers.side, self.layers.side)
        self.photo.show_marks(
            [scaled(box, source, self.photo.shape, text=name) for box, name in zip(found.boxes, "AB", strict=True)]
        )
        return self.tell(who_noticed(self.layers, shares, at))

    def set_tokens(self, tokens: Tokens) -> None:
        for view in (self.photo, self.far, self.notice, self.patch_view):
            view.set_tokens(tokens)
        self.rows.fit()

    def commands(self) -> dict[str, Callable[[], object]]:
        return {
            "play": self._again,
            "on": lambda: self._choose_layer(self.rows.at + 1),
            "back": lambda: self._choose_layer(self.rows.at - 1),
            "first": lambda: self._choose_layer(0),
            "last": lambda: self._choose_layer(10**6),
        }

    def numbers(self) -> dict[str, Any]:
        found = {
            "layers": self.layers,
            "unit": self.unit,
            "attention": self.heard,
            "patches": self.patches,
            "swap": self.swapped,
        }
        return {key: value for key, value in found.items() if value is not None}

    def table(self) -> list[Sequence[Any]]:
        names = ("name", "kernel", "stride", "size", "jump", "start", "side")
        layers = self.layers.layers if self.layers is not None else ()
        return [(*names, "channels"), *((*(getattr(one.field, key) for key in names), one.channels) for one in layers)]
