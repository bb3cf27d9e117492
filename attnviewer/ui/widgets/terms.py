"""Labels that explain themselves when one points at them."""

from __future__ import annotations

import html

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy

from attnviewer.core.terms import explained, lines
from attnviewer.ui.controls import label


def told(key: str) -> str:
    """All that is told of a term, as a tooltip of several lines that is never read as markup."""
    return f"<span>{'<br>'.join(map(html.escape, lines(key)))}</span>"


def explaining(text: str, key: str, role: str = "term") -> QLabel:
    """A label with a dotted line below, whose tooltip explains a term."""
    made = label(text, role)
    made.setToolTip(told(key))
    made.setAccessibleDescription(explained(key))
    made.setIndent(0)
    made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
    made.setCursor(Qt.CursorShape.WhatsThisCursor)
    return made
