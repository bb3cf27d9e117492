"""How a painted word looks: its wash, whether it is current, pointed at, or unknown to the model."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen

from attnviewer.ui.theme import Tokens
from attnviewer.ui.widgets.bars import fraction
from attnviewer.ui.widgets.wordrow import PAD, WordRow

WASH = 0.42  # text stays readable on the strongest wash


@dataclass(frozen=True)
class Chip:
    """How strong the wash is, 0..1; whether it is the current word, has a ring, a line under it, or is struck out."""

    wash: float = 0.0
    current: bool = False
    ring: bool = False
    under: bool = False
    struck: bool = False


def faded(colour: str, alpha: float) -> QColor:
    """A colour that lets through what is below."""
    made = QColor(colour)
    made.setAlphaF(fraction(alpha))
    return made


def paint_chip(painter: QPainter, row: WordRow, index: int, chip: Chip, tokens: Tokens) -> None:
    """Paint one word of a row."""
    box = row.box(index)
    painter.setPen(QPen(QColor(tokens.accent if chip.ring or chip.current else tokens.line), 2 if chip.ring else 1))
    painter.setBrush(QColor(tokens.accent if chip.current else tokens.surface))
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
    if chip.wash > 0 and not chip.current:
        painter.setBrush(faded(tokens.accent, WASH * fraction(chip.wash)))
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
    font = QFont(painter.font())
    font.setBold(chip.current)
    font.setStrikeOut(chip.struck)
    painter.setFont(font)
    quiet = tokens.muted if chip.struck else tokens.text
    painter.setPen(QColor(tokens.on_accent if chip.current else quiet))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, row.text(index, chip.current))
    if chip.under:
        _paint_under(painter, box.bottomLeft() + QPointF(PAD, -4), box.width() - 2 * PAD, chip, tokens)
    font.setBold(False)
    font.setStrikeOut(False)
    painter.setFont(font)


def _paint_under(painter: QPainter, start: QPointF, wide: float, chip: Chip, tokens: Tokens) -> None:
    pen = QPen(QColor(tokens.on_accent if chip.current else tokens.caution), 2)
    pen.setStyle(Qt.PenStyle.DotLine)
    painter.setPen(pen)
    painter.drawLine(start, start + QPointF(wide, 0))
