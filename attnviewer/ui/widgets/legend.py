"""The legend: the colour table with its ends, and a mark at the level of a map that looks everywhere alike."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviewer.core.colour import strength
from attnviewer.core.i18n import later, tr
from attnviewer.ui.controls import plain, tipped, with_terms
from attnviewer.ui.look import Look, tinted
from attnviewer.ui.pictures import as_qimage
from attnviewer.ui.textsize import scaled
from attnviewer.ui.theme import LIGHT, Tokens
from attnviewer.ui.widgets.bars import number

TRACK, STEPS = 10, 512
TIP = later("Share of this word's attention in a cell; the mark is the share if it looked everywhere alike.")


class Legend(QWidget):
    """What the colours mean, in shares of the attention."""

    def __init__(self) -> None:
        super().__init__()
        self._tokens, self._look = LIGHT, Look()
        self.top = 0.0
        self.uniform = 0.0
        self.peak = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Legend of the colours"))
        tipped(self, with_terms(tr(TIP), "uniform"))

    @property
    def upper(self) -> str:
        """What stands at the upper end of the colours."""
        return ("≥ " if self.peak > self.top > 0 else "") + number(self.top)

    def _above(self) -> str:
        if not self.peak > self.top > 0:
            return ""
        return tr(
            "Weights of {top} and more have the same colour, so that one word which looks very hard doesn't hide the "
            "others; the largest is {peak}.",
            top=number(self.top), peak=number(self.peak),
        )  # fmt: skip

    def show_range(self, top: float, uniform: float, look: Look, peak: float = 0.0) -> None:
        """Show the table up to `top`, with the mark at `uniform`; a `peak` above the top is told."""
        self.top, self.uniform, self._look, self.peak = top, uniform, look, peak
        self.setAccessibleDescription(tr("0 to {upper}, uniform {uniform}", upper=self.upper, uniform=number(uniform)))
        self.setToolTip(plain(with_terms(f"{tr(TIP)} {self._above()}".strip(), "uniform")))
        self.update()

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(scaled(190), TRACK + scaled(24))

    def minimumSizeHint(self) -> QSize:
        return QSize(scaled(150), TRACK + scaled(24))

    def mark(self) -> float:
        """Where the mark of the uniform level stands, in points from the left."""
        return self.width() * min(self.uniform / self.top, 1.0) if self.top > 0 else 0.0

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.top <= 0:
            return
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        bar = QRectF(0, 2, self.width(), TRACK)
        self.paint_colours(painter, bar)
        self._paint_mark(painter, self.mark())
        painter.setPen(QColor(self._tokens.text))
        text = QRectF(0, TRACK + 5, self.width(), self.height() - TRACK - 5)
        painter.drawText(text, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, self.upper)
        self._paint_uniform(painter, text)
        painter.end()

    def paint_colours(self, painter: QPainter, bar: QRectF) -> None:
        """Paint the table itself, from 0 at the left to the top at the right."""
        painter.fillRect(bar, QColor("#8a8f98"))
        painter.drawImage(bar, _strip(self._look))

    def _paint_mark(self, painter: QPainter, x: float) -> None:
        painter.setPen(QColor(self._tokens.text))
        painter.drawLine(QPointF(x, 0), QPointF(x, TRACK + 6))

    def _paint_uniform(self, painter: QPainter, text: QRectF) -> None:
        words = tr("uniform {number}", number=number(self.uniform))
        wide = painter.fontMetrics().horizontalAdvance(words)
        room = text.width() - painter.fontMetrics().horizontalAdvance(self.upper) - 8
        left = min(self.mark() + 4, max(0.0, room - wide))
        painter.setPen(QColor(self._tokens.muted))
        painter.drawText(QRectF(left, text.y(), wide + 2, text.height()), Qt.AlignmentFlag.AlignTop, words)


def _strip(look: Look) -> QImage:
    return as_qimage(tinted(strength(np.linspace(0, 1, STEPS), 1.0), look)[None])
