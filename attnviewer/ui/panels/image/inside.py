"""How much of each word's attention lies in the box or the patch on the photo, and what the patch costs each word."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject

from attnviewer.core.boxed import area, shares
from attnviewer.core.events import Event, Finished
from attnviewer.ui.panels.image.shareline import Shares
from attnviewer.ui.widgets.easel import BOX, Box

if TYPE_CHECKING:
    from attnviewer.ui.panels.image.panel import ImagePanel

LANE = "uncovered"


class Inside(QObject):
    """Holds the box; of a patch it asks the model about the same words on the other photo."""

    def __init__(self, panel: ImagePanel) -> None:
        super().__init__(panel)
        self._panel, self._state = panel, panel.state
        self.box: Box | None = None
        self._others: dict[tuple[object, ...], tuple[float, ...]] = {}
        self._asked: tuple[object, ...] = ()
        panel.desk.worker.happened.connect(self.take)

    def clear(self) -> None:
        """Another photo: no box, and nothing known."""
        self._others.clear()
        self.draw_box(None)

    def show(self) -> None:
        """Bring the bars up to date."""
        self._panel.foot.show_shares(self._shares())

    def draw_box(self, box: Box | None) -> None:
        """Measure how much of each word's attention lies in a box; None for none."""
        self.box = box
        for one in self._panel.stages.columns.values():
            one.easel.show_box(BOX, box)
        self._panel.hands.show_steps()

    def _shares(self) -> Shares | None:
        """What there is to tell of the box, or else of the patch."""
        trace, covers = self._state.trace, self._state.edits.now.covers
        box = self.box or (covers[0].box if covers else None)
        if trace is None or box is None:
            return None
        found = tuple(shares(trace, box))
        if self.box is not None or self._state.main not in self._state.done:
            return Shares(found, area(box), patch=self.box is None)
        here, other = tuple(map(float, np.exp(trace.logprobs))), self._others.get(self._other_key())
        before, after = (other, here) if not self._state.peek else (here, other)
        return Shares(found, area(box), before, after, patch=True) if other else Shares(found, area(box), patch=True)

    def _other_key(self) -> tuple[object, ...]:
        trace = self._state.trace
        covers = self._state.edits.now.covers if self._state.peek else ()
        return self._state.main, trace.words if trace is not None else (), covers, self._state.edits.now.covers

    def listen(self) -> None:
        """Let the model read the words shown on the photo without the patch, or with it where one peeks."""
        covers, request = self._state.edits.now.covers, None
        if covers and self._state.trace is not None and self._state.picture is not None:
            key = self._other_key()
            if key not in self._others and self._state.main in self._state.done:
                request = replace(self._state.echo_request(self._state.main), covers=key[2])
                self._asked = key
                self._panel.desk.worker.ask(LANE, request)

    def take(self, event: Event) -> None:
        """Keep what the model thinks of the words on the other photo."""
        if event.lane == LANE and isinstance(event, Finished):
            self._others[self._asked] = tuple(map(float, np.exp(event.trace.logprobs)))
            self.show()
