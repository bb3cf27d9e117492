"""A view of words that is zoomed: with Ctrl and the wheel, with + and -, and by a button that fits it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent

from attnviewer.core.i18n import later, tr
from attnviewer.ui.controls import button
from attnviewer.ui.widgets.wordscroll import WordScroll

STEP, FITTING, ZOOMED = 1.15, 0.05, (0.2, 3.0)  # how zooming goes, and how far
KEYS = {"+": STEP, "=": STEP, "-": 1 / STEP}
ZOOMS = later("The whole matrix in view, or letters of the usual size. Ctrl and the wheel, or + and -, zoom.")


class ZoomScroll(WordScroll):
    """Whoever draws says where its cells lie (`cells`), and lays them out anew (`lay_out`) at the `zoom`."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.zoom = 1.0
        self.fits = button("", tr(ZOOMS), self.fit, name=tr("Fit the matrix"))
        self.fits.setParent(self)

    @property
    def cells(self) -> QRectF:
        """Where all cells lie in the view now."""
        return QRectF()

    def lay_out(self) -> None:
        """Place everything anew."""

    def zoom_to(self, zoom: float, at: QPointF | None = None) -> None:
        """Draw it so many times as large; what lies at a point of the view stays there."""
        cells = self.cells if at is not None else QRectF()
        self.zoom = min(max(zoom, ZOOMED[0]), ZOOMED[1])
        self.lay_out()
        if at is not None and not cells.isEmpty():
            self.pin(at, (at.x() - cells.x()) / cells.width(), (at.y() - cells.y()) / cells.height())

    def pin(self, at: QPointF, across: float, down: float) -> None:
        """Scroll so that a share of the matrix lies at a point of the view."""
        cells, shift = self.cells, self.shift
        self.horizontalScrollBar().setValue(round(shift.x() + cells.x() + across * cells.width() - at.x()))
        self.verticalScrollBar().setValue(round(shift.y() + cells.y() + down * cells.height() - at.y()))

    def fit(self) -> None:
        """The whole matrix in view, as large as can be; and from there back to letters of the usual size."""
        if self.zoom != 1.0:
            return self.zoom_to(1.0)
        while not self.whole and self.zoom > ZOOMED[0]:
            self.zoom_to(self.zoom - FITTING)
        return None

    @property
    def whole(self) -> bool:
        """Whether all of it is in view."""
        return self.horizontalScrollBar().maximum() == self.verticalScrollBar().maximum() == 0

    def show_fits(self, cells: bool) -> None:
        """Offer to fit what doesn't, or to go back; without `cells` there is nothing to fit."""
        self.fits.setText(tr("Fit") if self.zoom == 1.0 else "100 %")
        self.fits.adjustSize()
        self.fits.setVisible(cells and not (self.whole and self.zoom == 1.0))

    @property
    def shift(self) -> QPointF:
        """How far the cells are scrolled."""
        return QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    def wheelEvent(self, event: QWheelEvent) -> None:
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return super().wheelEvent(event)
        return self.zoom_to(self.zoom * STEP ** (event.angleDelta().y() / 120), event.position())

    def event(self, event: QEvent) -> bool:
        """While it has the focus, + and - are its own."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.text() in KEYS:
            event.accept()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.text() not in KEYS:
            return super().keyPressEvent(event)
        return self.zoom_to(self.zoom * KEYS[event.text()])
