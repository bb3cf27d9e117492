from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest
from helpers.fake_engine import WORDS, FakeEngine
from helpers.traces import a_trace
from pytestqt.qtbot import QtBot

from attnviewer.core.events import Failed, Finished, Started, Stepped
from attnviewer.core.images import Picture
from attnviewer.core.request import CaptionRequest
from attnviewer.ui.worker import Mailbox, Worker

REQUEST = CaptionRequest(Picture(np.zeros((8, 8, 3), np.uint8)))


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def worker(qtbot: QtBot, engine: FakeEngine) -> Iterator[Worker]:
    made = Worker(lambda: engine)
    yield made
    assert made.close()


@pytest.fixture
def events(worker: Worker) -> list:
    seen: list = []
    worker.happened.connect(seen.append)
    return seen


def test_only_the_newest_frame_of_a_job_is_kept() -> None:
    box, trace = Mailbox(), a_trace()
    first = box.put(Started(1, "a"))
    rest = [box.put(Stepped(job, "a", trace)) for job in (1, 1, 1, 2)]
    assert (first, any(rest)) == (True, False)
    assert [(type(event), event.job) for event in box.take()] == [(Started, 1), (Stepped, 1), (Stepped, 2)]
    assert box.take() == []


def test_a_run_ends_with_its_whole_trace(worker: Worker, events: list, qtbot: QtBot) -> None:
    worker.ask("a", REQUEST)
    qtbot.waitUntil(lambda: any(isinstance(event, Finished) for event in events))
    assert events[-1].trace.words == WORDS
    assert not worker.busy


def test_events_arrive_on_the_thread_of_the_window(worker: Worker, qtbot: QtBot) -> None:
    threads: list[int] = []
    worker.happened.connect(lambda _: threads.append(threading.get_ident()))
    worker.ask("a", REQUEST)
    qtbot.waitUntil(lambda: not worker.busy)
    assert set(threads) == {threading.get_ident()}


def test_nothing_is_heard_of_a_replaced_job(worker: Worker, events: list, qtbot: QtBot) -> None:
    jobs = [worker.ask("a", REQUEST) for _ in range(5)]
    qtbot.waitUntil(lambda: not worker.busy)
    assert {event.job for event in events} == {jobs[-1]}


def test_nothing_is_heard_after_a_stop(worker: Worker, engine: FakeEngine, events: list, qtbot: QtBot) -> None:
    inside, go_on = threading.Event(), threading.Event()
    engine.before = lambda _: (inside.set(), go_on.wait(5))
    worker.ask("a", REQUEST)
    assert inside.wait(5)
    worker.cancel()
    heard = len(events)
    go_on.set()
    qtbot.wait(80)
    assert (len(events), worker.busy) == (heard, False)


def test_a_failed_run_tells_why_and_the_next_one_works(
    worker: Worker, engine: FakeEngine, events: list, qtbot: QtBot
) -> None:
    engine.fail_at = 1
    worker.ask("a", REQUEST)
    qtbot.waitUntil(lambda: not worker.busy)
    assert isinstance(events[-1], Failed)
    engine.fail_at = None
    worker.ask("a", REQUEST)
    qtbot.waitUntil(lambda: isinstance(events[-1], Finished))
    assert "memory" in next(event.message for event in events if isinstance(event, Failed))
