"""The filmstrip: one small photo with its map a word; a click moves the clock."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QHelpEvent, QImage, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QScrollArea, QToolTip, QWidget

from attnviewer.core.colour import ground, strength
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.lens import cell_rect
from attnviewer.core.trace import Floats, Grid, Trace
from attnviewer.ui.controls import column, plain, tipped
from attnviewer.ui.look import Look, levels, tinted, word_map
from attnviewer.ui.pictures import as_qimage, thinned
from attnviewer.ui.player import Player
from attnviewer.ui.textsize import scaled
from attnviewer.ui.theme import LIGHT, Tokens
from attnviewer.ui.widgets.bars import number

HIGH, TEXT, GAP, EDGE = 60, 20, 8, 4
RANGE_OF_WIDTH = (44, 110)
MOST = 1600  # pixels along a side of what the small photo is made of


def small_map(values: Floats, grid: Grid, top: float, look: Look) -> QImage:
    """A map as a small image in the colours of the look, one pixel a cell."""
    return as_qimage(tinted(strength(values, top), look).reshape(grid.rows, grid.columns, 4))


class Strip(QWidget):
    """The painted row of thumbnails."""

    def __init__(self, player: Player) -> None:
        super().__init__()
        self._player, self._tokens, self._look = player, LIGHT, Look()
        self._photo = self._plain = QImage()
        self._lies = "colour"
        self._maps: list[QImage | None] = []
        self.trace: Trace | None = None
        self.location = -1
        self.setFixedHeight(EDGE * 2 + HIGH + scaled(TEXT))
        self.setAccessibleName(tr("Filmstrip: where the model looked for each word"))
        tipped(self, tr("Click a word to see where the model looked for it"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        player.word_changed.connect(self.update)

    def show_picture(self, picture: Picture | None) -> None:
        """Take the photo that lies below the maps."""
        self._plain = QImage() if picture is None else _small(picture)
        self._photo, self._lies = self._plain, "colour"
        self.show_trace(None, self._look)

    def show_trace(self, trace: Trace | None, look: Look) -> None:
        """Show the words of a trace."""
        self.trace, self._look = trace, look
        self._lay(look.ground)
        self._maps = [self._map(trace, word) for word in range(len(trace.steps))] if trace else []
        self.setMinimumWidth(self.sizeHint().width())
        self.updateGeometry()
        self.update()

    def _lay(self, kind: str) -> None:
        """Take the photo as it lies below a map."""
        if kind != self._lies and not self._plain.isNull():
            self._photo, self._lies = laid(self._plain, kind), kind

    def show_location(self, location: int) -> None:
        """Mark how much each word looked at a location; -1 for none."""
        self.location = location
        self.update()

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.setFixedHeight(EDGE * 2 + HIGH + scaled(TEXT))
        self.update()

    def _map(self, trace: Trace, word: int) -> QImage | None:
        values, grid = word_map(trace, word), trace.locations
        if values is None or not isinstance(grid, Grid):
            return None
        return small_map(values, grid, levels(trace, word, self._look)[1], self._look)

    @property
    def wide(self) -> int:
        """Width of one thumbnail, by the shape of the photo."""
        shape = self._photo.width() / self._photo.height() if not self._photo.isNull() else 1.0
        return round(min(max(HIGH * shape, RANGE_OF_WIDTH[0]), RANGE_OF_WIDTH[1]))

    def sizeHint(self) -> QSize:
        return QSize(len(self._maps) * (self.wide + GAP) + EDGE, self.height())

    def box(self, word: int) -> QRectF:
        """Where the thumbnail of a word lies."""
        return QRectF(EDGE + word * (self.wide + GAP), EDGE, self.wide, HIGH)

    def word_at(self, x: float) -> int:
        """The word under a point, or -1."""
        word = int((x - EDGE) // (self.wide + GAP))
        return word if 0 <= word < len(self._maps) else -1

    def share(self, word: int) -> float:
        """Weight of the marked location for a word."""
        values = word_map(self.trace, word)
        return float(values[self.location]) if values is not None and 0 <= self.location < values.size else 0.0

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        for word in range(len(self._maps)):
            if self.box(word).adjusted(-GAP, 0, GAP, scaled(TEXT)).intersects(QRectF(event.rect())):
                self._paint(painter, word)
        painter.end()

    def _paint(self, painter: QPainter, word: int) -> None:
        box, current = self.box(word), word == self._player.word
        painter.save()
        shape = QPainterPath()
        shape.addRoundedRect(box, 6, 6)
        painter.setClipPath(shape)
        painter.fillPath(shape, QColor(self._tokens.raised))
        painter.drawImage(box, self._plain if self._maps[word] is None else self._photo)
        self._paint_map(painter, box, word)
        painter.restore()
        if self.trace is not None and self.trace.steps[word].forced:
            self._paint_forced(painter, shape)
        if current:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(self._tokens.accent), 3))
            painter.drawPath(shape)
        self._paint_share(painter, box, word)
        self._paint_word(painter, box, word, current)

    def _paint_forced(self, painter: QPainter, shape: QPainterPath) -> None:
        """A dashed edge, as the chip has: this word or its map was imposed."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for colour, style in ((self._tokens.surface, Qt.PenStyle.SolidLine), (self._tokens.text, Qt.PenStyle.DashLine)):
            painter.setPen(QPen(QColor(colour), 2, style))
            painter.drawPath(shape)

    def _paint_map(self, painter: QPainter, box: QRectF, word: int) -> None:
        image = self._maps[word]
        grid = self.trace.locations if self.trace else None
        if image is None or not isinstance(grid, Grid) or not self.trace:
            return
        wide, high = self.trace.source.width or 1, self.trace.source.height or 1
        left, top, right, bottom = grid.extent
        x, y = box.width() / wide, box.height() / high
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, self._look.smooth)
        taken = self.trace.steps[word].sampled
        if taken is None or self._look.under:
            place = QRectF(box.x() + left * x, box.y() + top * y, (right - left) * x, (bottom - top) * y)
            painter.drawImage(place, image)
        if taken is not None:
            cell = cell_rect(grid, taken)
            middle = QPointF(box.x() + (cell[0] + cell[2]) / 2 * x, box.y() + (cell[1] + cell[3]) / 2 * y)
            _paint_ring(painter, middle)

    def _paint_share(self, painter: QPainter, box: QRectF, word: int) -> None:
        if self.location < 0 or self.trace is None or self._maps[word] is None:
            return
        part = min(self.share(word) / levels(self.trace, word, self._look)[1], 1.0)
        track = QRectF(box.x() + 4, box.bottom() - 10, box.width() - 8, 6)
        painter.setPen(QColor(self._tokens.surface))
        painter.setBrush(QColor(self._tokens.surface))
        painter.drawRoundedRect(track, 3, 3)
        painter.setBrush(QColor(self._tokens.accent))
        painter.drawRoundedRect(QRectF(track.x(), track.y(), max(1.0, track.width() * part), track.height()), 3, 3)

    def _paint_word(self, painter: QPainter, box: QRectF, word: int, current: bool) -> None:
        font = QFont(self.font())
        font.setBold(current)
        painter.setFont(font)
        painter.setPen(QColor(self._tokens.text if current else self._tokens.muted))
        line = QRectF(box.x(), box.bottom() + 2, box.width(), scaled(TEXT))
        text = self.trace.words[word] if self.trace else ""
        text = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(line.width()))
        painter.drawText(line, Qt.AlignmentFlag.AlignCenter, text)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        word = self.word_at(event.position().x())
        if word >= 0:
            self._player.go(word)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), plain(self.tip(self.word_at(event.pos().x()))), self)
            return True
        return super().event(event)

    def tip(self, word: int) -> str:
        """The whole word, and its share of the marked location."""
        if word < 0 or self.trace is None:
            return tr("Click a word to see where the model looked for it")
        share = number(self.share(word)) if self.location >= 0 else ""
        if share:
            share = tr(": {share} of its attention at the marked place", share=share)
        imposed = tr(" (imposed by you)") if self.trace.steps[word].forced else ""
        return f"{self.trace.words[word]}{imposed}{share}"


