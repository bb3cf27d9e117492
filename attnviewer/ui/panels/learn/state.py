"""What the panel Learn knows without a widget: the lessons there are, and how far the learner is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from attnviewer.core.i18n import language
from attnviewer.core.lessons.stops import Lesson, shipped

TOUR, SHORT = 0, 1


@dataclass
class LearnState:
    """Lessons, of which one is shown.

    Parameters
    ----------
    lessons : the tour, the short one, and those that were opened.
    shown : which of them is shown as a list.
    at : the stop of the tour that the learner was at last.
    done : the stops of the tour that were answered.
    """

    lessons: list[Lesson] = field(default_factory=lambda: list(shipped(language())))
    shown: int = TOUR
    at: int = 0
    done: set[int] = field(default_factory=set)

    @property
    def lesson(self) -> Lesson:
        """The one that is shown as a list."""
        return self.lessons[self.shown]

    @property
    def on_tour(self) -> bool:
        """Whether the tour is shown, whose progress is kept."""
        return self.shown == TOUR

    def add(self, lesson: Lesson) -> None:
        """Show a lesson that was opened; one of the same title is replaced."""
        own = [one for one in self.lessons[SHORT + 1 :] if one.title != lesson.title]
        self.lessons = [*self.lessons[: SHORT + 1], *own, lesson]
        self.shown = len(self.lessons) - 1

    def recall(self, at: int, done: Iterable[str]) -> None:
        """Go on where the learner was."""
        count = len(self.lessons[TOUR].stops)
        self.at = min(max(at, 0), max(count - 1, 0))
        self.done = {int(one) for one in done if one.isdecimal() and int(one) < count}

    def reach(self, lesson: Lesson, at: int) -> None:
        """The learner is at a stop."""
        if lesson is self.lessons[TOUR]:
            self.at = at

    def predict(self, lesson: Lesson, at: int) -> None:
        """The learner has answered a stop."""
        if lesson is self.lessons[TOUR]:
            self.done.add(at)

    def to_keep(self) -> tuple[str, ...]:
        """The answered stops, as they are remembered."""
        return tuple(map(str, sorted(self.done)))


def safe_name(title: str) -> Path:
    """A file name made of a title."""
    kept = "".join(letter if letter.isalnum() else "-" for letter in title).strip("-")
    return Path("-".join(filter(None, kept.split("-"))) or "lesson")
