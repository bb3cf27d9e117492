"""Runner: the one thread that owns the model. Each job is a generator; between two yields it can be stopped.

Within a lane the newest job wins: it replaces the one that waits and stops the one that runs.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass
from typing import Any, TypeVar

from attnviewer.core.errors import UserError
from attnviewer.core.events import (
    Cancelled,
    Concluded,
    Event,
    Failed,
    Finished,
    Progress,
    Progressed,
    Shown,
    Started,
    Stepped,
)
from attnviewer.core.explore.finding import Finding
from attnviewer.core.trace import Trace

log = logging.getLogger(__name__)
Run = Generator[Progress | Trace, None, Trace]
Study = Generator[Progress | Finding, None, Finding]
Start = Callable[[], Run | Study]
T = TypeVar("T")


def outcome(run: Generator[Any, None, T], tell: Callable[[Progress], None] | None = None) -> T:
    """Drive a run to its end, telling its progress, and return its trace or finding; it is closed whatever happens."""
    with closing(run):
        while True:
            try:
                event = next(run)
                if tell is not None and isinstance(event, Progress):
                    tell(event)
            except StopIteration as end:
                found: T = end.value
                return found


@dataclass(eq=False)
class _Job:
    number: int
    lane: str
    start: Start | None
    stopped: bool = False

    def stop(self) -> None:
        self.stopped, self.start = True, None


class Runner:
    """Run jobs one after the other on a thread of its own.

    Parameters
    ----------
    post : called on the model thread with each event, in order; it must not block. No event of a job but
        `Cancelled` is posted once the job has been replaced or cancelled, and none at all after `close`.
    enter : entered on the model thread before the first job and left after the last.
    """

    def __init__(
        self, post: Callable[[Event], None], enter: Callable[[], AbstractContextManager[object]] = nullcontext
    ) -> None:
        self._post_event, self._enter = post, enter
        self._changed = threading.Condition(threading.RLock())
        self._waiting: deque[_Job] = deque()
        self._running: _Job | None = None
        self._newest = 0
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="model", daemon=True)

    def submit(self, lane: str, start: Start) -> int:
        """Queue a job that replaces all others in `lane` and return its id; the model thread calls `start`."""
        with self._changed:
            if self._closed:
                raise RuntimeError("the runner is closed")
            self.cancel(lane)
            self._newest += 1
            self._waiting.append(_Job(self._newest, lane, start))
            self._wake()
            return self._newest

    def cancel(self, lane: str | None = None) -> None:
        """Stop what waits and runs in `lane`, or everywhere; a running job ends at its next yield."""
        with self._changed:
            for job in (*self._waiting, *([self._running] if self._running else [])):
                if lane in (None, job.lane):
                    job.stop()

    def close(self, timeout: float | None = 2.0) -> bool:
        """Stop all jobs, post nothing more, and wait for the thread up to `timeout` seconds; True if it has ended."""
        with self._changed:
            self.cancel()
            self._closed = True
            self._changed.notify_all()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout)
        return not self._thread.is_alive()

    def _wake(self) -> None:
        if self._thread.ident is None:
            self._thread.start()
        self._changed.notify_all()

    def _work(self) -> None:
        try:
            with self._enter():
                self._loop(self._run)
        except Exception as error:  # the hook itself failed: every job fails with its reason
            log.exception("the model thread can't start")
            message, ours = _blame(error)
            self._loop(lambda job: self._end(job, Failed(job.number, job.lane, message, ours)))

    def _loop(self, handle: Callable[[_Job], None]) -> None:
        while (job := self._next()) is not None:
            handle(job)

    def _next(self) -> _Job | None:
        with self._changed:
            self._running = None
            self._changed.wait_for(lambda: self._closed or self._waiting)
            if self._closed:
                return None
            self._running = self._waiting.popleft()
            return self._running

    def _run(self, job: _Job) -> None:
        """Drive one job to its last event."""
        try:
            last = self._drive(job)
        except Exception as error:
            if not isinstance(error, UserError):
                log.exception("job %d in lane %s failed", job.number, job.lane)
            last = Failed(job.number, job.lane, *_blame(error))
        self._end(job, last)

    def _end(self, job: _Job, last: Event | None) -> None:
        if last is None or not self._post(job, last):
            self._post(job, Cancelled(job.number, job.lane))

    def _drive(self, job: _Job) -> Event | None:
        """Step through the generator; None when it was stopped on the way."""
        began, start = time.perf_counter(), job.start
        if start is None or not self._post(job, Started(job.number, job.lane)):
            return None
        job.start = None
        steps = start()
        try:
            while self._post(job, _event(job, next(steps))):
                pass
        except StopIteration as end:
            return _end_of(job, end.value, time.perf_counter() - began)
        finally:
            steps.close()
        return None

    def _post(self, job: _Job, event: Event) -> bool:
        """Post unless the job is stale; the lock makes sure that none slips out after a replacement."""
        with self._changed:
            if self._closed or (job.stopped and not isinstance(event, Cancelled)):
                return False
            try:
                self._post_event(event)
            except Exception:
                log.exception("an event of job %d could not be delivered", job.number)
            return True


def _end_of(job: _Job, found: Trace | Finding, seconds: float) -> Event:
    if isinstance(found, Finding):
        return Concluded(job.number, job.lane, found, seconds)
    return Finished(job.number, job.lane, found, seconds)


def _event(job: _Job, step: Progress | Trace | Finding) -> Event:
    if isinstance(step, Progress):
        return Progressed(job.number, job.lane, step)
    if isinstance(step, Trace):
        return Stepped(job.number, job.lane, step)
    if isinstance(step, Finding):
        return Shown(job.number, job.lane, step)
    raise TypeError(f"a run yielded a {type(step).__name__}, not progress, a trace or a finding")


def _blame(error: Exception) -> tuple[str, bool]:
    """The message, as one line, and whether the fault is ours."""
    message, ours = " ".join(str(error).split()), not isinstance(error, UserError)
    return (f"{type(error).__name__}: {message}".rstrip(": ") if ours else message), ours
