"""The caption in large type, for showing to a room: the current word stands out in weight and underline."""

from __future__ import annotations

import html

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from attnviewer.core.i18n import tr
from attnviewer.core.trace import Trace
from attnviewer.ui.player import Player
from attnviewer.ui.theme import LIGHT, Tokens


class Subtitle(QLabel):
    """All words in a line, hidden until the presenter wants it."""

    def __init__(self, player: Player) -> None:
        super().__init__()
        self._player, self._tokens = player, LIGHT
        self._words: tuple[str, ...] = ()
        self.setProperty("role", "subtitle")
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setWordWrap(True)
        self.setAccessibleName(tr("Caption"))
        self.hide()
        player.word_changed.connect(self._paint)

    def show_trace(self, trace: Trace | None) -> None:
        self._words = trace.words if trace is not None else ()
        self._paint()

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self._paint()

    def _paint(self, *_: int) -> None:
        self.setText(" ".join(self._dress(index, html.escape(word)) for index, word in enumerate(self._words)))

    def _dress(self, index: int, word: str) -> str:
        if index != self._player.word:
            return f'<span style="color:{self._tokens.muted}">{word}</span>'
        return f'<b><u><span style="color:{self._tokens.accent}">{word}</span></u></b>'
