"""The panel Learn: the tour as a list of stops, the short one, lessons of one's own, and worksheets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from attnviewer.core.i18n import tr
from attnviewer.core.lessons.stops import Lesson
from attnviewer.ui.controls import Segments, button, column, label, refresh, row
from attnviewer.ui.desk import Desk
from attnviewer.ui.panels.base import Made, Panel
from attnviewer.ui.panels.learn.sheets import sheets_of
from attnviewer.ui.panels.learn.state import TOUR, LearnState
from attnviewer.ui.widgets.side import Page, scrolled

WIDEST = 860


class LearnPanel(Panel):
    """A list of stops; a click starts there.

    Signals
    -------
    started(object, int) : a `Lesson` is wanted, from a stop on.
    """

    photos = False
    started = Signal(object, int)

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._state: LearnState | None = None
        self.title, self.line = label("", "headline", wrap=True), label("", "says", wrap=True)
        self.begin = button("", tr("Go through the stops, one after the other"), self.go_on, look="accent")
        self.begin.setObjectName("begin")
        self.again = button(tr("From the start"), tr("Forget how far you were"), self.restart)
        self.figures: dict[str, bytes] = {}
        self.rows: list[QPushButton] = []
        self._list = QVBoxLayout()
        self._list.setSpacing(6)
        self._tools = QWidget()
        self._choice = QHBoxLayout(self._tools)
        self._choice.setContentsMargins(0, 0, 0, 0)
        self._lay_out()

    @property
    def state(self) -> LearnState:
        """The lessons and how far one is, read when they are first wanted: a start doesn't wait for them."""
        if self._state is None:
            self._state = LearnState()
            self._state.recall(self.desk.settings["stop"], self.desk.settings["learnt"])
            self.show_lessons()
        return self._state

    def _lay_out(self) -> None:
        page, inner = Page(), QFrame()
        buttons = QWidget()
        buttons.setLayout(row(self.begin, self.again, 1, spacing=10))
        hint = label(
            tr("Drop a photo or type a sentence at any stop: it runs on yours. Drop a lesson file (.toml) here to open "
               "it; Export makes a worksheet of the lesson in sight."), "muted", wrap=True,
        )  # fmt: skip
        inner.setMaximumWidth(WIDEST)
        rows = column(self.title, self.line, buttons, spacing=12, margins=(28, 24, 28, 24))
        rows.addLayout(self._list)
        rows.addWidget(hint)
        rows.addStretch(1)
        inner.setLayout(rows)
        outer = row(spacing=0)
        outer.addStretch(1)
        outer.addWidget(inner, 100)
        outer.addStretch(1)
        page.setLayout(outer)
        area: QScrollArea = scrolled(page)
        area.setObjectName("learn")
        whole = column(area, spacing=0)
        self.setLayout(whole)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_begin()

    def tools(self) -> QWidget:
        return self._tools

    def about_line(self) -> str:
        """What the lesson in sight is, in a line."""
        if self.state.on_tour:
            return tr(
                "Twelve stops, about a minute each. At each one you predict, then the model in this window runs, and "
                "you read what it did, with its own numbers."
            )
        if self.state.shown == TOUR + 1:
            return tr("Three stops for whoever is here for the first time.")
        return tr("A lesson that you opened.")

    def show_lessons(self) -> None:
        """Show the lesson chosen, and the choice where there are several."""
        state = self.state
        while item := self._choice.takeAt(0):
            if (old := item.widget()) is not None:
                old.deleteLater()
        names = [(str(at), one.title, one.title) for at, one in enumerate(state.lessons) if one.stops]
        chooser = Segments(names, lambda key: self.choose(int(key)), tr("Lesson"))
        chooser.show_choice(str(state.shown))
        self._choice.addWidget(chooser)
        self.title.setText(state.lesson.title)
        self.line.setText(self.about_line())
        self._show_begin()
        self._fill()

    def _show_begin(self) -> None:
        at, on_tour = self.state.at, self.state.on_tour
        going = on_tour and (at > 0 or bool(self.state.done))
        self.begin.setText(tr("Go on at stop {number}", number=at + 1) if going else tr("Start"))
        self.begin.setEnabled(bool(self.state.lesson.stops))
        self.again.setVisible(going)

    def _fill(self) -> None:
        for old in self.rows:
            self._list.removeWidget(old)
            old.deleteLater()
        self.rows = []
        for at, stop in enumerate(self.state.lesson.stops):
            done = self.state.on_tour and at in self.state.done
            text = f"{'✓' if done else at + 1}   {stop.title}".replace("&", "&&")
            made = button(text, stop.asks, partial(self.start, at), look="stop", name=stop.title)
            made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            made.setProperty("done", "true" if done else "")
            self.rows.append(made)
            self._list.addWidget(made)
            refresh(made)

    def choose(self, shown: int) -> None:
        """Show another lesson's stops."""
        self.state.shown = shown
        self.show_lessons()

    def start(self, at: int) -> None:
        """Begin at a stop."""
        self.started.emit(self.state.lesson, at)

    def go_on(self) -> None:
        """Begin, or go on where the learner was."""
        self.start(self.state.at if self.state.on_tour else 0)

    def restart(self) -> None:
        """Begin the tour anew."""
        self.state.recall(0, ())
        self._keep()
        self.show_lessons()
        self.go_on()

    def open_lesson(self, lesson: Lesson) -> None:
        """Show a lesson that was opened."""
        self.state.add(lesson)
        self.show_lessons()

    @Slot(object, int)
    def reach(self, lesson: Lesson, at: int) -> None:
        """The learner came to a stop."""
        self.state.reach(lesson, at)
        self._keep()

    @Slot(object, int)
    def predict(self, lesson: Lesson, at: int) -> None:
        """The learner answered a stop."""
        self.state.predict(lesson, at)
        self._keep()

    @Slot(str, object)
    def take_figure(self, title: str, figure: bytes) -> None:
        """Keep what was on the screen at a stop."""
        self.figures[title] = figure

    def _keep(self) -> None:
        self.desk.settings["stop"], self.desk.settings["learnt"] = self.state.at, self.state.to_keep()
        self._show_begin()
        self._fill()

    def commands(self) -> Mapping[str, Callable[[], object]]:
        return {}

    def makes(self) -> Made | None:
        return sheets_of(self.state.lesson, self.figures) if self.state.lesson.stops else None

    def words(self) -> str:
        return "\n".join(f"{at}. {stop.title}: {stop.asks}" for at, stop in enumerate(self.state.lesson.stops, 1))
