"""An unrolled net as a row of columns: word in, state as a strip of cells, word out; arrows carry the state on."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviewer.core.explore.findings import Unrolled
from attnviewer.core.i18n import tr
from attnviewer.core.trace import Floats
from attnviewer.ui.controls import named
from attnviewer.ui.theme import LIGHT, Tokens
from attnviewer.ui.widgets.raster import signed_image

ABOVE, BELOW, GAP, ACROSS = 44, 66, 0.26, 16  # room for words, between columns (as a share), cells in a row of a state


class UnrolledView(QWidget):
    """The first column is the state that was read from the photo.

    Signals
    -------
    picked(int) : a step was clicked.
    """

    picked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        named(
            self,
            tr("The net unrolled"),
            tr("Each block is the state after a step, a cell a number; Δ is how far it moved; click a step"),
        )
        self.found: Unrolled | None = None
        self.at = 0
        self._tokens = LIGHT
        self._states: list[QImage] = []
        self.setMinimumSize(300, ABOVE + BELOW + 80)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return QSize(700, 320)

    def show_found(self, found: Unrolled | None) -> None:
        """Show a net unrolled."""
        self.found, self.at = found, 0
        self._paint_states()

    def _paint_states(self) -> None:
        rows = [] if self.found is None else [self.found.first, *self.found.states]
        self._states = [_block(state, self._tokens) for state in rows]
        self.update()

    def mark(self, at: int) -> None:
        """Mark a step."""
        self.at = at
        if self.found is not None:
            self.setAccessibleDescription(tr("step {step}: {word}", step=at, word=self.found.words[at]))
        self.update()

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self._paint_states()

    def block(self, column: int) -> QRectF:
        """Where the state of a column lies; column 0 is the first state."""
        pitch = self.width() / max(1, len(self._states))
        wide = pitch * (1 - GAP)
        high = min(self.height() - ABOVE - BELOW, wide * 2.2)
        return QRectF(
            column * pitch + (pitch - wide) / 2, ABOVE + (self.height() - ABOVE - BELOW - high) / 2, wide, high
        )

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.found is None:
            painter.setPen(QColor(self._tokens.muted))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, tr("The captioner reads the photo …"))
            return
        for column in range(len(self._states)):
            self._paint_column(painter, column, self.found)

    def _paint_column(self, painter: QPainter, column: int, found: Unrolled) -> None:
        box, chosen = self.block(column), column == self.at + 1
        painter.setOpacity(1.0 if column <= self.at + 1 else 0.35)
        painter.drawImage(box, self._states[column])
        painter.setPen(QPen(QColor(self._tokens.accent if chosen else self._tokens.line), 3 if chosen else 1))
        painter.drawRect(box)
        if column:
            before = self.block(column - 1)
            self._arrow(
                painter, QPointF(before.right() + 2, box.center().y()), QPointF(box.left() - 2, box.center().y())
            )
            last = found.words[column - 2] if column > 1 else tr("(start)")
            self._word(painter, box.bottom() + 18, box, last, bold=False)
            self._arrow(
                painter, QPointF(box.center().x(), box.bottom() + 17), QPointF(box.center().x(), box.bottom() + 3)
            )
            self._word(painter, box.top() - 36, box, found.words[column - 1], bold=True)
            self._arrow(painter, QPointF(box.center().x(), box.top() - 2), QPointF(box.center().x(), box.top() - 15))
            told = tr("Δ {share}", share=f"{found.changes[column - 1]:.0%}")
            self._word(painter, box.bottom() + 38, box, told, bold=False)
        else:
            self._word(painter, box.bottom() + 18, box, tr("the photo"), bold=False)
            self._arrow(
                painter, QPointF(box.center().x(), box.bottom() + 17), QPointF(box.center().x(), box.bottom() + 3)
            )
        painter.setOpacity(1.0)

    def _word(self, painter: QPainter, top: float, box: QRectF, text: str, *, bold: bool) -> None:
        wide = box.width() / (1 - GAP)
        room = QRectF(box.center().x() - wide / 2, top, wide, 20)
        font = painter.font()
        font.setBold(bold)
        painter.setFont(font)
        painter.setPen(QColor(self._tokens.text if bold else self._tokens.muted))
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(wide))
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, shown)

    def _arrow(self, painter: QPainter, start: QPointF, end: QPointF) -> None:
        painter.setPen(QPen(QColor(self._tokens.muted), 1.5))
        painter.drawLine(start, end)
        along = end - start
        length = max((along.x() ** 2 + along.y() ** 2) ** 0.5, 1e-6)
        unit = along / length
        side = QPointF(-unit.y(), unit.x())
        painter.setBrush(QColor(self._tokens.muted))
        painter.drawPolygon(QPolygonF([end, end - unit * 5 + side * 3, end - unit * 5 - side * 3]))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.found is not None:
            column = int(event.position().x() / self.width() * len(self._states))
            self.picked.emit(max(0, column - 1))


def _block(state: Floats, tokens: Tokens) -> QImage:
    """A state [H] as rows of cells."""
    padded = np.zeros(-(-len(state) // ACROSS) * ACROSS)
    padded[: len(state)] = state
    pixels = np.ascontiguousarray(signed_image(padded.reshape(-1, ACROSS), tokens, 1.0))
    high, wide = pixels.shape[:2]
    return QImage(pixels.tobytes(), wide, high, wide * 3, QImage.Format.Format_RGB888).copy()
