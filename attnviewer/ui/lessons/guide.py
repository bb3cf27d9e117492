"""Leads through a lesson: sets the window to each stop's state, asks, then shows, measures and tells."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture, load_picture
from attnviewer.core.lessons.asking import photo_path
from attnviewer.core.lessons.claims import Outcome
from attnviewer.core.lessons.personal import personal
from attnviewer.core.lessons.states import State
from attnviewer.core.lessons.stops import Lesson, Stop
from attnviewer.core.lessons.telling import astray, filled
from attnviewer.ui.lessons.bar import LessonBar
from attnviewer.ui.lessons.halo import Halo
from attnviewer.ui.lessons.measuring import Measuring
from attnviewer.ui.lessons.offer import Offer
from attnviewer.ui.lessons.places import find
from attnviewer.ui.lessons.restoring import current
from attnviewer.ui.lessons.statefiles import StateFiles
from attnviewer.ui.panels.learn.state import SHORT
from attnviewer.ui.sources import as_png

if TYPE_CHECKING:
    from attnviewer.ui.window import Window

HOME = "learn"
ROOMY = 760  # a window of fewer pixels has no status line beside a lesson


class Guide(QObject):
    """The lesson under way, if any.

    Signals
    -------
    reached(object, int) : a `Lesson`, and the stop that it is at.
    predicted(object, int) : a stop of a `Lesson` was answered.
    ended() : the lesson was left.
    figured(str, object) : what was on the screen at a stop of this title, as PNG.
    """

    reached = Signal(object, int)
    predicted = Signal(object, int)
    ended = Signal()
    figured = Signal(str, object)

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self.bar, self.halo, self.offer = LessonBar(), Halo(window), Offer(window.desk.settings)
        self.measuring = Measuring(window.desk.worker, self)
        self.lesson: Lesson | None = None
        self.at, self.chosen = 0, -1
        self.own: Picture | None = None  # a photo that the learner brought
        self._photos: dict[Path, Picture] = {}
        self._now: Stop | None = None
        self.bar.hide()
        self.bar.answered.connect(self.answer)
        self.bar.moved.connect(self.move)
        self.bar.left.connect(lambda: self.leave())
        self.measuring.measured.connect(self._tell)
        self.measuring.failed.connect(self._fail)
        window.desk.picture_changed.connect(self._take_picture)
        self.states = StateFiles(window, self)

    def connect_window(self) -> None:
        """The window has its panels: hear of the one where lessons are chosen."""
        home: Any = self._window.panels.get(HOME)
        if home is None:
            self.offer.hide()
            return
        home.started.connect(self.start)
        self.reached.connect(home.reach)
        self.predicted.connect(home.predict)
        self.figured.connect(home.take_figure)
        self.offer.taken.connect(lambda: self.start(home.state.lessons[SHORT]))
        self.offer.setVisible(self.offer.wanted)

    @property
    def stop(self) -> Stop:
        """The stop in hand."""
        assert self.lesson is not None
        return self.lesson.stops[self.at]

    def start(self, lesson: Lesson, at: int = 0) -> None:
        """Begin a lesson, or go on with it at a stop."""
        if not lesson.stops:
            return
        self.lesson = lesson
        if self.offer.isVisible():
            self.offer.dismiss()
        self.bar.show()
        self._make_room(True)
        self.go(min(max(at, 0), len(lesson.stops) - 1))

    def go(self, at: int) -> None:
        """Come to a stop: show its state, and ask. Nothing that ran before keeps it waiting."""
        assert self.lesson is not None
        self._window.desk.worker.cancel()
        self.at, self.chosen = at, -1
        self.measuring.stop()
        self.halo.point_at(None)
        self.bar.show_stop(self.stop, at, len(self.lesson.stops))
        self.states.set(self._personal(self.stop.state))
        self.reached.emit(self.lesson, at)
        if self.bar.answers:
            self.bar.answers[0].setFocus()

    def _make_room(self, on: bool) -> None:
        """While a lesson leads, no other question is asked below, and a low window leaves its last line out."""
        self._window.status.setVisible(not on or self._window.height() >= ROOMY)
        if (other := self._window.findChild(QWidget, "further")) is not None:
            other.setVisible(not on)

    def move(self, by: int) -> None:
        """The next stop or the one before; behind the last one the lesson is over."""
        assert self.lesson is not None
        if self.at + by >= len(self.lesson.stops):
            self.leave()
        else:
            self.go(max(self.at + by, 0))

    def leave(self, *, home: bool = True) -> None:
        """Hide the bar, and go where lessons are."""
        if self.lesson is None:
            return
        self.measuring.stop()
        self.states.forget()
        self.halo.point_at(None)
        self.bar.hide()
        self._make_room(False)
        self.lesson = None
        self.ended.emit()
        if home and HOME in self._window.panels:
            self._window.show_panel(HOME)

    def answer(self, chosen: int) -> None:
        """The learner has predicted: show what happens, and measure it."""
        if self.lesson is None or self.chosen >= 0:
            return
        self._take_figure()
        self.chosen = chosen
        self._now = self._brought(self.stop)
        self.bar.show_reveal(tr("Let us see."), tr("Running and measuring …"), waiting=True)
        self.states.set(self._personal(self._now.shown))
        self.measuring.measure(self._now.claims, self._picture_of)
        self._point()
        self.predicted.emit(self.lesson, self.at)

    def _point(self) -> None:
        self.halo.point_at(find(self._window.panel, self.stop.look))

    @Slot(object)
    def _tell(self, outcomes: list[Outcome]) -> None:
        if self.lesson is None or self.chosen < 0:
            return
        stop = self.stop
        said, came = stop.answers[self.chosen], stop.answers[stop.right]
        verdict = (
            tr("✓ You predicted it: {came}", came=came) if said == came
            else tr("✗ You said “{said}”. It came out otherwise: {came}", said=said, came=came)
        )  # fmt: skip
        self.bar.show_reveal(verdict, " ".join(filter(None, (filled(stop.reveal, outcomes), astray(outcomes)))))
        if self.halo.target is None:
            self._point()

    @Slot(str)
    def _fail(self, message: str) -> None:
        self.bar.show_reveal(tr("This stop can't be measured here."), message[:1].upper() + message[1:])

    def _picture_of(self, state: State) -> Picture | None:
        """The photo of a state: what the learner brought, what the state names, or the one in hand."""
        if self.own is not None:
            return self.own
        path = photo_path(state)
        if path is None:
            return self._window.desk.picture
        if path not in self._photos:
            self._photos[path] = load_picture(path)
        return self._photos[path]

    def _personal(self, state: State) -> State:
        """The state on the learner's own photo, where there is one."""
        return state.without("photo", "words", "word") if self.own is not None and state["photo"] else state

    def _brought(self, stop: Stop) -> Stop:
        """The stop on what the learner has typed since it began."""
        now = current(self._window)
        return personal(stop, now) if now is not None and now.panel == stop.state.panel else stop

    @Slot(object)
    def _take_picture(self, picture: Picture) -> None:
        """The learner opened a photo: from now on stops with a photo run on it."""
        if self.states.setting or self.lesson is None:
            return
        self.own = picture
        if not self.stop.state["photo"]:
            return
        self.bar.show_own(tr("On your own photo. Pick a sample to go back."))
        if picture.path in [str(sample.path) for sample in self._window.desk.installed.samples]:
            self.bar.show_own("")
        if self.chosen >= 0:
            self._now = self.stop
            self.measuring.measure(self.stop.claims, self._picture_of)

    def _take_figure(self) -> None:
        """Keep what is on the screen while the question is open, for the worksheet."""
        if self.lesson is not None:
            self.figured.emit(self.stop.title, as_png(self._window.panel.grab().toImage()))

    def set_presenter(self, on: bool) -> None:
        """Show the stop large."""
        self.bar.set_large(on)
        self.offer.setVisible(not on and self.offer.wanted)
