"""Where a window is low, the tools of What if? fold into a button on the photo, and a comparison has neither."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject

from attnviewer.core.i18n import tr
from attnviewer.ui.controls import button
from attnviewer.ui.panels.image.state import COMPARE
from attnviewer.ui.panels.image.whatifbar import ROOMY, WhatIfBar

if TYPE_CHECKING:
    from attnviewer.ui.panels.image.panel import ImagePanel

EDGE = 10


class Folding(QObject):
    """Shows the bar, or the button that unfolds it."""

    def __init__(self, panel: ImagePanel, bar: WhatIfBar) -> None:
        super().__init__(panel)
        self._panel, self._bar = panel, bar
        told = tr("Say another word, paint where it must look, draw a box or cover a place (E)")
        self.button = button(tr("What if?"), told, self.unfold)
        self.button.setParent(panel.stages)
        panel.stages.installEventFilter(self)
        self.fit()

    def unfold(self) -> None:
        """Show the tools; choosing “Look” folds them again."""
        self._bar.unfolded = True
        self.fit()

    def fold(self) -> None:
        """Leave the room to the photo, where there is little."""
        self._bar.unfolded = False
        self.fit()

    def fit(self) -> None:
        """Share the room that the window has now."""
        low, comparing = self._panel.window().height() < ROOMY, self._panel.state.mode == COMPARE
        needed, presenting = self._bar.needed(low=low, comparing=comparing), self._panel.modes.presenting
        self._bar.setVisible(needed and not presenting)
        self.button.setVisible(not (needed or presenting or comparing))
        self.button.adjustSize()
        self.button.move(EDGE, self._panel.stages.height() - self.button.height() - EDGE)
        self.button.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.fit()
        return super().eventFilter(watched, event)
