"""Horizontal bars: label, bar, number; what doesn't fit is elided and told by a tooltip."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from attnviewer.ui.controls import plain, tipped
from attnviewer.ui.textsize import scaled
from attnviewer.ui.theme import LIGHT, Tokens

ROW, AROUND = 24, 8  # the least height of a bar, and what it has around its letters
LABEL_SHARE = 0.34
LARGE, FEW = 24, 5  # pixels of the letters and number of bars for a room


@dataclass(frozen=True)
class Bar:
    """One bar: `value` in 0..1 (anything else is drawn empty), `chosen` marks the word that was taken.

    `before` is what the value was before a change, or None; where `below`, it was less than that. `told` stands at its
    end where that is no per cent.
    """

    label: str
    value: float
    chosen: bool = False
    before: float | None = None
    below: bool = False
    told: str = ""


class Bars(QWidget):
    """Bars from top to bottom in the order given; the chosen one is bold and carries a pointer.

    Signals
    -------
    picked(str) : the label of the bar that was clicked, or reached by the arrow keys and taken by Enter.
    """

    picked = Signal(str)

    def __init__(
        self, name: str, empty: str, most: int = 8, share: float = LABEL_SHARE, *, least: int = 4
    ) -> None:  # fmt: skip
        super().__init__()
        self._share = share  # of the width, for the labels
        self._tokens = LIGHT
        self._empty, self._most, self._tip = empty, most, ""
        self.bars: tuple[Bar, ...] = ()
        self.setAccessibleName(name)
        tipped(self, name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._usual, self._large, self._at, self._least = most, False, -1, least
        self._fitting = False
        self._fit()

    @property
    def row(self) -> int:
        """The height of a bar with its letters."""
        return max(ROW, QFontMetrics(self.font()).lineSpacing() + AROUND)

    def set_pickable(self, tip: str) -> None:
        """Let bars be clicked, and reached by Tab, arrow keys and Enter; `tip` says what comes of it."""
        self._tip = tip
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(plain(f"{self.accessibleName()}. {tip}"))

    @property
    def _number_wide(self) -> int:
        metrics = QFontMetrics(self.font())
        return metrics.horizontalAdvance("<0.1% → <0.1%" if self.comparing else "<0.1%") + 14

    @property
    def comparing(self) -> bool:
        """Whether some bar tells what it was before."""
        return any(bar.before is not None for bar in self.bars)

    def _fit(self) -> None:
        if self._fitting:
            return  # a style sheet that sets letters answers each new font with its own
        self._fitting = True
        font = QFont()
        if self._large:
            font.setPixelSize(scaled(LARGE))
        if font.resolveMask() != self.font().resolveMask() or font != self.font():
            self.setFont(font)
        self.setMinimumHeight(self._least * self.row)
        self.setMaximumHeight(self._most * self.row)
        self.updateGeometry()
        self._fitting = False

    def set_large(self, on: bool) -> None:
        """Few bars in large letters for a room, or all for a desk."""
        self._large = on
        self._most = FEW if on else self._usual
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def show_bars(self, bars: Sequence[Bar]) -> None:
        """Show these bars; those that don't fit are left out from the end."""
        self.bars = tuple(bars)
        self._at = -1
        said = "; ".join(f"{bar.label} {told(bar)}" for bar in self.bars)
        self.setAccessibleDescription(said or self.accessibleName())
        self.update()

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self._fit()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(260, self._most * self.row)

    def shown(self) -> tuple[Bar, ...]:
        """The bars that fit the height; the chosen one is always among them."""
        room = max(1, min(self._most, self.height() // self.row))
        late = [bar for bar in self.bars[room:] if bar.chosen][:1]
        return (*self.bars[: room - len(late)], *late)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.bars:
            painter.setPen(QColor(self._tokens.muted))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap, self._empty)
        for index, bar in enumerate(self.shown()):
            box = QRectF(0, index * self.row, self.width(), self.row)
            if index == self._at:
                painter.setPen(QColor(self._tokens.accent if self.hasFocus() else self._tokens.line))
                painter.setBrush(QColor(self._tokens.raised))
                painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
            self._paint_bar(painter, box, bar)
        painter.end()

    def _paint_bar(self, painter: QPainter, box: QRectF, bar: Bar) -> None:
        tokens, wide = self._tokens, box.width() * self._share
        font = QFont(self.font())
        font.setBold(bar.chosen)
        painter.setFont(font)
        painter.setPen(QColor(tokens.text if bar.chosen else tokens.muted))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(
            box.adjusted(0, 0, wide - box.width() - 8, 0), middle | Qt.AlignmentFlag.AlignRight, self._label(bar)
        )
        numbers = box.adjusted(box.width() - self._number_wide, 0, 0, 0)
        painter.drawText(numbers, middle | Qt.AlignmentFlag.AlignRight, told(bar))
        track = QRectF(wide, box.y() + 6, box.width() - wide - self._number_wide - 2, box.height() - 12)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.raised))
        painter.drawRoundedRect(track, 4, 4)
        painter.setBrush(QColor(tokens.accent if bar.chosen else tokens.muted))
        whole = track.width()
        track.setWidth(max(2.0, track.width() * fraction(bar.value)))
        painter.drawRoundedRect(track, min(4, track.width() / 2), 4)
        if bar.before is not None:
            self._paint_before(painter, QRectF(wide, box.y() + 3, whole * fraction(bar.before), box.height() - 6))

    def _paint_before(self, painter: QPainter, was: QRectF) -> None:
        """A line where the bar ended before."""
        painter.setPen(QPen(QColor(self._tokens.text), 2))
        painter.drawLine(was.topRight(), was.bottomRight())

    def _label(self, bar: Bar) -> str:
        font = QFont(self.font())
        font.setBold(bar.chosen)
        text = f"▸ {bar.label}" if bar.chosen else bar.label
        return QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, int(self.width() * self._share) - 8)

    def tip_at(self, y: float) -> str:
        """The whole label and number of the bar at a height."""
        index, shown = int(y // self.row), self.shown()
        return f"{shown[index].label}: {told(shown[index])}" if 0 <= index < len(shown) else ""

    def _bar_at(self, y: float) -> int:
        index = int(y // self.row)
        return index if 0 <= index < len(self.shown()) else -1

    def _point(self, index: int) -> None:
        if index != self._at:
            self._at = index
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(self._bar_at(event.position().y()))

    def leaveEvent(self, event: QEvent) -> None:
        self._point(-1)
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._tip:
            return super().mousePressEvent(event)
        return self._pick(self._bar_at(event.position().y()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        by = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if by is not None and self.bars and self._tip:
            self._point(min(max(self._at + by, 0), len(self.shown()) - 1))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._at >= 0:
            self._pick(self._at)
        else:
            super().keyPressEvent(event)

    def _pick(self, index: int) -> None:
        if index >= 0 and self._tip:
            self.picked.emit(self.shown()[index].label)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            said = ". ".join(filter(None, (self.tip_at(event.pos().y()) or self.accessibleName(), self._tip)))
            QToolTip.showText(event.globalPos(), plain(said), self)
            return True
        return super().event(event)


def told(bar: Bar) -> str:
    """The number of a bar, and the one before it where there was one."""
    if bar.before is None:
        return bar.told or number(bar.value)
    return f"{'<' if bar.below and bar.before >= 0.0005 else ''}{number(bar.before)} → {number(bar.value)}"


def fraction(value: float) -> float:
    """A value as the length of a bar: 0..1, and 0 for what is no number."""
    return min(max(value, 0.0), 1.0) if math.isfinite(value) else 0.0


def number(value: float) -> str:
    """A probability in per cent, with as many digits as it needs."""
    if not math.isfinite(value):
        return "none"
    return f"{value:.0%}" if value >= 0.0995 else f"{value:.1%}" if value >= 0.0005 else "<0.1%"
