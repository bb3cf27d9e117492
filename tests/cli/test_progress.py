"""Progress on stderr."""

from __future__ import annotations

import io

from attnviewer.core.events import Progress
from attnviewer.verbs.progress import ProgressLine


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def told(out: io.StringIO, *steps: tuple[float, float | None], hint: str = "") -> str:
    """What is written when at each second of `steps` so much is done."""
    clock = Clock()
    line = ProgressLine(hint, out, clock)
    for clock.now, fraction in steps:
        line(Progress("Encoding", fraction))
    return out.getvalue()


def test_what_is_done_soon_says_nothing() -> None:
    assert told(io.StringIO(), (0, None), (0.5, 0.5), (1, 1.0)) == ""


def test_what_takes_long_says_how_long_it_still_takes() -> None:
    assert told(io.StringIO(), (0, 0.0), (4, 0.1), (5, 0.125), (10, 0.25)) == (
        "Encoding, about 36 s left\nEncoding, about 30 s left\n"
    )


def test_minutes_are_rounded_and_a_hint_is_given_once() -> None:
    said = told(io.StringIO(), (0, 0.0), (4, 0.01), (10, 0.02), hint="try tfidf")
    assert said == "Encoding, about 7 min left\ntry tfidf\nEncoding, about 8 min left\n"


def test_a_terminal_has_one_line_that_is_written_over_and_cleared() -> None:
    assert told(Screen(), (0, 0.0), (4, 0.5), (6, 1.0)) == "\r\x1b[KEncoding, about 4 s left\r\x1b[K"
