"""The bridge between the model thread and the window: events in, one queued Qt signal out, newest frame first."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from attnviewer.core.events import Event, Progressed, Shown, Started, Stepped
from attnviewer.core.explore.requests import Exploration
from attnviewer.core.jobs import Run, Runner, Start, Study
from attnviewer.core.request import Request

FRAME_MS = 16
FRAMES = (Stepped, Shown, Progressed)


class EngineLike(Protocol):
    """What the window needs of an engine: where it computes, and a run for each request."""

    device: str

    def run(self, request: Request) -> Run: ...
    def explore(self, request: Exploration) -> Study: ...


class Mailbox:
    """Events on their way to the window; of the frames of a job only the newest is kept. Safe for two threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._events: list[Event] = []

    def put(self, event: Event) -> bool:
        """Add an event; True where the box was empty, so that someone must be woken."""
        with self._lock:
            was_empty = not self._events
            if isinstance(event, FRAMES):
                self._events = [old for old in self._events if not _same_frame(old, event)]
            self._events.append(event)
            return was_empty

    def take(self) -> list[Event]:
        """Empty the box."""
        with self._lock:
            events, self._events = self._events, []
            return events


def _same_frame(old: Event, new: Event) -> bool:
    return type(old) is type(new) and (old.job, old.lane) == (new.job, new.lane)


class Worker(QObject):
    """Runs requests on the model thread and hands their events to the window.

    Signals
    -------
    happened(object) : an `Event` of a job that is still wanted.
    busy_changed(bool) : jobs are under way, or none.
    """

    happened = Signal(object)
    busy_changed = Signal(bool)
    _woken = Signal()

    def __init__(
        self,
        engine: Callable[[], EngineLike],
        enter: Callable[[], AbstractContextManager[object]] = nullcontext,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._make_engine = engine
        self._engine: EngineLike | None = None
        self._box = Mailbox()
        self._newest: dict[str, int] = {}
        self._closed = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._deliver)
        self._woken.connect(self._wake, Qt.ConnectionType.QueuedConnection)
        self._runner = Runner(self._post, enter)

    @property
    def busy(self) -> bool:
        return bool(self._newest)

    def runs(self, lane: str) -> bool:
        """Whether something runs or waits in a lane."""
        return lane in self._newest

    @property
    def device(self) -> str:
        """Where the engine computes; "" while there is none yet."""
        return self._engine.device if self._engine is not None else ""

    def ask(self, lane: str, request: Request | Exploration) -> int:
        """Run a request; it replaces whatever runs or waits in the lane."""
        return self.submit(lane, lambda: self._run(request))

    def submit(self, lane: str, start: Start) -> int:
        """Run any generator of the run protocol on the model thread."""
        was_busy = self.busy
        job = self._runner.submit(lane, start)
        self._newest[lane] = job
        if not was_busy:
            self.busy_changed.emit(True)
        return job

    def cancel(self, lane: str | None = None) -> None:
        """Stop a lane, or all; nothing more is heard of what was stopped."""
        self._runner.cancel(lane)
        self._forget([lane] if lane is not None else list(self._newest))

    def close(self, timeout: float = 3.0) -> bool:
        """Stop everything and wait for the thread; False where it would not end in time."""
        self._closed = True
        self._timer.stop()
        return self._runner.close(timeout)

    def _run(self, request: Request | Exploration) -> Run | Study:
        if self._engine is None:
            self._engine = self._make_engine()
        return self._engine.explore(request) if isinstance(request, Exploration) else self._engine.run(request)

    def _post(self, event: Event) -> None:
        if self._box.put(event) and not self._closed:
            self._woken.emit()

    @Slot()
    def _wake(self) -> None:
        if not self._closed and not self._timer.isActive():
            self._timer.start(FRAME_MS)

    @Slot()
    def _deliver(self) -> None:
        for event in self._box.take():
            if self._closed or self._newest.get(event.lane) != event.job:
                continue
            if not isinstance(event, (Started, *FRAMES)):
                self._forget([event.lane])
            self.happened.emit(event)

    def _forget(self, lanes: list[str]) -> None:
        was_busy = self.busy
        for lane in lanes:
            self._newest.pop(lane, None)
        if was_busy and not self.busy:
            self.busy_changed.emit(False)
