"""The runner: order, newest wins, cancellation, faults, closing."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Queue

import pytest
from helpers.traces import a_trace

from attnviewer.core.errors import UserError
from attnviewer.core.events import Cancelled, Event, Failed, Finished, Progress, Progressed, Started, Stepped
from attnviewer.core.jobs import Run, Runner

WAIT = 5
ENDS = (Finished, Failed, Cancelled)


class Desk:
    """A runner with the events it has posted."""

    def __init__(self, enter: Callable | None = None) -> None:
        self.events: Queue[Event] = Queue()
        self.runner = Runner(self.events.put, enter) if enter else Runner(self.events.put)

    def until_ends(self, *numbers: int) -> list[Event]:
        """All events up to the last end of the jobs."""
        missing, seen = set(numbers), []
        while missing:
            seen.append(self.events.get(timeout=WAIT))
            if isinstance(seen[-1], ENDS):
                missing.discard(seen[-1].job)
        return seen


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    assert desk.runner.close(WAIT)


def kinds(events: list[Event]) -> list[tuple[int, type[Event]]]:
    return [(event.job, type(event)) for event in events]


def quick() -> Run:
    yield Progress("loading", 0.5)
    yield a_trace()
    return a_trace()


class Held:
    """A run that yields one word each time it is let go."""

    def __init__(self) -> None:
        self.reached, self.go, self.closed = threading.Event(), threading.Semaphore(0), threading.Event()

    def __call__(self) -> Run:
        try:
            while True:
                self.reached.set()
                assert self.go.acquire(timeout=WAIT)
                yield a_trace()
        finally:
            self.closed.set()


def test_a_job_tells_all_in_order(desk: Desk) -> None:
    events = desk.until_ends(desk.runner.submit("stage", quick))
    assert [type(event) for event in events] == [Started, Progressed, Stepped, Finished]
    assert {(event.job, event.lane) for event in events} == {(1, "stage")}
    assert isinstance(events[-1], Finished)
    assert events[-1].seconds >= 0


def test_jobs_of_different_lanes_run_one_after_the_other(desk: Desk) -> None:
    events = desk.until_ends(desk.runner.submit("a", quick), desk.runner.submit("b", quick))
    assert [event.job for event in events] == [1] * 4 + [2] * 4


def test_a_new_job_stops_the_running_one_within_one_step(desk: Desk) -> None:
    held = Held()
    old = desk.runner.submit("stage", held)
    assert held.reached.wait(WAIT)
    new = desk.runner.submit("stage", quick)
    held.go.release()
    ends = [event for event in desk.until_ends(old, new) if isinstance(event, ENDS)]
    assert kinds(ends) == [(old, Cancelled), (new, Finished)]
    assert held.closed.is_set()


def test_nothing_of_a_replaced_job_is_posted_but_its_end(desk: Desk) -> None:
    held = Held()
    old = desk.runner.submit("stage", held)
    assert held.reached.wait(WAIT)
    new = desk.runner.submit("stage", quick)
    held.go.release()
    of_old = [event for event in desk.until_ends(old, new) if event.job == old]
    assert [type(event) for event in of_old] == [Started, Cancelled]


def test_a_slider_never_queues_up(desk: Desk) -> None:
    held, started = Held(), []

    def counted() -> Run:
        started.append(1)
        return (yield from quick())

    desk.runner.submit("other", held)
    assert held.reached.wait(WAIT)
    numbers = [desk.runner.submit("slider", counted) for _ in range(200)]
    desk.runner.cancel("other")
    held.go.release()
    events = desk.until_ends(*numbers)
    assert len(started) == 1
    assert kinds(events)[-1] == (numbers[-1], Finished)


def test_cancel_spares_other_lanes(desk: Desk) -> None:
    held = Held()
    running = desk.runner.submit("a", held)
    assert held.reached.wait(WAIT)
    waiting = desk.runner.submit("b", quick)
    desk.runner.cancel("a")
    held.go.release()
    ends = [event for event in desk.until_ends(running, waiting) if isinstance(event, ENDS)]
    assert kinds(ends) == [(running, Cancelled), (waiting, Finished)]


def test_a_user_error_is_the_users_and_the_next_job_runs(desk: Desk) -> None:
    def wrong() -> Run:
        raise UserError("this is no image; pick another.")

    events = desk.until_ends(desk.runner.submit("stage", wrong))
    assert events[-1] == Failed(1, "stage", "this is no image; pick another.", ours=False)
    assert isinstance(desk.until_ends(desk.runner.submit("stage", quick))[-1], Finished)


def test_another_error_is_ours_on_one_line_with_its_traceback_logged(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> Run:
        yield Progress("thinking")
        raise ValueError("two\nlines")

    events = desk.until_ends(desk.runner.submit("stage", broken))
    assert events[-1] == Failed(1, "stage", "ValueError: two lines", ours=True)
    assert "Traceback" in caplog.text


def test_a_run_that_yields_something_else_fails(desk: Desk) -> None:
    def odd() -> Run:
        yield "word"  # type: ignore[misc]
        return a_trace()

    failed = desk.until_ends(desk.runner.submit("stage", odd))[-1]
    assert isinstance(failed, Failed)
    assert "yielded a str" in failed.message


def test_a_post_that_fails_does_not_end_the_thread(caplog: pytest.LogCaptureFixture) -> None:
    ended = threading.Event()

    def post(event: Event) -> None:
        if isinstance(event, Finished):
            ended.set()
        raise RuntimeError("the window is gone")

    runner = Runner(post)
    runner.submit("stage", quick)
    assert ended.wait(WAIT)
    assert runner.close(WAIT)
    assert "could not be delivered" in caplog.text


def test_the_hook_is_entered_once_on_the_model_thread_and_left() -> None:
    places: list[str] = []

    @contextmanager
    def enter() -> Iterator[None]:
        places.append(threading.current_thread().name)
        yield
        places.append("left")

    desk = Desk(enter)
    desk.until_ends(desk.runner.submit("a", quick), desk.runner.submit("b", quick))
    assert desk.runner.close(WAIT)
    assert places == ["model", "left"]


def test_a_hook_that_fails_fails_every_job() -> None:
    def enter() -> None:
        raise ImportError("no torch here")

    desk = Desk(enter)
    for number in (1, 2):
        events = desk.until_ends(desk.runner.submit("stage", quick))
        assert events == [Failed(number, "stage", "ImportError: no torch here", ours=True)]
    assert desk.runner.close(WAIT)


def test_closing_stops_the_run_and_posts_nothing_more() -> None:
    desk, held = Desk(), Held()
    desk.runner.submit("stage", held)
    assert held.reached.wait(WAIT)
    assert isinstance(desk.events.get(timeout=WAIT), Started)
    assert not desk.runner.close(0.01)
    held.go.release()
    assert desk.runner.close(WAIT)
    assert held.closed.is_set()
    assert desk.events.empty()


def test_closing_works_before_the_first_job_and_twice_and_refuses_new_ones() -> None:
    runner = Runner(lambda event: None)
    assert runner.close()
    assert runner.close()
    with pytest.raises(RuntimeError, match="closed"):
        runner.submit("stage", quick)


def test_a_post_may_submit() -> None:
    numbers: list[int] = []
    done = threading.Event()

    def post(event: Event) -> None:
        if isinstance(event, Finished):
            numbers.append(event.job)
            done.set() if len(numbers) == 3 else runner.submit("stage", quick)

    runner = Runner(post)
    runner.submit("stage", quick)
    assert done.wait(WAIT)
    assert runner.close(WAIT)
    assert numbers == [1, 2, 3]
