"""A panel whose words can be doubted: did it matter where the model looked, and what else might it have said?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget

from attnviewer.core.i18n import tr
from attnviewer.core.trace import Trace
from attnviewer.ui.panels.base import Made, Panel
from attnviewer.ui.player import Player
from attnviewer.ui.widgets.beamtree import BeamPage
from attnviewer.ui.widgets.matter import MatterView
from attnviewer.ui.widgets.overlay import Overlay


class Doubting(Panel):
    """Its pages lie over all that stands above the foot: one follows the word clock, one shows the beam's tree."""

    state: Any
    player: Player
    matter: MatterView
    beam: BeamPage

    def add_pages(self, key: str, side: Any, area: Callable[[], QRect]) -> None:
        """Make the pages, which buttons of the side open; the state says what they ask about a word."""
        self.matter = MatterView(self.desk, self, area, key, self.state.matter_request)
        self.beam = BeamPage(self.desk, self, area, key, self.state.tree_request)
        self.beam.chosen.connect(self.take_branch)
        side.doubted.connect(self.doubt)
        side.searched.connect(self.show_beam)
        self.pages: list[Overlay] = [self.matter, self.beam]
        for page in (self.matter, self.beam):
            page.set_tokens(self.desk.tokens)
            self.desk.tokens_changed.connect(page.set_tokens)

    def page_commands(self) -> dict[str, Callable[[], object]]:
        """What the keys of the pages do."""
        return {"matter": self.doubt, "beam": self.show_beam}

    def doubt(self) -> None:
        """Ask whether it matters where the word on the clock looked, or close the page."""
        trace = self._asked(self.matter)
        if trace is None:
            return None
        if not trace.heads:
            return self.say(tr("This model has no attention that could matter; choose another."), fault=True)
        return self.matter.start(trace, self.player.word, getattr(self.state, "picture", None))

    def show_beam(self) -> None:
        """Show what the beam search kept and dropped, or close the page."""
        if self._asked(self.beam) is not None:
            self.beam.start(self.player.word)

    def _asked(self, page: Overlay) -> Trace | None:
        """The trace a page is to be opened for; None where it was open, or there is nothing."""
        trace: Trace | None = self.state.trace
        if page.leave():
            return None
        self.leave()
        self.player.pause()
        if trace is None or not trace.steps:
            self.say(tr("There is no word to ask about yet; wait for the first one."), fault=True)
            return None
        return trace

    def take_branch(self, words: tuple[str, ...], whole: bool) -> None:
        """Put the text of a node of the tree on the clock."""

    def follow_pages(self, word: int) -> None:
        """The clock is at another word, or there is another trace."""
        if hasattr(self, "matter"):
            self.matter.show_word(self.state.trace, word, getattr(self.state, "picture", None))
            self.beam.follow()

    def leave(self) -> bool:
        return any(page.leave() for page in self.pages)

    def makes(self) -> Made | None:
        found = self.matter.forms() or self.beam.forms()
        return None if found is None else Made(*found)

    def words(self) -> str:
        page = next((page for page in (self.matter, self.beam) if page.is_open), None)
        return super().words() if page is None else page.words()


def above(panel: QWidget, foot: QWidget, below: QWidget | None = None) -> QRect:
    """What lies above the foot of a panel, and below some part of it."""
    top = below.geometry().bottom() + 1 if below is not None and below.isVisible() else 0
    bottom = foot.y() if foot.isVisible() else panel.height()
    return QRect(0, top, panel.width(), max(0, bottom - top))
