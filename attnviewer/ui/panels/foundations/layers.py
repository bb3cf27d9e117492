"""The layers of the encoder as a table: how field, stride and resolution grow."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from attnviewer.core.explore.findings import Layers
from attnviewer.core.i18n import tr
from attnviewer.ui.controls import named
from attnviewer.ui.textsize import scaled

HIGH = 22


class LayerTable(QTableWidget):
    """A row a layer; `choose` is called with the number of the row that the user picks."""

    def __init__(self, choose: Callable[[int], object]) -> None:
        super().__init__()
        named(
            self,
            tr("Layers"),
            tr("K: kernel / stride. Field: pixels that a unit can see. Jump: pixels from one unit to the next."),
        )
        self._choose = choose
        self.at = -1
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.verticalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.currentCellChanged.connect(self._moved)

    def show_layers(self, layers: Layers) -> None:
        """Show these layers."""
        heads = (tr("layer"), tr("K"), tr("field"), tr("jump"), tr("units"))
        self.blockSignals(True)
        self.setColumnCount(len(heads))
        self.setHorizontalHeaderLabels(heads)
        self.setRowCount(len(layers.layers))
        for number, one in enumerate(layers.layers):
            field = one.field
            stride = f" /{field.stride}" if field.stride > 1 else ""
            texts = (one.name, f"{field.kernel}{stride}", str(field.size), str(field.jump), f"{field.side}²")
            for place, text in enumerate(texts):
                item = QTableWidgetItem(text)
                side = Qt.AlignmentFlag.AlignLeft if place == 0 else Qt.AlignmentFlag.AlignRight
                item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
                self.setItem(number, place, item)
        self.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.fit()
        self.blockSignals(False)

    def fit(self) -> None:
        """Take the height that the letters need."""
        self.verticalHeader().setDefaultSectionSize(scaled(HIGH))
        self.setMinimumHeight(min(self.rowCount() + 1, 19) * scaled(HIGH) + 12)

    def mark(self, at: int) -> None:
        """Mark a layer without telling."""
        self.at = at
        self.blockSignals(True)
        self.setCurrentCell(at, 0)
        self.blockSignals(False)

    def _moved(self, row: int, *_: int) -> None:
        if row >= 0 and row != self.at:
            self.at = row
            self._choose(row)
