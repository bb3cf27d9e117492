"""The stage: the photo with the current word's map where the model looked."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from numpy.typing import ArrayLike
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QGraphicsRectItem, QGraphicsView

from attnviewer.core import lens
from attnviewer.core.colour import ground
from attnviewer.core.i18n import later, tr
from attnviewer.core.images import Picture
from attnviewer.core.sampling import fixations
from attnviewer.core.trace import Floats, Grid, Trace, frozen
from attnviewer.ui.controls import label, tipped
from attnviewer.ui.look import Look, field, levels, tinted, word_map
from attnviewer.ui.pictures import thinned
from attnviewer.ui.theme import LIGHT, Tokens
from attnviewer.ui.widgets.pointing import CellTag, GridLines
from attnviewer.ui.widgets.pull import Pull

MOST = 2400
PADDING = 0.004  # beside the photo, as a share of it
PEAK, RING, DOT = 13, 30, 7  # across, in points, of the marks on a stage that is as high as USUAL
USUAL, SMALLEST, LARGEST = 620, 0.7, 3.0
FLAT = 1.01  # a map whose greatest weight is no more than this times the uniform level has no peak
TIP = later(
    "Point at a place for its share; wheel to zoom, double click to fit. Drag it out of the window to take the figure "
    "along; when zoomed, drag to move"
)
EMPTY = later("Drop a photo, paste one, or pick a sample")


def cell_rect(grid: Grid, location: int) -> QRectF:
    """Where a location lies, in pixels of the upright photo."""
    left, top, right, bottom = lens.cell_rect(grid, location)
    return QRectF(left, top, right - left, bottom - top)


class Stage(pg.GraphicsView):
    """Photo, overlay, a mark on the peak; for hard attention a ring on the cell it took, and the way there.

    Signals
    -------
    hovered(int) : the location under the pointer, -1 for none.
    dragged() : the whole photo was pulled with the mouse: the figure is to be taken along.
    """

    hovered = Signal(int)
    dragged = Signal()

    def __init__(self) -> None:
        super().__init__(useOpenGL=False)
        self.setObjectName("stage")
        self.setAccessibleName(tr("The photo and where the model looked"))
        tipped(self, tr(TIP))
        self.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        self.setMinimumSize(90, 90)
        for target in (self, self.viewport()):
            target.setAcceptDrops(False)
        self.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.box = pg.ViewBox(lockAspect=True, invertY=True, enableMenu=False, defaultPadding=PADDING)
        self.setCentralItem(self.box)
        self.photo = pg.ImageItem(axisOrder="row-major")
        self.overlay = pg.ImageItem(axisOrder="row-major")
        self.peak = pg.ScatterPlotItem(symbol="o", size=PEAK, pxMode=True)
        self.fixation = pg.ScatterPlotItem(symbol="o", size=RING, pxMode=True)
        self.halo = pg.ScatterPlotItem(symbol="o", size=RING, pxMode=True)
        self.path, self.path_halo = (pg.PlotCurveItem(antialias=True) for _ in range(2))
        self.before = pg.ScatterPlotItem(symbol="o", size=DOT, pxMode=True)
        self._marks = (self.path_halo, self.path, self.before, self.halo, self.fixation)
        self.cell, self.lines, self.tag = QGraphicsRectItem(), GridLines(), CellTag(self)
        for item in (self.photo, self.overlay, self.lines, self.cell, self.peak, *self._marks):
            self.box.addItem(item, ignoreBounds=item is not self.photo)
        self.empty = label(EMPTY, "empty")
        self.empty.setParent(self)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.picture: Picture | None = None
        self.grid: Grid | None = None
        self.span, self._look = (0.0, 1.0), Look()
        self.location = -1
        self.values: Floats | None = None
        self._pull = Pull()
        self._ground: tuple[Picture, str] | None = None
        self._dress()
        self.set_tokens(LIGHT)

    def _dress(self) -> None:
        shade = QColor(0, 0, 0, 140)
        self._pens = ((self.peak, "white", 2), (self.fixation, "white", 3), (self.halo, shade, 6),
                      (self.path, "white", 1.2), (self.path_halo, shade, 3), (self.before, shade, 1))  # fmt: skip
        self._scale_marks(1.0)
        self.peak.setBrush(pg.mkBrush(0, 0, 0, 120))
        self.fixation.setBrush(pg.mkBrush(None))
        self.halo.setBrush(pg.mkBrush(None))
        self.before.setBrush(pg.mkBrush("white"))
        pen = QPen(QColor("white"), 2)
        pen.setCosmetic(True)
        self.cell.setPen(pen)
        self.cell.hide()

    def set_tokens(self, tokens: Tokens) -> None:
        self.setBackground(QColor(tokens.stage))

    def show_picture(self, picture: Picture | None) -> None:
        """Show a photo whole, without a map."""
        self.picture = picture
        self.empty.setVisible(picture is None)
        self.photo.setVisible(picture is not None)
        self.show_word(None, -1, Look())
        if picture is not None:
            self._show_photo("colour")
            self.fit()

    def _show_photo(self, kind: str) -> None:
        """Show the photo in its colours, or as it lies below a map."""
        if self.picture is None or self._ground == (self.picture, kind):
            return
        self._ground = (self.picture, kind)
        pixels = ground(np.ascontiguousarray(thinned(self.picture.pixels, MOST)), kind)
        self.photo.setImage(pixels, autoLevels=False, levels=(0, 255))
        self.photo.setRect(QRectF(0, 0, self.picture.width, self.picture.height))

    def fit(self) -> None:
        """Show the whole photo."""
        if self.picture is not None:
            self.box.setRange(
                QRectF(0, 0, self.picture.width, self.picture.height), padding=PADDING, disableAutoRange=True
            )

    def show_word(self, trace: Trace | None, word: int, look: Look) -> None:
        """Lay the map of a word over the photo; without attention there is none."""
        values = self.values = word_map(trace, word)
        self.grid = trace.locations if trace is not None and isinstance(trace.locations, Grid) else None
        self._show_fixations(trace, word)
        bare = self.fixation.isVisible() and not look.under
        self.overlay.setVisible(values is not None and not bare)
        self.peak.setVisible(values is not None and not bare and float(values.max()) > FLAT / len(values))
        self._show_photo("colour" if values is None or bare else look.ground)
        if values is None or trace is None or self.grid is None:
            self.mark(-1)
            return
        self.span, self._look = levels(trace, word, look), look
        self.preview(values)
        left, top, right, bottom = self.grid.extent
        self.overlay.setRect(QRectF(left, top, right - left, bottom - top))
        middle = cell_rect(self.grid, int(values.argmax())).center()
        self.peak.setData([middle.x()], [middle.y()])
        if self.location >= 0:
            self.mark(self.location)  # what stands beside the pointer is told of the new map

    def preview(self, values: ArrayLike) -> None:
        """Lay another map [L] over the photo as the last one was, such as one that is being painted."""
        if self.grid is not None:
            strengths = field(frozen(values), self.grid, self._look, self.span[1])
            self.overlay.setImage(tinted(strengths, self._look), autoLevels=False, levels=(0, 255))

    def _show_fixations(self, trace: Trace | None, word: int) -> None:
        """A ring on the place that was taken, and the way there from the places before."""
        taken = trace.steps[word].sampled if trace is not None and 0 <= word < len(trace.steps) else None
        for item in self._marks:
            item.setVisible(taken is not None)
        if taken is None or trace is None or self.grid is None:
            return
        middles = [cell_rect(self.grid, place).center() for place in fixations(trace, word)]
        x, y = [point.x() for point in middles], [point.y() for point in middles]
        for curve in (self.path_halo, self.path):
            curve.setData(x, y)
        self.before.setData(x[:-1], y[:-1])
        for ring in (self.halo, self.fixation):
            ring.setData(x[-1:], y[-1:])

    def hover(self, location: int) -> None:
        """Mark a location and tell the others; -1 for none."""
        if location != self.location:
            self.mark(location)
            self.hovered.emit(location)

    def mark(self, location: int) -> None:
        """Mark a location without telling the others."""
        self.location = location
        grid = self.grid if location >= 0 else None
        self.cell.setVisible(location >= 0)
        self.lines.show_grid(grid)
        self.tag.setVisible(grid is not None)
        if grid is not None:
            box = cell_rect(grid, location)
            self.cell.setRect(box)
            self.tag.show_value(grid, location, self.values, self._on_screen(box))

    def _on_screen(self, box: QRectF) -> QRect:
        """Where a part of the photo lies in the view."""
        shown = self.box.mapViewToScene(box.topLeft()), self.box.mapViewToScene(box.bottomRight())
        return QRect(*(self.mapFromScene(corner) for corner in shown))

    @property
    def whole(self) -> bool:
        """Whether the whole photo is seen, so that there is nothing to move."""
        if self.picture is None:
            return False
        return bool(self.box.viewRect().contains(QRectF(0, 0, self.picture.width, self.picture.height)))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pull.press(event)
        if not self.whole:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.whole and self._pull.moved(event):
            return self.dragged.emit()
        super().mouseMoveEvent(event)
        point: QPointF = self.box.mapSceneToView(self.mapToScene(event.position().toPoint()))
        place = lens.cell_at(self.grid, point.x(), point.y()) if self.grid is not None else None
        return self.hover(-1 if place is None else place)

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        self.fit()

    def close(self) -> bool:
        """Close as any view does; pyqtgraph's way takes the viewport apart while Qt still uses it."""
        return QGraphicsView.close(self)

    def leaveEvent(self, event: QEvent) -> None:
        self.hover(-1)
        super().leaveEvent(event)

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)
        if hasattr(self, "empty"):
            self.empty.setGeometry(self.rect())
            self.fit()
            self._scale_marks(min(max(min(self.width(), self.height()) / USUAL, SMALLEST), LARGEST))

    def _scale_marks(self, by: float) -> None:
        """Let rings, dots and paths grow with the stage, so that a hall sees them."""
        for mark, size in ((self.peak, PEAK), (self.fixation, RING), (self.halo, RING), (self.before, DOT)):
            mark.setSize(size * by)
        for mark, colour, width in self._pens:
            mark.setPen(pg.mkPen(colour, width=width * by))
