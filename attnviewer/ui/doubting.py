"""A panel whose words can be doubted: does it matter where the model looked? It has the page that answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget

from attnviewer.core.explore.requests import Exploration
from attnviewer.core.i18n import tr
from attnviewer.core.trace import Trace
from attnviewer.ui.panels.base import Made, Panel
from attnviewer.ui.player import Player
from attnviewer.ui.widgets.matter import MatterView


class Doubting(Panel):
    """The page lies over all that stands above the foot; it follows the word clock."""

    state: Any
    player: Player
    matter: MatterView

    def add_matter(self, key: str, area: Callable[[], QRect], ask: Callable[[int], Exploration | None]) -> None:
        """Make the page, which asks by `ask` about a word."""
        self.matter = MatterView(self.desk, self, area, key, ask)
        self.matter.set_tokens(self.desk.tokens)

    def doubt(self) -> None:
        """Ask about the word on the clock."""
        trace: Trace | None = self.state.trace
        if trace is None or not trace.steps:
            return self.say(tr("There is no word to ask about yet; wait for the first one."), fault=True)
        if not trace.heads:
            return self.say(tr("This model has no attention that could matter; choose another."), fault=True)
        self.player.pause()
        return self.matter.start(trace, self.player.word, getattr(self.state, "picture", None))

    def follow_matter(self, word: int) -> None:
        """The clock is at another word, or there is another trace."""
        if hasattr(self, "matter"):
            self.matter.show_word(self.state.trace, word, getattr(self.state, "picture", None))

    def leave(self) -> bool:
        return self.matter.leave()

    def makes(self) -> Made | None:
        found = self.matter.forms()
        return None if found is None else Made(*found)

    def words(self) -> str:
        return self.matter.words() if self.matter.is_open else super().words()


def above(panel: QWidget, foot: QWidget, below: QWidget | None = None) -> QRect:
    """What lies above the foot of a panel, and below some part of it."""
    top = below.geometry().bottom() + 1 if below is not None and below.isVisible() else 0
    bottom = foot.y() if foot.isVisible() else panel.height()
    return QRect(0, top, panel.width(), max(0, bottom - top))
