"""Hands on a stage: a brush, a box or a patch over the photo, by mouse or by keys. It says what was done.

It listens to a stage from outside; without a tool the stage is as it was. Places are shares of the photo, 0 to 1.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPen
from PySide6.QtWidgets import QGraphicsEllipseItem, QGraphicsRectItem

from attnviewer.core.lens import cell_at
from attnviewer.ui.widgets.stage import Stage

PAINT, BOX, COVER = TOOLS = ("paint", "box", "cover")
ARROWS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
CLICK = 0.012  # of the photo's width: a stroke no longer than this is a click
FIRST = 0.3  # side of the box that the keys begin with
STEP = 1 / 14
Box = tuple[float, float, float, float]


class Easel(QObject):
    """The tools on one stage.

    Signals
    -------
    painting(object) : a stroke goes on: its points so far.
    painted(object) : the brush was lifted: its points.
    forced(int) : a cell was clicked, or reached by the arrow keys and taken by Enter.
    boxed(object) : a box was drawn.
    covered(object) : a patch was drawn or moved.
    """

    painting = Signal(object)
    painted = Signal(object)
    forced = Signal(int)
    boxed = Signal(object)
    covered = Signal(object)

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._stage, self.tool, self.size = stage, "", 0.15
        self.single = False  # one cell alone can be forced: hard attention looks at one
        self._points: list[tuple[float, float]] = []
        self._start: tuple[float, float] | None = None
        self._grip: tuple[float, float] | None = None
        self.boxes: dict[str, Box | None] = {BOX: None, COVER: None}
        self.ring, self.frame, self.patch = QGraphicsEllipseItem(), QGraphicsRectItem(), QGraphicsRectItem()
        self._shadows = QGraphicsEllipseItem(), QGraphicsRectItem()
        for item in (*self._shadows, self.ring, self.frame, self.patch):
            stage.box.addItem(item, ignoreBounds=True)
            item.hide()
        self._dress()
        stage.installEventFilter(self)
        stage.viewport().installEventFilter(self)
        self._hands: dict[str, tuple[Callable[..., None], Callable[..., None], Callable[..., None]]] = {
            PAINT: (self._dip, self._brush, self._lift),
            BOX: (self._open, self._pull, self._close),
            COVER: (self._open, self._pull, self._close),
        }

    def _dress(self) -> None:
        for item, colour, wide in (
            (self._shadows[0], "black", 3), (self.ring, "white", 1), (self._shadows[1], "black", 4),
            (self.frame, "white", 2), (self.patch, "white", 1),
        ):  # fmt: skip
            pen = QPen(QColor(colour), wide, Qt.PenStyle.DashLine if item is self.patch else Qt.PenStyle.SolidLine)
            pen.setCosmetic(True)
            item.setPen(pen)

    def choose(self, tool: str) -> None:
        """Take a tool in hand; "" for none."""
        self.tool, self._points, self._start = tool, [], None
        cursor = Qt.CursorShape.CrossCursor if tool else Qt.CursorShape.ArrowCursor
        self._stage.viewport().setCursor(cursor)
        self._show_ring(None)
        self.show_box(BOX, self.boxes[BOX])

    def show_box(self, tool: str, box: Box | None) -> None:
        """Show the box, or the patch; None for none."""
        self.boxes[tool] = box
        shown = (self.frame, self._shadows[1]) if tool == BOX else (self.patch,)
        for item in shown:
            item.setVisible(box is not None)
            if box is not None:
                item.setRect(self._rect(box))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not self.tool or self._stage.picture is None:
            return False
        if isinstance(event, QMouseEvent) and watched is self._stage.viewport():
            return self._mouse(event)
        if isinstance(event, QKeyEvent) and watched is self._stage:
            return self._key(event)
        if event.type() == QEvent.Type.Leave:
            self._show_ring(None)
        return False

    def _mouse(self, event: QMouseEvent) -> bool:
        dip, move, lift = self._hands[self.tool]
        place, left = self._place(event.position()), Qt.MouseButton.LeftButton
        kind = event.type()
        if kind == QEvent.Type.MouseMove:
            self._show_ring(place if self.tool == PAINT and not self.single else None)
        if kind == QEvent.Type.MouseButtonPress and event.button() == left:
            self._stage.setFocus(Qt.FocusReason.MouseFocusReason)
            dip(place)
        elif kind == QEvent.Type.MouseMove and event.buttons() & left and self._start is not None:
            move(place)
        elif kind == QEvent.Type.MouseButtonRelease and event.button() == left and self._start is not None:
            lift(place)
            self._start = None
        else:
            return False  # the stage goes on telling what is below the pointer
        return True

    def _dip(self, place: tuple[float, float]) -> None:
        self._start, self._points = place, [place]
        self._brush(place)

    def _brush(self, place: tuple[float, float]) -> None:
        if self.single:
            return self._stage.mark(self._cell(place))
        self._points.append(place)
        if self._far(place):
            self.painting.emit(tuple(self._points))
        return None

    def _lift(self, place: tuple[float, float]) -> None:
        moved = any(map(self._far, self._points))
        if self.single or not moved:
            self._force(self._cell(place))
        else:
            self.painted.emit(tuple(self._points))

    def _force(self, cell: int) -> None:
        if cell >= 0:
            self.forced.emit(cell)

    def _open(self, place: tuple[float, float]) -> None:
        box = self.boxes[self.tool]
        inside = box is not None and box[0] <= place[0] <= box[2] and box[1] <= place[1] <= box[3]
        self._start = place
        self._grip = (place[0] - box[0], place[1] - box[1]) if inside and box is not None else None

    def _pull(self, place: tuple[float, float]) -> None:
        self.show_box(self.tool, self._moved(place) if self._grip is not None else self._drawn(place))

    def _close(self, place: tuple[float, float]) -> None:
        if self._far(place):
            self._pull(place)
            self._tell()

    def _drawn(self, place: tuple[float, float]) -> Box:
        assert self._start is not None
        (left, right), (top, bottom) = (sorted(pair) for pair in zip(self._start, place, strict=True))
        return left, top, max(right, left + 0.005), max(bottom, top + 0.005)

    def _moved(self, place: tuple[float, float]) -> Box:
        box = self.boxes[self.tool]
        assert box is not None
        assert self._grip is not None
        return shifted(box, place[0] - self._grip[0] - box[0], place[1] - self._grip[1] - box[1])

    def _tell(self) -> None:
        box = self.boxes[self.tool]
        if box is not None:
            clipped = tuple(min(max(side, 0.0), 1.0) for side in box)
            (self.boxed if self.tool == BOX else self.covered).emit(clipped)

    def _far(self, place: tuple[float, float]) -> bool:
        start = self._start or place
        return max(abs(place[0] - start[0]), abs(place[1] - start[1])) > CLICK

    def _key(self, event: QKeyEvent) -> bool:
        arrow, enter = ARROWS.get(Qt.Key(event.key())), event.key() in ENTER
        if (arrow is None and not enter) or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # the arrows move the cell here, not the clock
            return True
        if event.type() != QEvent.Type.KeyPress:
            return False
        larger = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        (self._key_cell if self.tool == PAINT else self._key_box)(arrow, larger)
        return True

    def _key_cell(self, arrow: tuple[int, int] | None, _larger: bool) -> None:
        grid, at = self._stage.grid, self._stage.location
        if grid is None or arrow is None:
            return self._force(at)
        row, column = divmod(at if at >= 0 else len(grid) // 2 + grid.columns // 2, grid.columns)
        row, column = min(max(row + arrow[1], 0), grid.rows - 1), min(max(column + arrow[0], 0), grid.columns - 1)
        return self._stage.hover(row * grid.columns + column)

    def _key_box(self, arrow: tuple[int, int] | None, larger: bool) -> None:
        box = self.boxes[self.tool] or ((1 - FIRST) / 2, (1 - FIRST) / 2, (1 + FIRST) / 2, (1 + FIRST) / 2)
        if arrow is None:
            self.show_box(self.tool, box)
            return self._tell()
        across, down = arrow[0] * STEP, arrow[1] * STEP
        grown = (*box[:2], min(max(box[2] + across, box[0] + STEP), 1.0), min(max(box[3] + down, box[1] + STEP), 1.0))
        return self.show_box(self.tool, grown if larger else shifted(box, across, down))

    def _place(self, at: QPointF) -> tuple[float, float]:
        """A point of the viewport as shares of the photo, inside it."""
        picture = self._stage.picture
        assert picture is not None
        point = self._stage.box.mapSceneToView(self._stage.mapToScene(at.toPoint()))
        return min(max(point.x() / picture.width, 0.0), 1.0), min(max(point.y() / picture.height, 0.0), 1.0)

    def _cell(self, place: tuple[float, float]) -> int:
        picture, grid = self._stage.picture, self._stage.grid
        if picture is None or grid is None:
            return -1
        inside = (min(place[0], 0.9999) * picture.width, min(place[1], 0.9999) * picture.height)
        found = cell_at(grid, *inside)
        return -1 if found is None else found

    def _rect(self, box: Box) -> QRectF:
        picture = self._stage.picture
        wide, high = (picture.width, picture.height) if picture is not None else (1, 1)
        return QRectF(box[0] * wide, box[1] * high, (box[2] - box[0]) * wide, (box[3] - box[1]) * high)

    def _show_ring(self, place: tuple[float, float] | None) -> None:
        picture = self._stage.picture
        for item in (self._shadows[0], self.ring):
            item.setVisible(place is not None)
            if place is not None and picture is not None:
                radius = self.size * picture.width
                middle = QPointF(place[0] * picture.width, place[1] * picture.height)
                item.setRect(QRectF(middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius))


def shifted(box: Box, across: float, down: float) -> Box:
    """A box moved, but not out of the photo."""
    across = min(max(across, -box[0]), 1 - box[2])
    down = min(max(down, -box[1]), 1 - box[3])
    return box[0] + across, box[1] + down, box[2] + across, box[3] + down
