"""A caption that was kept: the photo with the map of the current word, and all its words."""

from __future__ import annotations

import html
from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from attnviewer.core.covers import covered
from attnviewer.core.images import Picture
from attnviewer.ui.controls import column, label
from attnviewer.ui.look import Look
from attnviewer.ui.theme import Tokens
from attnviewer.ui.whatif import Variant
from attnviewer.ui.widgets.stage import Stage


class PhotoSide(QWidget):
    """One of two captions on one clock.

    Signals
    -------
    chosen(int) : a word was clicked.
    """

    chosen = Signal(int)

    def __init__(self, picture: Callable[[], Picture | None], look: Callable[[], Look]) -> None:
        super().__init__()
        self._picture, self._look = picture, look
        self.stage, self.text = Stage(), label("", "", wrap=True)
        self.text.setTextFormat(Qt.TextFormat.RichText)
        self.text.linkActivated.connect(lambda word: self.chosen.emit(int(word)))
        self.variant: Variant | None = None
        self._tokens: Tokens | None = None
        rows = column(self.stage, self.text, spacing=4)
        rows.setStretch(0, 1)
        self.setLayout(rows)
        self.setMinimumWidth(150)

    def show_variant(self, variant: Variant, *, large: bool) -> None:
        """Show one on the photo as the net saw it, with its patches."""
        self.variant, picture = variant, self._picture()
        self.text.setProperty("role", "says" if large else "")
        self.stage.show_picture(None if picture is None else covered(picture, variant.change.covers))

    def show_word(self, word: int) -> None:
        """Show the map of a word, which stands out among the others; the last one where there are fewer."""
        if self.variant is None or not self.variant.trace.steps:
            return
        trace = self.variant.trace
        at = min(max(word, 0), len(trace.steps) - 1)
        self.stage.show_word(trace, at, self._look())
        self.text.setText(" ".join(self._dressed(n, n == at, one) for n, one in enumerate(trace.words)))

    def _dressed(self, number: int, current: bool, word: str) -> str:
        colour = "" if self._tokens is None else self._tokens.accent if current else self._tokens.text
        told = html.escape(word)
        link = f'<a href="{number}" style="color:{colour}; text-decoration:none">{told}</a>'
        return f"<b><u>{link}</u></b>" if current else link

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.stage.set_tokens(tokens)
