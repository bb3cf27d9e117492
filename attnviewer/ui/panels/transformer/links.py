"""The links of one token through all layers: where it looked in each, the strongest heads first."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviewer.core.heads import strongest
from attnviewer.core.i18n import tr
from attnviewer.core.trace import Floats
from attnviewer.ui.textsize import scaled
from attnviewer.ui.theme import LIGHT, Tokens

MOST, LABEL, EDGE = 6, 20.0, 46.0
NARROW = 34.0  # a token with less room than this shows no name unless it is linked


class LinksView(QWidget):
    """Tokens from left to right, a line of dots a layer; from each layer's token lines go down to those it looked at.

    Signals
    -------
    pointed(int) : a token was clicked.
    """

    pointed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._tokens, self._maps = LIGHT, None
        self.names: tuple[str, ...] = ()
        self.token = -1
        self.links: list[list[tuple[int, int, float]]] = []
        self.setAccessibleName(tr("Where the token looked in each layer"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(120)

    def sizeHint(self) -> QSize:
        return QSize(600, 220)

    def show_links(self, maps: Floats, names: tuple[str, ...], token: int) -> None:
        """Show the links of a token in maps [N, H, T, L]."""
        self.names, self.token = names, token
        self.links = [strongest(layer, token, MOST) for layer in maps] if 0 <= token < maps.shape[2] else []
        self.update()

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.update()

    def place(self, token: int, level: int) -> QPointF:
        """Where a token's dot lies; level 0 is below the first layer."""
        wide = (self.width() - EDGE - 12) / max(1, len(self.names))
        high = (self.height() - LABEL - 14) / max(1, len(self.links))
        return QPointF(EDGE + (token + 0.5) * wide, self.height() - LABEL - 6 - level * high)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        wide = (self.width() - EDGE - 12) / max(1, len(self.names))
        token = int((event.position().x() - EDGE) // wide)
        if 0 <= token < len(self.names):
            self.pointed.emit(token)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self.links:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = self.font()
        font.setPixelSize(scaled(11))
        painter.setFont(font)
        for layer, links in enumerate(self.links):
            self._paint_layer(painter, layer, links)
        self._paint_names(painter, QFontMetricsF(font))
        painter.end()

    def _paint_layer(self, painter: QPainter, layer: int, links: list[tuple[int, int, float]]) -> None:
        top = self.place(self.token, layer + 1)
        painter.setPen(QColor(self._tokens.muted))
        line = QRectF(0, top.y() - 9, EDGE - 6, 18)
        painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(layer))
        for _, place, weight in links:
            colour = QColor(self._tokens.accent)
            colour.setAlphaF(min(1.0, 0.15 + 0.85 * weight))
            painter.setPen(QPen(colour, 1 + 5 * weight))
            painter.drawLine(top, self.place(place, layer))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._tokens.line))
        if len(self.names) <= 80:
            for token in range(len(self.names)):
                painter.drawEllipse(self.place(token, layer), 2.5, 2.5)
        painter.setBrush(QColor(self._tokens.text))
        painter.drawEllipse(top, 4.5, 4.5)

    def _paint_names(self, painter: QPainter, metrics: QFontMetricsF) -> None:
        wide = (self.width() - EDGE - 12) / len(self.names)
        linked = {place for links in self.links for _, place, weight in links if weight > 0.3} | {self.token}
        for token, name in enumerate(self.names):
            if wide < NARROW and token not in linked:
                continue
            painter.setPen(QColor(self._tokens.text if token == self.token else self._tokens.muted))
            room = max(wide, NARROW)
            box = QRectF(self.place(token, 0).x() - room / 2, self.height() - LABEL, room, LABEL)
            text = metrics.elidedText(name, Qt.TextElideMode.ElideRight, room)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
