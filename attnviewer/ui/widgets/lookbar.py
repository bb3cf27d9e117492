"""How the maps are shown: smooth or cells, the colour range, the opacity, and the legend."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QSlider, QWidget

from attnviewer.core.i18n import later, tr
from attnviewer.ui.controls import Segments, column, label, named, row
from attnviewer.ui.desk import Desk
from attnviewer.ui.look import Look
from attnviewer.ui.widgets.legend import Legend

SHAPES = (
    ("smooth", later("Smooth"), later("Draw the map smoothly (G)")),
    ("cells", later("Cells"), later("Draw the cells that the model has, nothing between them (G)")),
)
RANGES = (
    ("all", later("All words"), later("One colour range for all words: maps can be compared")),
    (
        "word",
        later("Each word"),
        later("A colour range of its own for each word: faint maps become visible, but can't be compared"),
    ),
)
GROUNDS = {
    "grey": (later("Grey"), later("The map is seen best over grey")),
    "dim": (later("Dim"), later("The photo keeps its colours, but darker")),
    "colour": (later("Colour"), later("The photo as it is: its colours mix with those of the map")),
    "spotlight": (later("Spotlight"), later("The photo is dark except where the model looked")),
}
STEP = 10


class LookBar(QWidget):
    """Controls of the `Look` on the desk; `key` holds the legend and the opacity, to stand beside the filmstrip."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.legend = Legend()
        self.shape_ = Segments(SHAPES, lambda key: desk.set_look(smooth=key == "smooth"), tr("Map"))
        self.range = Segments(RANGES, lambda key: desk.set_look(per_word=key == "word"), tr("Colour range"))
        self.ground = named(QComboBox(), tr("Photo below the map"), tr("How the photo lies below the map (P)"))
        for key, (name, tip) in GROUNDS.items():
            self.ground.addItem(tr(name), key)
            self.ground.setItemData(self.ground.count() - 1, tr(tip), Qt.ItemDataRole.ToolTipRole)
        self.ground.activated.connect(lambda _: desk.set_look(ground=self.ground.currentData()))
        self.opacity = named(
            QSlider(Qt.Orientation.Horizontal),
            tr("Opacity of the map"),
            tr("How strongly the map covers the photo (+ and -)"),
        )
        self.opacity.setRange(0, 100)
        self.opacity.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.opacity.valueChanged.connect(self._set_opacity)
        self.setLayout(row(self.ground, self.shape_, self.range, spacing=10))
        self.key = QWidget()
        line = QWidget()
        line.setLayout(row(label(tr("Opacity"), "muted"), self.opacity))
        self.key.setLayout(column(self.legend, line, 1, spacing=8, margins=(6, 6, 0, 0)))
        desk.look_changed.connect(self.show_look)
        self.show_look(desk.look)

    def show_look(self, look: Look) -> None:
        self.shape_.show_choice("smooth" if look.smooth else "cells")
        self.range.show_choice("word" if look.per_word else "all")
        self.opacity.blockSignals(True)
        self.opacity.setValue(round(look.opacity * 100))
        self.opacity.blockSignals(False)
        self.opacity.setEnabled(look.ground != "spotlight")
        self.ground.setCurrentIndex(self.ground.findData(look.ground))

    def _set_opacity(self, percent: int) -> None:
        self._desk.set_look(opacity=percent / 100)

    def toggle_shape(self) -> None:
        """Smooth to cells and back."""
        self._desk.set_look(smooth=not self._desk.look.smooth)

    def next_ground(self) -> None:
        """The photo in the next of its ways: grey, dim, in colour, lit by the map."""
        self._desk.set_look(ground=self.ground.itemData((self.ground.currentIndex() + 1) % self.ground.count()))

    def more(self, by: int) -> None:
        """Raise or lower the opacity by some steps."""
        self.opacity.setValue(self.opacity.value() + by * STEP)
