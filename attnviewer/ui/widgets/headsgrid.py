"""All heads side by side, small: the photo under each head's map of a word, or each head's matrix of a whole text."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviewer.core import lens
from attnviewer.core.colour import ceiling, ground, strength
from attnviewer.core.heads import MAX, looking
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.trace import Grid, Trace
from attnviewer.ui.look import Look, tinted
from attnviewer.ui.pictures import as_qimage
from attnviewer.ui.theme import LIGHT, Tokens
from attnviewer.ui.widgets.ramp import as_image

NAME, GAP, SMALL = 18, 10, 320  # heights in pixels, and the longer side of a photo below a map


class HeadsGrid(QWidget):
    """Click a head to see it alone. One colour range for all heads, so that they can be compared.

    Signals
    -------
    chosen(str) : the name of the head that was clicked.
    """

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._trace: Trace | None = None
        self._word, self._look, self._tokens = 0, Look(), LIGHT
        self._photo: Picture | None = None
        self.setAccessibleName(tr("The maps of all heads"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_picture(self, picture: Picture | None) -> None:
        """Take the photo below the maps, small."""
        step = 1 if picture is None else max(1, max(picture.width, picture.height) // SMALL)
        self._photo = None if picture is None else Picture(picture.pixels[::step, ::step])
        self.update()

    def show_word(self, trace: Trace | None, word: int, look: Look) -> None:
        """Show the maps of a word, or mark its row where whole matrices are shown."""
        self._trace, self._word, self._look = trace, word, look
        self.update()

    def mark_word(self, word: int) -> None:
        """Move to another word of the same trace."""
        self._word = word
        self.update()

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(640, 420)

    @property
    def heads(self) -> tuple[str, ...]:
        """The heads that are shown."""
        return self._trace.heads if self._trace is not None and self._trace.steps else ()

    def _shape(self) -> float:
        """Width by height of one map."""
        trace = self._trace
        if trace is None or not isinstance(trace.locations, Grid):
            return 1.4
        left, top, right, bottom = trace.locations.extent
        return (right - left) / max(bottom - top, 1e-9)

    def across(self) -> int:
        """How many stand in a row so that they are as large as can be."""
        count, shape = len(self.heads), self._shape()

        def size(columns: int) -> float:
            rows = -(-count // columns)
            return min(self.width() / columns / shape, self.height() / rows - NAME - GAP)

        return max(range(1, count + 1), key=size) if count else 1

    def box(self, index: int) -> QRectF:
        """Where the map of a head stands, below its name."""
        columns = self.across()
        rows = max(1, -(-len(self.heads) // columns))
        row, column = divmod(index, columns)
        wide, high = self.width() / columns, self.height() / rows
        room = QRectF(column * wide + GAP / 2, row * high + NAME, wide - GAP, high - NAME - GAP)
        fit = min(room.width() / self._shape(), max(room.height(), 1.0))
        return QRectF(room.center().x() - fit * self._shape() / 2, room.y(), fit * self._shape(), fit)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        for index, name in enumerate(self.heads):
            box = self.box(index)
            painter.setPen(QColor(self._tokens.muted))
            painter.drawText(QRectF(box.x(), box.y() - NAME, box.width(), NAME), Qt.AlignmentFlag.AlignVCenter,
                             tr("head {name}", name=name))  # fmt: skip
            self._paint(painter, box, index)
        painter.end()

    def _paint(self, painter: QPainter, box: QRectF, head: int) -> None:
        assert self._trace is not None
        if isinstance(self._trace.locations, Grid):
            if self._photo is not None:
                painter.drawImage(box, as_qimage(ground(self._photo.pixels, self._look.ground)))
            if (image := self._small_map(head)) is not None:
                painter.drawImage(box, image)
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawImage(box, as_image(lens.maps(self._trace, head), self._top(), self._tokens, 4, 4))
        high = box.height() / max(1, len(self._trace.steps))
        painter.setPen(QPen(QColor(self._tokens.accent), 2))
        painter.drawRect(QRectF(box.x(), box.y() + self._word * high, box.width(), high))

    def _small_map(self, head: int) -> QImage | None:
        assert self._trace is not None
        assert isinstance(self._trace.locations, Grid)
        grid, word = self._trace.locations, self._word
        values = lens.word_map(self._trace, word, head) if 0 <= word < len(self._trace.steps) else None
        if values is None:
            return None
        return as_qimage(tinted(strength(values, self._top()), self._look).reshape(grid.rows, grid.columns, 4))

    def _top(self) -> float:
        """The weight that is painted strongest in any head."""
        assert self._trace is not None
        span = lens.colour_range(looking(self._trace, MAX))
        return ceiling(span.high, span.uniform)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        boxes = [self.box(index) for index in range(len(self.heads))]
        hit = next((i for i, box in enumerate(boxes) if box.contains(event.position())), None)
        if hit is not None:
            self.chosen.emit(self.heads[hit])
