"""What the views of words that scroll have in common: they point at source words, tell what is under the pointer."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFont, QHelpEvent, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QSizePolicy, QToolTip, QWidget

from attnviewer.ui.controls import plain
from attnviewer.ui.theme import LIGHT, Tokens


class WordScroll(QAbstractScrollArea):
    """A painted view. Tab reaches it: up and down point at its source words, the keys of the clock move it.

    Signals
    -------
    chosen(int) : a produced word was clicked, so the clock is to move there.
    hovered(int) : the source word under the pointer, -1 for none.
    """

    chosen = Signal(int)
    hovered = Signal(int)

    def __init__(self, name: str) -> None:
        super().__init__()
        self._tokens, self.large = LIGHT, False
        self.word = self.pointed = -1
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setCornerWidget(QWidget())
        self.viewport().setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)

    def mark(self, place: int) -> None:
        """Mark a source word and what looked at it; -1 for none."""
        if place != self.pointed:
            self.pointed = place
            self.viewport().update()

    def point(self, place: int) -> None:
        """The pointer is on a source word; -1 for none."""
        if place != self.pointed:
            self.mark(place)
            self.hovered.emit(place)

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.set_large(self.large)  # the size of letters may have changed as well
        self.viewport().update()

    def set_large(self, on: bool) -> None:
        """Letters for a room, or for a desk."""
        self.large = on

    def set_size(self, pixels: int) -> None:
        """Set the height of the letters."""
        font = QFont(self.font())
        font.setPixelSize(pixels)
        self.setFont(font)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        by = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if by is None:
            return super().keyPressEvent(event)
        place = min(max(self.pointed + by, 0), self.places - 1)
        self.point(place)
        self.setAccessibleDescription(self.about(place))
        return None

    @property
    def places(self) -> int:
        """How many source words there are."""
        return 0

    def about(self, place: int) -> str:
        """What is said of a source word."""
        return ""

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def paint_focus(self, painter: QPainter) -> None:
        """A line around the view while it has the focus."""
        if self.hasFocus():
            painter.resetTransform()
            painter.setClipping(False)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(self._tokens.accent), 1))
            painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self.point(-1)
        if isinstance(event, QHelpEvent):
            self.tell(event.globalPos(), event.pos())
            return True
        return super().viewportEvent(event)

    def tell(self, where: QPoint, inside: QPoint) -> None:
        """Say what is under the pointer, `where` it is on the screen and `inside` the viewport."""
        tip = self.tip_at(QPointF(inside))
        QToolTip.showText(where, plain(tip) if tip else "", self.viewport())

    def tip_at(self, point: QPointF) -> str:
        """What is said of what lies under a point of the viewport."""
        return self.accessibleName()
