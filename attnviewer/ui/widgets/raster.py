"""An array as an image whose pixels can be pointed at, with boxes over it; keys move the place as the mouse does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviewer.ui.controls import named
from attnviewer.ui.theme import LIGHT, Tokens

Bytes = NDArray[np.uint8]
SMOOTH_BELOW = 3.0  # screen points a pixel; above, pixels are shown as squares
STEPS = {Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0)}
LEAP = 10


@dataclass(frozen=True)
class Mark:
    """A box (left, top, right, bottom) in pixels of the image, in a colour of the theme; dashed where it is a guess."""

    box: tuple[float, float, float, float]
    colour: str = "accent"
    dashed: bool = False
    text: str = ""


def grey_image(values: ArrayLike, low: float = 0.0, high: float = 255.0) -> Bytes:
    """Values [H, W] as greys [H, W, 3], `low` black and `high` white."""
    share = np.clip((np.asarray(values, np.float64) - low) / max(high - low, 1e-12), 0, 1)
    return (share * 255).round().astype(np.uint8)[..., None].repeat(3, axis=-1)


def signed_image(values: ArrayLike, tokens: Tokens, top: float | None = None) -> Bytes:
    """Values [H, W] as colours [H, W, 3]: the accent above 0, the colour of caution below, the ground at 0."""
    array = np.nan_to_num(np.asarray(values, np.float64))
    most = max(float(np.abs(array).max(initial=0)) if top is None else top, 1e-12)
    share = np.clip(array / most, -1, 1)[..., None]
    ground, above, below = (_rgb(colour) for colour in (tokens.surface, tokens.accent, tokens.caution))
    end = np.where(share >= 0, above, below)
    return (ground + np.abs(share) ** 0.7 * (end - ground)).round().astype(np.uint8)


def _rgb(colour: str) -> NDArray[np.float64]:
    made = QColor(colour)
    return np.array([made.red(), made.green(), made.blue()], np.float64)


def montage(tiles: ArrayLike, columns: int, gap: int = 1) -> tuple[NDArray[np.float64], int]:
    """Tiles [N, h, w] in rows of so many with gaps of NaN between, and how many rows that makes."""
    array = np.asarray(tiles, np.float64)
    count, high, wide = array.shape
    rows = -(-count // columns)
    sheet = np.full((rows * (high + gap) - gap, columns * (wide + gap) - gap), np.nan)
    for n, tile in enumerate(array):
        top, left = n // columns * (high + gap), n % columns * (wide + gap)
        sheet[top : top + high, left : left + wide] = tile
    return sheet, rows


class Raster(QWidget):
    """An image with marks, and perhaps a second one over it; in the middle, or at the top.

    Signals
    -------
    pointed(int, int) : row and column of the pixel under the pointer; -1, -1 for none.
    picked(int, int) : a pixel was clicked or reached by the arrow keys.
    """

    pointed = Signal(int, int)
    picked = Signal(int, int)

    def __init__(self, name: str, tip: str, *, empty: str = "", still: bool = False, top: bool = False) -> None:
        super().__init__()
        self._top, self._over_smooth = top, True
        named(self, name, tip)
        self._empty, self._tokens = empty, LIGHT
        self._image = self._over = QImage()
        self.at = (0, 0)
        self.marks: tuple[Mark, ...] = ()
        self.setMinimumSize(60, 60)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(not still)
        self._still = still
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus if still else Qt.FocusPolicy.StrongFocus)

    def show_image(self, pixels: Bytes | None, over: Bytes | None = None, *, cells: bool = False) -> None:
        """Show pixels [H, W, 3], and over all of them others [h, w, 4], smooth or as cells."""
        self._over_smooth = not cells
        self._image = QImage() if pixels is None else _as_image(pixels)
        self._over = QImage() if over is None else _as_image(over)
        self.update()

    def show_marks(self, marks: Sequence[Mark]) -> None:
        """Show these boxes."""
        self.marks = tuple(marks)
        self.update()

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.update()

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the image."""
        return self._image.height(), self._image.width()

    def sizeHint(self) -> QSize:
        return QSize(320, 240)

    def target(self) -> QRectF:
        """Where the image lies: as large as fits, in the middle."""
        if self._image.isNull():
            return QRectF(self.rect())
        scale = min((self.width() - 2) / self._image.width(), (self.height() - 2) / self._image.height())
        wide, high = self._image.width() * scale, self._image.height() * scale
        above = 1.0 if self._top else (self.height() - high) / 2
        return QRectF((self.width() - wide) / 2, above, wide, high)

    def place(self, point: QPointF) -> tuple[int, int] | None:
        """Row and column at a point of the widget."""
        where = self.target()
        if self._image.isNull() or not where.contains(point):
            return None
        column = int((point.x() - where.x()) / where.width() * self._image.width())
        row = int((point.y() - where.y()) / where.height() * self._image.height())
        return min(row, self._image.height() - 1), min(column, self._image.width() - 1)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        where = self.target()
        if self._image.isNull():
            painter.setPen(QColor(self._tokens.muted))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._empty)
            return
        smooth = where.width() / self._image.width() < SMOOTH_BELOW
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
        painter.drawImage(where, self._image)
        if not self._over.isNull():
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, self._over_smooth)
            painter.drawImage(where, self._over)
        for mark in self.marks:
            self._paint_mark(painter, where, mark)
        if self.hasFocus():
            painter.setPen(QPen(QColor(self._tokens.accent), 1))
            painter.drawRect(where.adjusted(-1, -1, 1, 1))

    def _paint_mark(self, painter: QPainter, where: QRectF, mark: Mark) -> None:
        left, top, right, bottom = mark.box
        across, down = where.width() / self._image.width(), where.height() / self._image.height()
        box = QRectF(where.x() + left * across, where.y() + top * down, (right - left) * across, (bottom - top) * down)
        box = box.adjusted(0, 0, max(0.0, 8 - box.width()), max(0.0, 8 - box.height()))
        for pen in (QPen(QColor(0, 0, 0, 150), 4), QPen(QColor(getattr(self._tokens, mark.colour, mark.colour)), 2)):
            pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
            pen.setStyle(Qt.PenStyle.DashLine if mark.dashed and pen.width() == 2 else Qt.PenStyle.SolidLine)
            painter.setPen(pen)
            painter.drawRect(box)
        if mark.text:
            painter.fillRect(QRectF(box.x(), box.y(), 8 + 8 * len(mark.text), 18), QColor(0, 0, 0, 170))
            painter.setPen(QColor("white"))
            painter.drawText(QPointF(box.x() + 5, box.y() + 14), mark.text)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        found = self.place(event.position())
        self.pointed.emit(*(found or (-1, -1)))
        if found is not None and event.buttons() & Qt.MouseButton.LeftButton:
            self._pick(found)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self.place(event.position())
        if found is not None and not self._still and event.button() == Qt.MouseButton.LeftButton:
            self._pick(found)

    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(-1, -1)
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = STEPS.get(Qt.Key(event.key()))
        if step is None or self._image.isNull():
            super().keyPressEvent(event)
            return
        by = LEAP if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        rows, columns = self.shape
        row, column = self.at[0] + by * step[0], self.at[1] + by * step[1]
        self._pick((min(max(row, 0), rows - 1), min(max(column, 0), columns - 1)))

    def _pick(self, place: tuple[int, int]) -> None:
        self.at = place
        self.picked.emit(*place)


def _as_image(pixels: Bytes) -> QImage:
    form = QImage.Format.Format_RGBA8888 if pixels.shape[2] == 4 else QImage.Format.Format_RGB888
    packed = np.ascontiguousarray(pixels)
    return QImage(packed.tobytes(), packed.shape[1], packed.shape[0], packed.shape[1] * packed.shape[2], form).copy()
