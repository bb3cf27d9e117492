"""The orders in which places are covered: each with its map, its line, its name and its areas."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from attnviewer.core.colour import ground, strength
from attnviewer.core.explore.findings import Matter
from attnviewer.core.explore.matters import ATTENTION, GRADIENT, NAMES, OCCLUSION, ORDERS, RANDOM, TIPS
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.ui.controls import named, plain
from attnviewer.ui.look import Look, tinted
from attnviewer.ui.pictures import as_qimage
from attnviewer.ui.textsize import scaled
from attnviewer.ui.theme import LIGHT, Tokens
from attnviewer.ui.widgets.plot import DASHES

STYLES = {ATTENTION: ("accent", ""), GRADIENT: ("caution", "--"), OCCLUSION: ("text", "-."), RANDOM: ("muted", ":")}
LEAST, MOST, FLAT, GAP, SAMPLE, WIDE = 44, 120, 64, 10, 26, 250
SMALL = 240  # pixels along the longer side of the photo below a map


class Orders(QWidget):
    """A row an order; what isn't computed yet has no numbers."""

    def __init__(self) -> None:
        super().__init__()
        named(self, tr("Orders of covering"), tr("In which order places are covered, and what that comes to"))
        self._tokens, self._photo = LIGHT, QImage()
        self._maps: dict[str, QImage] = {}
        self.found: Matter | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(len(ORDERS) * LEAST)

    def show_finding(self, found: Matter | None, picture: Picture | None) -> None:
        """Show the maps and areas so far; without a photo there are no maps."""
        self.found, self._maps = found, {}
        self._photo = QImage() if picture is None else _dimmed(picture)
        if found is not None and picture is not None:
            self._maps = {name: _painted(np.asarray(values)) for name, values in found.maps.items()}
        said = [f"{tr(NAMES[name])}: {self._areas(name)}" for name in ORDERS]
        self.setAccessibleDescription("; ".join(said))
        self.setMinimumHeight(len(ORDERS) * (LEAST if self._maps else QFontMetrics(self.font()).height() * 2 + 6))
        self.updateGeometry()
        self.update()

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(scaled(WIDE), len(ORDERS) * 90)

    def minimumSizeHint(self) -> QSize:
        return QSize(scaled(WIDE), self.minimumHeight())

    @property
    def _row(self) -> float:
        return min(FLAT if self._photo.isNull() else MOST, self.height() / len(ORDERS))

    def _areas(self, name: str) -> str:
        found = self.found
        if found is None or name not in found.deletion_area:
            return tr("…") if found is not None else ""
        return tr("covering {deletion}, uncovering {insertion}", deletion=f"{found.deletion_area[name]:.2f}",
                  insertion=f"{found.insertion_area[name]:.2f}")  # fmt: skip

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        for number, name in enumerate(ORDERS):
            self._paint_row(painter, name, QRectF(0, number * self._row, self.width(), self._row - 4))
        painter.end()

    def _paint_row(self, painter: QPainter, name: str, box: QRectF) -> None:
        left = 0.0
        if not self._photo.isNull():
            side = box.height() - 2
            wide = min(side * self._photo.width() / self._photo.height(), box.width() * 0.42)
            place = QRectF(0, box.y(), wide, wide * self._photo.height() / self._photo.width())
            left = wide + GAP
            if name in self._maps:
                painter.drawImage(place, self._photo)
                painter.drawImage(place, self._maps[name])
        colour, dash = STYLES[name]
        high = QFontMetrics(self.font()).height()
        painter.setPen(QPen(QColor(getattr(self._tokens, colour)), 3, DASHES[dash]))
        painter.drawLine(QPointF(left, box.y() + high / 2 + 2), QPointF(left + SAMPLE, box.y() + high / 2 + 2))
        font = QFont(self.font())
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(QColor(self._tokens.text))
        painter.drawText(QRectF(left + SAMPLE + 6, box.y(), box.width(), high + 4), 0, tr(NAMES[name]))
        painter.setFont(self.font())
        painter.setPen(QColor(self._tokens.muted))
        room = QRectF(left, box.y() + high + 4, box.width() - left, box.height() - high - 4)
        painter.drawText(room, Qt.TextFlag.TextWordWrap, self._areas(name))

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            name = ORDERS[min(int(event.pos().y() / self._row), len(ORDERS) - 1)]
            QToolTip.showText(event.globalPos(), plain(tr(TIPS[name])), self)
            return True
        return super().event(event)


def _dimmed(picture: Picture) -> QImage:
    step = max(1, max(picture.width, picture.height) // SMALL)
    return as_qimage(ground(np.ascontiguousarray(picture.pixels[::step, ::step]), "grey"))


def _painted(values: np.ndarray) -> QImage:
    """A map as a small image, one pixel a cell; what counts less than nothing isn't painted."""
    side = round(values.size**0.5)
    kept = np.maximum(values, 0)
    return as_qimage(tinted(strength(kept, max(float(kept.max()), 1e-12)), Look()).reshape(side, side, 4))
