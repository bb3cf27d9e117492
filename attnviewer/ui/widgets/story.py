"""The line of story: one sentence above the stage that says, with this word's numbers, what is seen."""

from __future__ import annotations

import math

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSizePolicy

from attnviewer.core.i18n import tr
from attnviewer.core.story import story
from attnviewer.core.trace import Trace
from attnviewer.ui.controls import Label, refresh

ROWS, MOST, LONG, BESIDE = 2, 4, 190, 24  # rows, letters: room that is kept, so that the stage doesn't jump
LOW = 720  # height of a window in which room is kept for no more rows than the sentence has


class StoryLine(Label):
    """Plain text that changes with the word and the mode."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "story")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.setAccessibleName(tr("What is seen"))
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_word(self, trace: Trace | None, word: int) -> None:
        """Tell the word of a trace."""
        told = story(trace, word)
        self.setText(told)
        self.updateGeometry()
        self.setAccessibleDescription(told)

    def set_large(self, on: bool) -> None:
        """Letters for a room, or for a desk."""
        self.setProperty("role", "large" if on else "story")
        refresh(self)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        margins = self.contentsMargins()
        edges = 16 + margins.top() + margins.bottom()
        return QSize(100, ROWS * self.fontMetrics().lineSpacing() + edges)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def heightForWidth(self, width: int) -> int:
        """Room for the longest sentence there is, at this width."""
        letters = LONG * self.fontMetrics().averageCharWidth()
        rows = max(ROWS, math.ceil(letters / max(width - 2 * BESIDE, 1)))
        most = MOST if self.window().height() >= LOW else ROWS
        usual = self.sizeHint().height() + (min(rows, most) - ROWS) * self.fontMetrics().lineSpacing()
        return max(usual, super().heightForWidth(width)) if self.text() else usual
