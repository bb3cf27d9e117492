"""A tree of texts that grows from left to right: scrolled, zoomed, walked by the arrow keys; a node can be taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPen,
    QWheelEvent,
)
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QFrame, QGraphicsScene, QGraphicsView, QStyleOptionGraphicsItem, QWidget
from PySide6.QtWidgets import QGraphicsObject as Item

from attnviewer.ui.controls import named, plain
from attnviewer.ui.sources import as_png
from attnviewer.ui.textsize import scaled
from attnviewer.ui.theme import LIGHT, Tokens
from attnviewer.ui.widgets.growth import BEST, FAINT, Branch, depths_of, rows_of

GAP, ACROSS, PAD, EDGE = 6, 34, 10, 12
WIDEST = 220
NEAREST, FARTHEST, NOTCH = 2.0, 0.35, 1.2


class _Leaf(Item):
    """One node as it is painted."""

    def __init__(self, branch: Branch, wide: float, view: Branches, number: int) -> None:
        super().__init__()
        self._branch, self._wide, self._view, self._number = branch, wide, view, number
        self.setToolTip(plain(branch.tip or branch.text))
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def boundingRect(self) -> QRectF:
        return QRectF(-2, -2, self._wide + 4, self._view.high + 4)

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        tokens, branch = self._view.tokens, self._branch
        current, faint = self._number == self._view.current, branch.look == FAINT
        high = self._view.high
        box = QRectF(0, 0, self._wide, high)
        fill = tokens.accent_soft if branch.look == BEST else tokens.background if faint else tokens.raised
        line = tokens.accent if current or branch.look == BEST else tokens.line
        dash = Qt.PenStyle.DashLine if faint else Qt.PenStyle.SolidLine
        painter.setPen(QPen(QColor(line), 2.5 if current else 1, dash))
        painter.setBrush(QColor(fill))
        painter.drawRoundedRect(box, 8, 8)
        painter.setFont(self._view.face(bold=branch.look == BEST))
        painter.setPen(QColor(tokens.muted if faint else tokens.text))
        room = box.adjusted(PAD, 2, -PAD, -high * 0.42)
        text = painter.fontMetrics().elidedText(branch.text, Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
        painter.setFont(self._view.face(small=True))
        painter.setPen(QColor(tokens.muted))
        room = box.adjusted(PAD, high * 0.5, -PAD, -2)
        note = painter.fontMetrics().elidedText(branch.note, Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, note)


class Branches(QGraphicsView):
    """Nodes in columns by their depth; the first child stands in the row of its parent, the others below.

    Signals
    -------
    picked(int) : a node was clicked, or taken by Enter.
    """

    picked = Signal(int)

    def __init__(self, name: str, tip: str) -> None:
        super().__init__()
        named(self, name, tip)
        self.tokens, self.current = LIGHT, -1
        self.branches: tuple[Branch, ...] = ()
        self._places: list[QPointF] = []
        self._items: list[_Leaf] = []
        self._pressed = QPointF()
        self.setScene(QGraphicsScene(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setDragMode(QGraphicsView.DragMode.ScrollHandDrag)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.AnchorUnderMouse)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(200, 120)

    @property
    def high(self) -> float:
        """The height of a node: two lines of letters."""
        return float(QFontMetrics(self.face()).height() + QFontMetrics(self.face(small=True)).height() + 6)

    def face(self, *, bold: bool = False, small: bool = False) -> QFont:
        """The letters of a node."""
        font = QFont(self.font())
        font.setBold(bold)
        if small:
            font.setPixelSize(scaled(11))
        return font

    def show_branches(self, branches: Sequence[Branch], current: int = -1) -> None:
        """Show a tree; nodes come behind their parents."""
        same = tuple(branches) == self.branches
        self.branches, self.current = tuple(branches), current
        if same:
            return self.viewport().update()
        self._lay_out()
        said = [f"{branch.text} {branch.note}" for branch in self.branches if branch.look == BEST]
        self.setAccessibleDescription(" · ".join(said))
        return None

    def set_tokens(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.setStyleSheet(f"QGraphicsView {{ background: {tokens.background}; }}")
        self._lay_out()

    def below(self, number: int) -> list[int]:
        """The children of a node, in the order in which they came."""
        return [child for child, branch in enumerate(self.branches) if branch.parent == number]

    def _lay_out(self) -> None:
        scene = self.scene()
        scene.clear()
        depths = depths_of(self.branches)
        lefts = self._lefts(depths)
        rows = rows_of(self.branches)
        self._places = [
            QPointF(lefts[depths[n]], EDGE + rows[n] * (self.high + GAP)) for n in range(len(self.branches))
        ]
        for number, branch in enumerate(self.branches):
            if branch.parent >= 0:
                self._join(branch.parent, number)
        self._items = [_Leaf(branch, self._wide(branch), self, n) for n, branch in enumerate(self.branches)]
        for item, place in zip(self._items, self._places, strict=True):
            scene.addItem(item)
            item.setPos(place)
        scene.setSceneRect(scene.itemsBoundingRect().adjusted(-EDGE, -EDGE, EDGE, EDGE))

    def _lefts(self, depths: Sequence[int]) -> list[float]:
        """Where each column begins."""
        widths = [0.0] * (max(depths, default=0) + 1)
        for depth, branch in zip(depths, self.branches, strict=True):
            widths[depth] = max(widths[depth], self._wide(branch))
        lefts = [float(EDGE)]
        for wide in widths:
            lefts.append(lefts[-1] + wide + ACROSS)
        return lefts

    def _wide(self, branch: Branch) -> float:
        text = QFontMetrics(self.face(bold=True)).horizontalAdvance(branch.text)
        note = QFontMetrics(self.face(small=True)).horizontalAdvance(branch.note)
        return min(WIDEST, max(text, note, 20) + 2 * PAD + 4)

    def _join(self, parent: int, child: int) -> None:
        start = self._places[parent] + QPointF(self._wide(self.branches[parent]), self.high / 2)
        end, path = self._places[child] + QPointF(0, self.high / 2), QPainterPath()
        path.moveTo(start)
        bend = QPointF(ACROSS / 2, 0)
        path.cubicTo(start + bend, end - bend, end)
        best, faint = self.branches[child].look == BEST, self.branches[child].look == FAINT
        colour = self.tokens.accent if best else self.tokens.line if faint else self.tokens.muted
        style = Qt.PenStyle.DashLine if faint else Qt.PenStyle.SolidLine
        self.scene().addPath(path, QPen(QColor(colour), 2 if best else 1, style))

    def box(self, number: int) -> QRectF:
        """Where a node lies in the scene."""
        return QRectF(self._places[number].x(), self._places[number].y(), self._wide(self.branches[number]), self.high)

    def zoom(self, factor: float) -> None:
        """Nearer (above 1) or farther."""
        scale = min(max(self.transform().m11() * factor, FARTHEST), NEAREST) / self.transform().m11()
        self.scale(scale, scale)

    def whole(self) -> None:
        """Show all of it, as large as it fits."""
        self.resetTransform()
        room, wanted = self.viewport().rect(), self.sceneRect()
        if wanted.isEmpty():
            return
        self.zoom(min(1.0, room.width() / wanted.width(), room.height() / wanted.height()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(NOTCH if event.angleDelta().y() > 0 else 1 / NOTCH)
            event.accept()
        else:
            super().wheelEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.position()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        still = (event.position() - self._pressed).manhattanLength() < 5  # else it was dragged
        found = self._at(event.position()) if still else -1
        if found >= 0:
            self.pick(found)

    def _at(self, point: QPointF) -> int:
        inside = self.mapToScene(point.toPoint())
        return next((n for n in range(len(self.branches)) if self.box(n).contains(inside)), -1)

    def pick(self, number: int) -> None:
        """Take a node."""
        self.point(number)
        self.picked.emit(number)

    def point(self, number: int) -> None:
        """Make a node the current one, and bring it into sight."""
        self.current = number
        self.ensureVisible(self.box(number), 20, 20)
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current >= 0:
            return self.picked.emit(self.current)
        step = _STEPS.get(Qt.Key(event.key()))
        if step is None or not self.branches:
            return super().keyPressEvent(event)
        return self.point(step(self, max(self.current, 0)))

    def forms(self) -> dict[str, Callable[[], bytes]]:
        """The tree as a picture, by suffix."""
        return {".svg": self._as_svg, ".png": self._as_picture}

    def _as_svg(self) -> bytes:
        store, box = QByteArray(), self.sceneRect()
        buffer = QBuffer(store)
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        made = QSvgGenerator()
        made.setOutputDevice(buffer)
        made.setSize(box.size().toSize())
        made.setViewBox(QRectF(0, 0, box.width(), box.height()))
        painter = QPainter(made)
        painter.fillRect(QRectF(0, 0, box.width(), box.height()), QColor(self.tokens.background))
        self.scene().render(painter)
        painter.end()
        return bytes(store.data())

    def _as_picture(self) -> bytes:
        box = self.sceneRect()
        image = QImage((box.size() * 2).toSize(), QImage.Format.Format_RGB32)
        image.fill(QColor(self.tokens.background))
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.scene().render(painter)
        painter.end()
        return as_png(image)


def _beside(view: Branches, at: int, by: int) -> int:
    """The node above or below in the same column, else itself."""
    depths, box = depths_of(view.branches), view.box(at)
    column = [n for n in range(len(view.branches)) if depths[n] == depths[at] and (view.box(n).y() - box.y()) * by > 0]
    return min(column, key=lambda n: abs(view.box(n).y() - box.y()), default=at)


_STEPS: dict[Qt.Key, Callable[[Branches, int], int]] = {
    Qt.Key.Key_Left: lambda view, at: max(view.branches[at].parent, 0),
    Qt.Key.Key_Right: lambda view, at: next(iter(view.below(at)), at),
    Qt.Key.Key_Up: lambda view, at: _beside(view, at, -1),
    Qt.Key.Key_Down: lambda view, at: _beside(view, at, 1),
}
