"""The Spanish sentences to begin with, as a button beside a field."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QLineEdit, QMenu, QPushButton

from attnviewer.core.i18n import tr
from attnviewer.ui.controls import button
from attnviewer.ui.panels.transformer.state import SPANISH


def sentences(field: QLineEdit, read: Callable[[], object]) -> QPushButton:
    """A button that offers the sentences; the one that is picked is put into `field` and read."""
    field.setText(SPANISH[0])
    made = button(tr("Samples"), tr("Sentences to begin with"), glyph="samples")
    menu = QMenu(made)
    for text in SPANISH:
        menu.addAction(text).triggered.connect(partial(_pick, field, read, text))
    made.setMenu(menu)
    return made


def _pick(field: QLineEdit, read: Callable[[], object], text: str, *_: object) -> None:
    field.setText(text)
    field.setCursorPosition(0)
    read()
