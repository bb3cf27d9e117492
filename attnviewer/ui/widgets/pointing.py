"""What stands on a stage while one points at it: a faint grid, and the value of the cell beside the pointer."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QWidget

from attnviewer.core.trace import Floats, Grid
from attnviewer.ui.widgets.bars import number
from attnviewer.ui.widgets.facts import cell as cell_name

FAINT, AWAY = QColor(255, 255, 255, 56), 6  # of the lines; points from the cell to its value


class GridLines(pg.PlotCurveItem):
    """The borders of all cells, in pixels of the photo."""

    def __init__(self) -> None:
        super().__init__(connect="pairs", antialias=False)
        self.setPen(pg.mkPen(FAINT, width=1))
        self._grid: Grid | None = None
        self.hide()

    def show_grid(self, grid: Grid | None) -> None:
        """Show the borders of a grid; None for none."""
        if grid is not None and grid != self._grid:
            self._grid = grid
            left, top, right, bottom = grid.extent
            across, down = np.linspace(left, right, grid.columns + 1), np.linspace(top, bottom, grid.rows + 1)
            x = np.concatenate([np.repeat(across, 2), np.tile([left, right], len(down))])
            y = np.concatenate([np.tile([top, bottom], len(across)), np.repeat(down, 2)])
            self.setData(x, y)
        self.setVisible(grid is not None)


class CellTag(QLabel):
    """A small plate with a number."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._stage = parent
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", "tag")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_value(self, grid: Grid, location: int, values: Floats | None, cell: QRect) -> None:
        """Stand beside a cell, inside the stage, and say where it is and what it holds."""
        share = "" if values is None else f"{number(float(values[location]))}  "
        self.setText(share + cell_name(grid, location))
        self.adjustSize()
        room, at = self._stage.rect(), cell.bottomRight()
        left = at.x() + AWAY if at.x() + AWAY + self.width() <= room.width() else cell.left() - AWAY - self.width()
        top = min(at.y() + AWAY, room.height() - self.height())
        self.move(max(0, left), max(0, top))
        self.show()
        self.raise_()
