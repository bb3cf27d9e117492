"""The items of a query: a bar for each series, what each adds, how long its vector is, a slider to stretch it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QEnterEvent, QFontMetrics, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QSlider, QVBoxLayout, QWidget

from attnviewer.core.i18n import tr
from attnviewer.ui.controls import label, named, tipped, with_terms
from attnviewer.ui.panels.query.state import Row
from attnviewer.ui.textsize import scaled
from attnviewer.ui.theme import LIGHT, Tokens
from attnviewer.ui.widgets.bars import fraction, number

NUMBER, ADDED, NORM, SLIDER = 50, 50, 84, 72
NAME, BAR, GAP = 18, 9, 4
STEPS = 100
MOST_STRETCH = 5.0


def series_colours(tokens: Tokens) -> tuple[str, ...]:
    """A colour for each series, told apart by lightness as well as by hue."""
    return tokens.accent, tokens.caution, tokens.danger, tokens.muted


def stretch(step: int) -> float:
    """The scale of a slider's position: 1/5 to 5, with 1 in the middle."""
    return float(round(MOST_STRETCH ** (step / STEPS), 3))


class ItemRow(QWidget):
    """One item.

    Signals
    -------
    entered(int) : the pointer came over the item.
    chosen(int) : the item was clicked.
    stretched(int, float) : the user gave the item a scale.
    """

    entered = Signal(int)
    chosen = Signal(int)
    stretched = Signal(int, float)

    def __init__(self) -> None:
        super().__init__()
        self.row: Row | None = None
        self.longest, self.top, self._tokens = 1.0, 1.0, LIGHT
        self.slider = named(
            QSlider(Qt.Orientation.Horizontal, self), tr("Scale"), tr("Stretch this item's vector, x0.2 to x5")
        )
        self.slider.setRange(-STEPS, STEPS)
        self.slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.slider.valueChanged.connect(self._stretch)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_row(self, row: Row, top: float, longest: float, tokens: Tokens) -> None:
        """Show an item; `top` is the greatest weight and `longest` the greatest norm of all items shown."""
        self.row, self.top, self.longest, self._tokens = row, top, longest, tokens
        if not self.slider.isSliderDown() and stretch(self.slider.value()) != row.scale:
            self._place_slider(row.scale)
        self.slider.setAccessibleName(tr("Scale of {label}", label=row.label))
        weights = ", ".join(map(number, row.values))
        where = "" if row.number is None else tr("line {number}, ", number=row.number)
        self.setAccessibleName(f"{where}{row.label}: {weights}")
        unknown = "" if row.known else tr(" (no vector: not in the vocabulary)")
        told = tr(
            "weight {weights}; score {score:.4g}; scale ×{scale:g}", weights=weights, score=row.score, scale=row.scale
        )
        tipped(self, f"{row.label}{unknown}: {told}")
        self.setFixedHeight(self.sizeHint().height())
        self.update()

    def _place_slider(self, scale: float) -> None:
        position = next((step for step in range(-STEPS, STEPS + 1) if stretch(step) >= scale), STEPS)
        self.slider.blockSignals(True)
        self.slider.setValue(position)
        self.slider.blockSignals(False)

    def _stretch(self, step: int) -> None:
        if self.row is not None:
            self.stretched.emit(self.row.item, stretch(step))

    def sizeHint(self) -> QSize:
        series = len(self.row.values) if self.row is not None else 1
        return QSize(380, scaled(NAME) + series * (BAR + GAP) + 10)

    def resizeEvent(self, _event: object) -> None:
        self.slider.setGeometry(self.width() - SLIDER, (self.height() - 22) // 2, SLIDER, 22)

    def enterEvent(self, event: QEnterEvent) -> None:
        if self.row is not None:
            self.entered.emit(self.row.item)
        super().enterEvent(event)

    def mousePressEvent(self, _event: QMouseEvent) -> None:
        if self.row is not None:
            self.chosen.emit(self.row.item)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.row is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, added, norm = columns(self.width(), self.height())
        self._paint_name(painter, QRectF(left.x(), 2, left.width(), scaled(NAME)), self.row)
        self._paint_weights(painter, left.adjusted(0, scaled(NAME) + 2, 0, 0), self.row)
        painter.setPen(QColor(self._tokens.muted))
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(added, middle, short(self.row.contribution))
        self._paint_norm(painter, norm, self.row)
        painter.end()

    def _paint_name(self, painter: QPainter, box: QRectF, row: Row) -> None:
        text = row.label if row.known else f"{row.label} ∅"
        if row.number is not None:
            painter.setPen(QColor(self._tokens.muted))
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, f"{row.number:,}")
            box = box.adjusted(QFontMetrics(self.font()).horizontalAdvance(f"{row.number:,}") + 10, 0, 0, 0)
        painter.setPen(QColor(self._tokens.text if row.known else self._tokens.muted))
        short_text = QFontMetrics(self.font()).elidedText(text, Qt.TextElideMode.ElideRight, int(box.width()))
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, short_text)

    def _paint_weights(self, painter: QPainter, box: QRectF, row: Row) -> None:
        y = box.y()
        for value, colour in zip(row.values, series_colours(self._tokens), strict=False):
            bar = QRectF(box.x(), y, box.width() - scaled(NUMBER), BAR)
            self._paint_bar(painter, bar, value / self.top, colour)
            painter.setPen(QColor(self._tokens.text))
            painter.drawText(
                QRectF(bar.right(), y + (BAR - scaled(21)) / 2, scaled(NUMBER), scaled(21)),
                Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, number(value),
            )  # fmt: skip
            y += BAR + GAP

    def _paint_bar(self, painter: QPainter, box: QRectF, share: float, colour: str) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._tokens.raised))
        painter.drawRoundedRect(box, 4, 4)
        painter.setBrush(QColor(colour))
        filled = QRectF(box)
        filled.setWidth(max(2.0, box.width() * fraction(share)))
        painter.drawRoundedRect(filled, min(4.0, filled.width() / 2), 4)

    def _paint_norm(self, painter: QPainter, box: QRectF, row: Row) -> None:
        """The length of the vector as a line and as a number."""
        painter.setPen(QColor(self._tokens.muted))
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, short(row.norm))
        if row.scale != 1:
            painter.setPen(QColor(self._tokens.accent))
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, f"×{row.scale:.2g}")
        if math.isnan(row.norm):
            return
        line = QRectF(box.x(), box.center().y() + scaled(9), box.width() * fraction(row.norm / self.longest), 2)
        painter.fillRect(line, QColor(self._tokens.muted))


