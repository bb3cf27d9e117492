"""Colours and spacing as named tokens, and the palette and style sheet made of them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from string import Template

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette

from attnviewer.core.paths import resources_dir
from attnviewer.ui.sheet import SHEET
from attnviewer.ui.textsize import scaled_sheet

THEMES = ("system", "light", "dark")


@dataclass(frozen=True)
class Tokens:
    """One theme: surfaces from back to front, text on them, one accent, two colours for trouble."""

    background: str
    stage: str
    surface: str
    raised: str
    line: str
    text: str
    muted: str
    accent: str
    accent_soft: str
    on_accent: str
    danger: str
    caution: str


LIGHT = Tokens(
    background="#f4f5f8",
    stage="#e7eaf0",
    surface="#ffffff",
    raised="#eceff4",
    line="#d2d8e2",
    text="#161a21",
    muted="#525c6b",
    accent="#3350d4",
    accent_soft="#dfe5fd",
    on_accent="#ffffff",
    danger="#a8201a",
    caution="#7c4a00",
)
DARK = Tokens(
    background="#13151a",
    stage="#0d0f13",
    surface="#1b1e25",
    raised="#272b34",
    line="#3b414d",
    text="#eceff4",
    muted="#a8b1bf",
    accent="#93aaff",
    accent_soft="#2b3560",
    on_accent="#0f1218",
    danger="#ff9d95",
    caution="#f3c26b",
)
TOKENS = {"light": LIGHT, "dark": DARK}
# text is drawn in the first colour over the second; the tests hold each pair to a contrast of 4.5 to 1
TEXT_PAIRS = tuple(
    (front, back)
    for front in ("text", "muted", "accent", "danger", "caution")
    for back in ("background", "surface", "raised", "stage")
) + (("on_accent", "accent"), ("text", "accent_soft"), ("accent", "accent_soft"))

ROLES = {
    QPalette.ColorRole.Window: "background",
    QPalette.ColorRole.Base: "surface",
    QPalette.ColorRole.AlternateBase: "raised",
    QPalette.ColorRole.Button: "raised",
    QPalette.ColorRole.ToolTipBase: "surface",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.ToolTipText: "text",
    QPalette.ColorRole.PlaceholderText: "muted",
    QPalette.ColorRole.Mid: "line",
    QPalette.ColorRole.Highlight: "accent",
    QPalette.ColorRole.HighlightedText: "on_accent",
    QPalette.ColorRole.Link: "accent",
}


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb` as WCAG defines it, 0 (black) to 1 (white)."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours as WCAG defines it, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def resolve(theme: str) -> Tokens:
    """The tokens of "light", "dark", or whatever the system shows for "system"."""
    if theme in TOKENS:
        return TOKENS[theme]
    dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
    return DARK if dark else LIGHT


def palette(tokens: Tokens) -> QPalette:
    """A palette of the tokens, for all that the style sheet doesn't reach."""
    made = QPalette()
    for role, name in ROLES.items():
        made.setColor(role, QColor(getattr(tokens, name)))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, QColor(tokens.muted))
    return made


def style_sheet(tokens: Tokens) -> str:
    """The style sheet of the whole window."""
    tick = "tick-black" if luminance(tokens.on_accent) < 0.5 else "tick-white"
    drawing = (resources_dir() / "icons" / f"{tick}.svg").as_posix()
    return scaled_sheet(Template(SHEET).substitute(asdict(tokens), tick=drawing))
