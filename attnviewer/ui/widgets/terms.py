"""Labels that explain themselves when one points at them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy

from attnviewer.core.terms import explained
from attnviewer.ui.controls import label, plain


def explaining(text: str, key: str, role: str = "term") -> QLabel:
    """A label with a dotted line below, whose tooltip explains a term."""
    made = label(text, role)
    made.setToolTip(plain(explained(key)))
    made.setAccessibleDescription(explained(key))
    made.setIndent(0)
    made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
    made.setCursor(Qt.CursorShape.WhatsThisCursor)
    return made
