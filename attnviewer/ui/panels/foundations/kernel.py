"""A kernel as a table of numbers that can be typed over; of a kernel for RGB the three slices are told in colour."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from attnviewer.core.explore.convolution import Doubles
from attnviewer.core.i18n import tr
from attnviewer.ui.controls import named

HIGH = 168


class KernelTable(QTableWidget):
    """The weights; `edited` is called with all of them when one was typed."""

    def __init__(self, edited: Callable[[Doubles], object]) -> None:
        super().__init__()
        named(self, tr("Weights of the kernel"), tr("Double click or press F2 to type another weight"))
        self._edited, self._weights = edited, np.zeros((0, 0))
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.hide()
            header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
            header.setMinimumSectionSize(8)
        self.setFixedHeight(HIGH)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.cellChanged.connect(self._take)

    def show_weights(self, weights: Doubles) -> None:
        """Show weights [K, K], or [K, K, 3] that can't be typed."""
        self._weights = np.array(weights, np.float64)
        side = len(weights)
        self.blockSignals(True)
        self.setRowCount(side)
        self.setColumnCount(side)
        flat = weights.ndim == 2
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed if flat
                             else triggers.NoEditTriggers)  # fmt: skip
        for row in range(side):
            for column in range(side):
                self.setItem(row, column, self._item(row, column))
        self.blockSignals(False)

    def _item(self, row: int, column: int) -> QTableWidgetItem:
        weight = self._weights[row, column]
        if np.ndim(weight) == 0:
            made = QTableWidgetItem(f"{weight:.3g}")
        else:
            made = QTableWidgetItem("")
            top = float(np.abs(self._weights).max()) or 1.0
            made.setBackground(QColor(*(int((one / top + 1) / 2 * 255) for one in weight)))
            made.setToolTip("R {:.3g}, G {:.3g}, B {:.3g}".format(*weight))
        made.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
        return made

    def _take(self, row: int, column: int) -> None:
        if self._weights.ndim != 2:
            return
        item = self.item(row, column)
        try:
            value = float(("" if item is None else item.text()).replace(",", "."))
            if not np.isfinite(value) or abs(value) > 1e6:
                raise ValueError
        except ValueError:  # no number: the old one stands
            self.blockSignals(True)
            self.setItem(row, column, self._item(row, column))
            self.blockSignals(False)
            return
        self._weights[row, column] = value
        self._edited(self._weights.copy())
