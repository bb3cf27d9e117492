"""The alignment matrix: words read across, words written down in their order, one image for all cells."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)

from attnviewer.core import lens
from attnviewer.core.i18n import later, tr
from attnviewer.core.trace import Trace
from attnviewer.ui.textsize import scaled
from attnviewer.ui.widgets.matrixgrid import LONGEST, SLANT, GridPlan, plan
from attnviewer.ui.widgets.minimap import MiniMap, mini_map
from attnviewer.ui.widgets.pull import Pull
from attnviewer.ui.widgets.ramp import as_image
from attnviewer.ui.widgets.wordnotes import about_source, about_target, between, looked_at
from attnviewer.ui.widgets.zoomscroll import ZoomScroll

SIZE, LARGE, SMALLEST, EDGE = 13, 20, 6, 12
NAME = later("Alignment: words read across, words written down, each cell as strong as its weight")


class Matrix(ZoomScroll):
    """Labels stay in sight while the cells scroll; a click on a row moves the clock.

    Signals
    -------
    dragged() : it was pulled with the mouse: the figure is to be taken along.
    forced(int, int) : a cell was clicked, so this word is to look at that source word.
    """

    dragged = Signal()
    forced = Signal(int, int)

    def __init__(self) -> None:
        super().__init__(tr(NAME))
        self._cell, self._pull = (-1, -1), Pull()
        self.trace: Trace | None = None
        self.source: tuple[str, ...] = ()
        self.maps: NDArray[np.float32] = np.zeros((0, 0), np.float32)
        self.top, self.empty = 1.0, ""
        self.offer = ""  # what a click on a cell does
        self.setViewportMargins(EDGE, 2, EDGE, EDGE)
        self.set_large(False)

    def set_large(self, on: bool) -> None:
        """Letters for a room, or for a desk."""
        super().set_large(on)
        self.zoom_to(self.zoom)

    @property
    def mini(self) -> MiniMap | None:
        """The small map of all, where not all is in view."""
        grid, view = self._grid, QRectF(self.viewport().rect())
        view.setTopLeft(QPointF(grid.indent + grid.left, grid.above))
        return mini_map(grid.cells(self.shift), view) if self.maps.size else None

    def sizeHint(self) -> QSize:
        return QSize(520, 300)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 120)

    def show_trace(self, trace: Trace | None, source: Sequence[str], top: float = 1.0, empty: str = "") -> None:
        """Show the maps of a trace; `top` is the weight that is painted strongest, `empty` what stands for no maps."""
        self.trace, self.source, self.top, self.empty = trace, tuple(source), top, empty
        self.maps = lens.maps(trace) if trace is not None and trace.heads else np.zeros((0, len(source)), np.float32)
        self._place()

    def show_word(self, word: int) -> None:
        """Make a word the current row and bring it into sight."""
        self.word = word
        self.setAccessibleDescription(looked_at(self.trace, word) if self.trace is not None else "")
        if 0 <= word < len(self.maps):
            self._bring(word, lens.peak(self.maps[word]))
        self.viewport().update()

    @property
    def _names(self) -> tuple[str, ...]:
        return self.trace.words[: len(self.maps)] if self.trace is not None else ()

    @property
    def grid(self) -> GridPlan:
        """Where the cells lie."""
        return self._grid

    @property
    def cells(self) -> QRectF:
        return self._grid.cells(self.shift)

    def lay_out(self) -> None:
        self.set_size(max(SMALLEST, round(scaled(LARGE if self.large else SIZE) * self.zoom)))
        self._place()

    def _place(self) -> None:
        room, bold = QSizeF(self.viewport().size()), QFont(self.font())
        bold.setBold(True)
        self._grid = plan(self.source, self._names, room, QFontMetricsF(bold), self.zoom)
        needs = self._grid.size
        bars = ((self.horizontalScrollBar(), needs.width(), room.width(), self._grid.cell.width()),
                (self.verticalScrollBar(), needs.height(), room.height(), self._grid.cell.height()))  # fmt: skip
        for bar, need, has, step in bars:
            bar.setRange(0, max(0, round(need - has)))
            bar.setPageStep(max(1, int(has)))
            bar.setSingleStep(round(step))
        self.show_fits(bool(self.maps.size))
        self.viewport().update()

    def _bring(self, row: int, column: int) -> None:
        grid, view = self._grid, QRectF(self.viewport().rect())
        box = grid.box(row, column, self.shift)
        view.setTopLeft(QPointF(grid.indent + grid.left, grid.above))
        if not view.contains(box):
            down, across = box.center().y() - view.center().y(), box.center().x() - view.center().x()
            self.verticalScrollBar().setValue(round(self.shift.y() + down))
            self.horizontalScrollBar().setValue(round(self.shift.x() + across))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _seen(self) -> tuple[range, range]:
        """The rows and columns that can be seen."""
        grid, cells = self._grid, self._grid.cells(self.shift)
        first = max(0, int((grid.above - cells.y()) // grid.cell.height()))
        down = int((self.height() - cells.y()) // grid.cell.height()) + 1
        start = max(0, int((grid.indent + grid.left - grid.tail - cells.x()) // grid.cell.width()))
        across = int((self.width() - cells.x()) // grid.cell.width()) + 1
        return range(first, max(first, min(grid.rows, down))), range(start, max(start, min(grid.columns, across)))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setFont(self.font())
        if self.empty or not self.maps.size:
            painter.setPen(QColor(self._tokens.muted))
            wrap = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.viewport().rect(), wrap, self.empty)
        else:
            self._paint_cells(painter)
            self._paint_labels(painter)
            if (mini := self.mini) is not None:
                painter.setClipping(False)
                mini.paint(painter, self.maps, self.top, self._tokens)
        self.paint_focus(painter)
        painter.end()

    def _paint_cells(self, painter: QPainter) -> None:
        grid, (rows, columns) = self._grid, self._seen()
        painter.save()
        painter.setClipRect(QRectF(self.viewport().rect()).adjusted(grid.indent + grid.left, grid.above, 0, 0))
        first = grid.box(rows.start, columns.start, self.shift)
        size = QSizeF(len(columns) * grid.cell.width(), len(rows) * grid.cell.height())
        seen = self.maps[rows.start : rows.stop, columns.start : columns.stop]
        wide, high = int(grid.cell.width()), int(grid.cell.height())
        painter.drawImage(first.topLeft(), as_image(seen, self.top, self._tokens, wide, high))
        painter.setPen(QPen(QColor(self._tokens.stage), 1))
        for row in rows:
            start = grid.box(row, columns.start, self.shift).topLeft()
            painter.drawLine(start, QPointF(start.x() + size.width(), start.y()))
        for column in columns:
            top = grid.box(rows.start, column, self.shift).topLeft()
            painter.drawLine(top, QPointF(top.x(), first.y() + size.height()))
        self._paint_marks(painter)
        painter.restore()

    def _paint_marks(self, painter: QPainter) -> None:
        cells = self._grid.cells(self.shift)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if 0 <= self.word < len(self.maps):
            line = self._grid.box(self.word, 0, self.shift)
            painter.setPen(QPen(QColor(self._tokens.text), 2))
            painter.drawRect(QRectF(cells.x(), line.y(), cells.width(), line.height()).adjusted(1, 1, -1, -1))
        if 0 <= self.pointed < len(self.source):
            line = self._grid.box(0, self.pointed, self.shift)
            painter.setPen(QPen(QColor(self._tokens.caution), 2, Qt.PenStyle.DashLine))
            painter.drawRect(QRectF(line.x(), cells.y(), line.width(), cells.height()).adjusted(1, 1, -1, -1))

    def _paint_labels(self, painter: QPainter) -> None:
        grid, (rows, columns) = self._grid, self._seen()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        view = QRectF(self.viewport().rect())
        painter.setClipRect(QRectF(0, grid.above, grid.indent + grid.left, view.height()))
        every = math.ceil((painter.fontMetrics().height() - 2) / grid.cell.height())  # labels that have room
        for row in [row for row in rows if row % every == 0 or row == self.word]:
            box = grid.box(row, 0, self.shift)
            room = QRectF(grid.indent, box.y(), grid.left - 8, box.height())
            middle = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(room, middle, self._label(painter, self._names[row], row == self.word))
        painter.setClipRect(QRectF(grid.indent + grid.left, 0, view.width(), grid.above))
        for column in columns:
            self._paint_column(painter, column)

    def _paint_column(self, painter: QPainter, column: int) -> None:
        grid, box = self._grid, self._grid.box(0, column, self.shift)
        text = self._label(painter, self.source[column], column == self.pointed)
        if grid.flat:
            room = QRectF(box.x(), 0, box.width(), grid.above - 4)
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)
            return
        painter.save()
        painter.translate(box.center().x() + 2, grid.above - 4)
        painter.rotate(-SLANT)
        painter.drawText(QPointF(0, 0), text)
        painter.restore()

    def _label(self, painter: QPainter, text: str, strong: bool) -> str:
        font = QFont(self.font())
        font.setBold(strong)
        painter.setFont(font)
        painter.setPen(QColor(self._tokens.text if strong else self._tokens.muted))
        return painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(LONGEST))

    @property
    def places(self) -> int:
        return len(self.source)

    def about(self, place: int) -> str:
        return about_source(self.trace, self.source, place) if 0 <= place < self.places else ""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pull.moved(event):
            return self.dragged.emit()
        cell = self._grid.at(event.position(), self.shift)
        if self.maps.size and cell != self._cell:
            self._cell = cell
            self.point(cell[1])
            self.tell(event.globalPosition().toPoint(), event.position().toPoint())
        return None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        mini = self.mini
        if mini is not None and (share := mini.share(event.position())) is not None:
            return self.pin(QPointF(self.viewport().rect().center()), share.x(), share.y())
        self._pull.press(event)
        row, _ = self._grid.at(event.position(), self.shift)
        if row >= 0 and self.maps.size:
            self.chosen.emit(row)
        return None

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        row, column = self._grid.at(event.position(), self.shift)
        mini = self.mini
        beside = mini is None or mini.share(event.position()) is None
        if self._pull.released() and beside and min(row, column) >= 0 and self.maps.size:
            self.forced.emit(row, column)

    def tip_at(self, point: QPointF) -> str:
        row, column = self._grid.at(point, self.shift)
        if self.trace is None or not self.maps.size or (row < 0 and column < 0):
            return ""
        if row < 0:
            return about_source(self.trace, self.source, column)
        if column < 0:
            return about_target(self.trace, row)
        told = between(self.trace, row, self.source[column], float(self.maps[row, column]))
        return f"{told} {self.offer}".strip()
