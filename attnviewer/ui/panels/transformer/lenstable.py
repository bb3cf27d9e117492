"""The logit lens as a table: a row a layer, a column a position, in each cell the word that comes first."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from attnviewer.core.i18n import tr
from attnviewer.core.transformer.findings import Lens
from attnviewer.ui.controls import plain
from attnviewer.ui.textsize import scaled
from attnviewer.ui.theme import LIGHT, Tokens

SIDE, TOP, NARROW = 34, 22, 52


class LensTable(QWidget):
    """Cells are the deeper in colour the surer the layer is; where there is no room for all, those around the chosen.

    Signals
    -------
    pointed(int, int) : layer and position of a cell that was clicked.
    """

    pointed = Signal(int, int)

    def __init__(self, name: str) -> None:
        super().__init__()
        self._tokens = LIGHT
        self.lens: Lens | None = None
        self.at = 0
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(220, 90)

    def sizeHint(self) -> QSize:
        return QSize(600, 180)

    def show_lens(self, lens: Lens | None, at: int) -> None:
        """Show what each layer would say, one position marked."""
        self.lens, self.at = lens, at
        if lens is not None and at < len(lens.tokens):
            told = "; ".join(f"{name(n)} {layer[at][0][0]}" for n, layer in enumerate(lens.tops))
            self.setAccessibleDescription(f"{lens.tokens[at]}: {told}")
        self.update()

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.update()

    @property
    def span(self) -> range:
        """The positions that have room."""
        count = len(self.lens.tokens) if self.lens is not None else 0
        room = max(1, int((self.width() - scaled(SIDE)) // scaled(NARROW)))
        first = max(0, min(self.at - room // 2, count - room))
        return range(first, min(count, first + room))

    def box(self, layer: int, place: int) -> QRectF:
        """Where a cell lies; the last layer is at the top."""
        assert self.lens is not None
        side, top = scaled(SIDE), scaled(TOP)
        wide = (self.width() - side) / max(1, len(self.span))
        high = min((self.height() - top) / len(self.lens.tops), 2.0 * top)
        line = len(self.lens.tops) - 1 - layer
        return QRectF(side + (place - self.span.start) * wide, top + line * high, wide, high)

    def cell(self, point: QPointF) -> tuple[int, int] | None:
        """Layer and position at a point."""
        if self.lens is None:
            return None
        every = ((layer, place) for layer in range(len(self.lens.tops)) for place in self.span)
        return next((one for one in every if self.box(*one).contains(point)), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if (found := self.cell(event.position())) is not None:
            self.pointed.emit(*found)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), plain(self.tip(QPointF(event.pos()))), self)
            return True
        return super().event(event)

    def tip(self, point: QPointF) -> str:
        """All words that are known of the cell at a point."""
        found = self.cell(point)
        if found is None or self.lens is None:
            return self.accessibleName()
        layer, place = found
        said = ", ".join(f"{word} {share:.2f}" for word, share in self.lens.tops[layer][place])
        return tr("{layer}, at “{token}”: {said}", layer=name(layer), token=self.lens.tokens[place], said=said)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.lens is None:
            return
        painter, side = QPainter(self), scaled(SIDE)
        font = self.font()
        font.setPixelSize(scaled(12))
        painter.setFont(font)
        metrics, middle = QFontMetricsF(font), Qt.AlignmentFlag.AlignCenter
        for layer in range(len(self.lens.tops)):
            first = self.box(layer, self.span.start)
            painter.setPen(QColor(self._tokens.muted))
            painter.drawText(QRectF(0, first.y(), side - 6, first.height()), middle, name(layer))
            for place in self.span:
                self._paint_cell(painter, metrics, layer, place)
        for place in self.span:
            box = self.box(len(self.lens.tops) - 1, place)
            painter.setPen(QColor(self._tokens.text if place == self.at else self._tokens.muted))
            text = metrics.elidedText(self.lens.tokens[place], Qt.TextElideMode.ElideRight, box.width() - 4)
            painter.drawText(QRectF(box.x(), 0, box.width(), box.y()), middle, text)
        self._frame(painter)
        painter.end()

    def _paint_cell(self, painter: QPainter, metrics: QFontMetricsF, layer: int, place: int) -> None:
        assert self.lens is not None
        box, (word, share) = self.box(layer, place), self.lens.tops[layer][place][0]
        colour = QColor(self._tokens.accent)
        colour.setAlphaF(min(max(share, 0.0), 1.0) * 0.55)
        painter.fillRect(box, QColor(self._tokens.surface))
        painter.fillRect(box, colour)
        painter.setPen(QColor(self._tokens.text))
        told = metrics.elidedText(word, Qt.TextElideMode.ElideRight, box.width() - 6)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, told)

    def _frame(self, painter: QPainter) -> None:
        if self.lens is None or self.at not in self.span:
            return
        top, bottom = self.box(len(self.lens.tops) - 1, self.at), self.box(0, self.at)
        painter.setPen(QPen(QColor(self._tokens.text), 1.6))
        painter.drawRect(top.united(bottom))


def name(layer: int) -> str:
    """What stands beside a row: what enters the first layer, or the layer that it is behind."""
    return tr("in") if layer == 0 else str(layer - 1)
