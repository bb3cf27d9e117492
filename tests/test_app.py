"""The composition root without a screen: what the first caption is, which calls open no window, and signals."""

from __future__ import annotations

import signal
from dataclasses import replace

import pytest
from helpers.traces import a_trace

from attnviewer import app
from attnviewer.cli import main
from attnviewer.core.events import Event, Failed, Finished, Started, Stepped
from attnviewer.core.paths import resources_dir
from attnviewer.ui.start.clock import Milestones
from attnviewer.ui.start.interrupts import Interrupts

CAPTION = a_trace()
QUERY = replace(CAPTION, task="query")


PHOTO = str(resources_dir() / "images" / "woods.jpg")


class Closable:
    """Stands in for the window."""

    closed = False

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize(
    ("event", "reached", "closes"),
    [
        (Started(1, "caption"), [], False),
        (Stepped(1, "caption", CAPTION), ["word"], False),
        (Finished(1, "caption", CAPTION, 0.1), ["word", "done"], True),
        (Stepped(1, "query", QUERY), [], False),
        (Finished(1, "query", QUERY, 0.1), [], False),
        (Failed(1, "caption", "the memory is full."), [], True),
    ],
)
def test_the_first_caption_counts_and_a_query_does_not(event: Event, reached: list[str], closes: bool) -> None:
    milestones, window = Milestones(loud=False), Closable()
    app._note(event, milestones, [])
    app._quit_after(event, window)  # type: ignore[arg-type]
    assert (list(milestones.reached), window.closed) == (reached, closes)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_raises_nothing_while_it_is_awaited(name: str) -> None:
    number = getattr(signal, name)
    inherited = signal.signal(number, signal.SIG_DFL)  # a job in the background is born deaf to SIGINT
    try:
        with Interrupts():
            signal.raise_signal(number)
            assert signal.getsignal(number) is not signal.SIG_DFL
        assert signal.getsignal(number) is signal.SIG_DFL
    finally:
        signal.signal(number, inherited)


def test_a_signal_that_the_parent_has_silenced_stays_silenced() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Interrupts():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["frobnicate", "hola"], "no command frobnicate"),
        ([""], "no command ''"),
        (["--no-such"], "--no-such"),
        (["--timings", "nowhere.jpg"], "no file and no command nowhere.jpg"),
        ([PHOTO, PHOTO], "one image or folder"),
    ],
)
def test_a_call_that_makes_no_sense_gives_one_line_and_status_2(
    argv: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 2
    printed = capsys.readouterr()
    assert (printed.out, len(printed.err.splitlines())) == ("", 1)
    assert said in printed.err
