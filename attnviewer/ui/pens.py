"""How the lines of the ways to attend are drawn: told apart by their dashes as well as by their colour."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen

from attnviewer.core.modes import MODES
from attnviewer.ui.theme import Tokens

DASHES = {
    "solid": Qt.PenStyle.SolidLine,
    "dashed": Qt.PenStyle.DashLine,
    "dotted": Qt.PenStyle.DotLine,
    "dashdot": Qt.PenStyle.DashDotLine,
}


def pen_of(mode: str, tokens: Tokens) -> QPen:
    """The pen of a mode's line."""
    row = MODES[mode]
    pen = QPen(QColor(getattr(tokens, row.colour)), 2)
    pen.setStyle(DASHES[row.dash])
    return pen
