"""Icons: drawings of one colour from the resources, painted in the colours of the theme."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QWidget

from attnviewer.core.paths import resources_dir
from attnviewer.ui.theme import Tokens

SIZE = 20
RATIOS = (1, 2, 3)


@lru_cache(maxsize=256)
def pixmap(name: str, colour: str, size: int = SIZE, ratio: float = 1) -> QPixmap:
    """The drawing `name` in one colour, `size` points wide, for a screen of `ratio` pixels a point."""
    drawing = (resources_dir() / "icons" / f"{name}.svg").read_text("utf-8").replace("currentColor", colour)
    made = QPixmap(round(size * ratio), round(size * ratio))
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    QSvgRenderer(QByteArray(drawing.encode())).render(painter, QRectF(0, 0, size, size))
    painter.end()
    return made


def icon(name: str, colour: str, checked: str | None = None) -> QIcon:
    """An icon in one colour, sharp on every screen; `checked` is the colour of its pressed-in state."""
    made = QIcon()
    for ratio in RATIOS:
        made.addPixmap(pixmap(name, colour, SIZE, ratio))
        if checked:
            made.addPixmap(pixmap(name, checked, SIZE, ratio), QIcon.Mode.Normal, QIcon.State.On)
    return made


def app_icon() -> QIcon:
    """The icon of the program."""
    made = QIcon()
    for size in (16, 32, 64, 128, 256):
        made.addPixmap(pixmap("app", "", size))
    return made


def paint_glyphs(root: QWidget, tokens: Tokens) -> None:
    """Give each button below `root` that carries a `glyph` its icon in the colours of the theme."""
    for button in root.findChildren(QAbstractButton):
        paint_glyph(button, tokens)


def paint_glyph(button: QAbstractButton, tokens: Tokens) -> None:
    """Paint the icon of one button."""
    glyph = button.property("glyph")
    if glyph:
        accent = button.property("look") in ("accent", "play")
        button.setIcon(icon(glyph, tokens.on_accent if accent else tokens.text, None if accent else tokens.accent))