class ItemList(QScrollArea):
    """The rows under their heads, and how many more there are.

    Signals
    -------
    hovered(int) : the item under the pointer.
    chosen(int) : the item that was clicked.
    stretched(int, float) : an item and its new scale.
    """

    hovered = Signal(int)
    chosen = Signal(int)
    stretched = Signal(int, float)

    def __init__(self) -> None:
        super().__init__()
        self._tokens = LIGHT
        self.heads, self.more, self.empty = Heads(), label("", "muted", wrap=True), label("", "muted", wrap=True)
        self.rows: list[ItemRow] = []
        page = QWidget()
        self._column = QVBoxLayout(page)
        self._column.setSpacing(0)
        self._column.setContentsMargins(0, 0, 8, 0)
        for part in (self.heads, self.empty, self.more):
            self._column.addWidget(part)
        self._column.addStretch(1)
        self.setWidget(page)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Items and their weights"))

    def show_rows(self, rows: Sequence[Row], hidden: int, empty: str) -> None:
        """Show rows; `hidden` counts those that are left out, `empty` says why there are none."""
        while len(self.rows) < len(rows):
            self._add()
        top = max((value for row in rows for value in row.values), default=1.0) or 1.0
        longest = max((row.norm for row in rows), default=1.0) or 1.0
        for made, row in zip(self.rows, rows, strict=False):
            made.show_row(row, top, longest, self._tokens)
        for index, made in enumerate(self.rows):
            made.setVisible(index < len(rows))
        self.heads.setVisible(bool(rows))
        self.empty.setVisible(not rows)
        self.empty.setText(empty)
        self.more.setVisible(hidden > 0)
        self.more.setText(tr("and {hidden:,} more, each with less weight", hidden=hidden))

    def _add(self) -> None:
        made = ItemRow()
        made.entered.connect(self.hovered)
        made.chosen.connect(self.chosen)
        made.stretched.connect(self.stretched)
        self._column.insertWidget(1 + len(self.rows), made)
        self.rows.append(made)

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = self.heads.tokens = tokens
        self.heads.setFixedHeight(scaled(22))
        self.heads.update()


class Heads(QWidget):
    """The names of the columns."""

    def __init__(self) -> None:
        super().__init__()
        self.tokens = LIGHT
        self.setFixedHeight(scaled(22))
        tip = tr("weight p, contribution |p v|, length of the key |k|, and a slider that stretches the vector.")
        tipped(self, with_terms(tip, tr("key, value, |p v|, score")))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QColor(self.tokens.muted))
        left, added, norm = columns(self.width(), self.height())
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        slider = QRectF(self.width() - SLIDER, 0, SLIDER, self.height())
        for box, text in ((left, tr("weight p")), (added, "|p v|"), (norm, "|k|"), (slider, tr("scale"))):
            painter.drawText(box, right, text)
        painter.drawText(left, Qt.AlignmentFlag.AlignVCenter, tr("item"))
        painter.end()


def columns(width: int, height: int) -> tuple[QRectF, QRectF, QRectF]:
    """Where name and bars, the contribution and the norm stand in a row; the slider follows."""
    wide, long = scaled(ADDED), scaled(NORM)
    norm = width - SLIDER - 8 - long
    added = norm - wide - 8
    return QRectF(0, 0, added - 4, height), QRectF(added, 0, wide, height), QRectF(norm, 0, long, height)


def short(value: float) -> str:
    """A number in few letters; a question mark for one that an older file didn't keep."""
    if math.isnan(value):
        return "?"
    return f"{value:.2f}" if value < 99.95 else f"{value:.3g}"
