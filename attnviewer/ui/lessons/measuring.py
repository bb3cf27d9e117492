"""Runs what the claims of a stop need, beside what the panel shows, and tells the outcomes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from attnviewer.core.errors import UserError
from attnviewer.core.events import Concluded, Event, Failed, Finished
from attnviewer.core.images import Picture
from attnviewer.core.lessons.asking import request_of
from attnviewer.core.lessons.claims import Claim, Outcome, outcome, wanted
from attnviewer.core.lessons.states import State
from attnviewer.ui.worker import Worker

LANE = "lesson-"


class Measuring(QObject):
    """Every run has a lane of its own; the newest claims win.

    Signals
    -------
    measured(object) : the outcomes, a list of `Outcome`.
    failed(str) : why there are none.
    """

    measured = Signal(object)
    failed = Signal(str)

    def __init__(self, worker: Worker, parent: QObject) -> None:
        super().__init__(parent)
        self._worker = worker
        self._claims: Sequence[Claim] = ()
        self._waiting: dict[str, str] = {}  # the run of each lane
        self._results: dict[str, Any] = {}
        worker.happened.connect(self._on_event)

    def measure(self, claims: Sequence[Claim], picture_of: Callable[[State], Picture | None]) -> None:
        """Run what the claims need."""
        self.stop()
        self._claims, self._results = claims, {}
        try:
            asked = [(state.run, request_of(state, picture_of(state))) for state in wanted(claims)]
        except UserError as error:
            return self.failed.emit(str(error))
        for number, (run, request) in enumerate(asked):
            if request is None:
                self._results[run] = None
            else:
                self._waiting[f"{LANE}{number}"] = run
                self._worker.ask(f"{LANE}{number}", request)
        return self._settle()

    def stop(self) -> None:
        """Nothing is measured any more."""
        for lane in self._waiting:
            self._worker.cancel(lane)
        self._waiting.clear()

    @Slot(object)
    def _on_event(self, event: Event) -> None:
        if event.lane not in self._waiting:
            return
        if isinstance(event, Failed):
            self.stop()
            self.failed.emit(event.message)
        elif isinstance(event, (Finished, Concluded)):
            found = event.trace if isinstance(event, Finished) else event.finding
            self._results[self._waiting.pop(event.lane)] = found
            self._settle()

    def _settle(self) -> None:
        if not self._waiting:
            outcomes: list[Outcome] = [outcome(claim, self._results) for claim in self._claims]
            self.measured.emit(outcomes)
