"""How much of each word's attention lies in the box or the patch on the photo, and what the patch costs each word."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject

from attnviewer.core.boxed import area, box_around, shares
from attnviewer.core.events import Event, Failed, Finished
from attnviewer.core.i18n import tr
from attnviewer.core.lens import word_map
from attnviewer.core.request import QueryRequest
from attnviewer.core.trace import Grid, Trace
from attnviewer.ui.panels.image.shareline import Shares
from attnviewer.ui.widgets.easel import BOX, Box

if TYPE_CHECKING:
    from attnviewer.ui.panels.image.panel import ImagePanel

LANE, FIND = "uncovered", "found-image"
UNSURE = 0.5


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

    def find(self, text: str) -> None:
        """Draw the box around what a query finds on the photo."""
        if text.strip() and self._state.picture is not None:
            self._panel.desk.worker.ask(FIND, QueryRequest(text.strip(), picture=self._state.picture))

    def _found(self, trace: Trace) -> None:
        grid = trace.locations
        weights = word_map(trace, 0)
        if isinstance(grid, Grid) and weights is not None:
            self.draw_box(box_around(weights.reshape(grid.rows, grid.columns)))
        sure = getattr(trace, "presence", None)
        if sure is not None and sure < UNSURE:
            query = trace.request.get("text", "")
            self._panel.say(tr("“{query}” is probably not there ({share}).", query=query, share=f"{sure:.0%}"))

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
        """Keep what the model thinks of the words on the other photo; take what a query found."""
        if event.lane == LANE and isinstance(event, Finished):
            self._others[self._asked] = tuple(map(float, np.exp(event.trace.logprobs)))
            self.show()
        elif event.lane == FIND and isinstance(event, Finished):
            self._found(event.trace)
        elif event.lane == FIND and isinstance(event, Failed):
            self._panel.say(event.message, fault=True)
