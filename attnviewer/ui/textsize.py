"""How large letters are: one factor over the system's size, for what Qt sets and for what is painted."""

from __future__ import annotations

import re

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

SIZES = (0.85, 1.0, 1.15, 1.3, 1.5, 1.75)
USUAL = 1.0
FACTOR, SYSTEM = "attnviewer.text", "attnviewer.font"


def use(size: float) -> None:
    """Let all letters be `size` times as large as the system's."""
    app = QApplication.instance()
    if not isinstance(app, QApplication) or factor() == size:
        return
    system = app.property(SYSTEM) or QFont(app.font())
    app.setProperty(SYSTEM, system)
    app.setProperty(FACTOR, size)
    font = QFont(system)
    font.setPointSizeF(system.pointSizeF() * size)
    app.setFont(font)


def factor() -> float:
    """How many times the system's size letters have now."""
    app = QApplication.instance()
    return float(app.property(FACTOR) or USUAL) if app is not None else USUAL


def scaled(points: float) -> int:
    """A length that holds letters, or the height of a letter, at the size of now."""
    return round(points * factor())


def scaled_sheet(sheet: str) -> str:
    """A style sheet with the letters that it sets at the size of now."""
    return re.sub(r"font-size: (\d+)px", lambda found: f"font-size: {scaled(int(found[1]))}px", sheet)


def stepped(size: float, by: int) -> float:
    """The size that is so many steps larger or smaller; the last ones stay."""
    at = min(range(len(SIZES)), key=lambda place: abs(SIZES[place] - size))
    return SIZES[min(max(at + by, 0), len(SIZES) - 1)]