def _paint_ring(painter: QPainter, middle: QPointF) -> None:
    """The place that hard attention took."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in (("black", 3.5), ("white", 1.5)):
        painter.setPen(QPen(QColor(colour), width))
        painter.drawEllipse(middle, 4.5, 4.5)


def laid(photo: QImage, kind: str) -> QImage:
    """A small photo as it lies below a map."""
    whole = photo.convertToFormat(QImage.Format.Format_RGB888)
    wide, high, line = whole.width(), whole.height(), whole.bytesPerLine()
    rows = np.frombuffer(whole.constBits(), np.uint8, line * high).reshape(high, line)
    return as_qimage(ground(rows[:, : 3 * wide].reshape(high, wide, 3), kind))


def _small(picture: Picture) -> QImage:
    """The photo about 240 pixels high, for screens of any ratio."""
    whole = as_qimage(thinned(picture.pixels, MOST))
    return whole.scaled(
        min(4 * RANGE_OF_WIDTH[1], max(whole.width(), 1)), 4 * HIGH, Qt.AspectRatioMode.KeepAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    ).copy()  # fmt: skip


class Filmstrip(QScrollArea):
    """The strip, with a scroll bar when it is long; it keeps the current word in sight."""

    def __init__(self, player: Player) -> None:
        super().__init__()
        self._below: list[QWidget] = []
        self.strip = Strip(player)
        self._page = QWidget()
        self._rows = column(self.strip, spacing=0)
        self._page.setLayout(self._rows)
        self.setWidget(self._page)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._settle()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(tr("Filmstrip"))
        player.word_changed.connect(self._follow)

    def add_line(self, below: QWidget) -> None:
        """Put a view of fixed height below the thumbnails; it scrolls with them."""
        self._rows.addWidget(below)
        self._below.append(below)
        self._settle()

    def show_line(self, below: QWidget, shown: bool) -> None:
        """Show one of the views below, or give its room back."""
        if below.isHidden() == shown:
            below.setVisible(shown)
            self._settle()

    def _settle(self) -> None:
        below = sum(one.height() for one in self._below if not one.isHidden())
        self.setFixedHeight(self.strip.height() + 10 + below)

    def _follow(self, word: int) -> None:
        if word >= 0:
            middle = self.strip.box(word).center()
            self.ensureVisible(int(middle.x()), int(middle.y()), self.strip.wide, 0)
