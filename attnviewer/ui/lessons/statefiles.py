"""States of the window as files: copied, saved, opened, pasted; and lessons that are opened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import language, tr
from attnviewer.core.lessons.states import SCHEMA, SUFFIX, State, beside, checked_state, read_state, state_text
from attnviewer.core.lessons.stops import Lesson, is_lesson, read_lesson
from attnviewer.core.lessons.toml import Document
from attnviewer.core.writing import write_bytes
from attnviewer.ui.lessons.restoring import current, restore
from attnviewer.ui.menus import Row

if TYPE_CHECKING:
    from attnviewer.ui.lessons.guide import Guide
    from attnviewer.ui.window import Window

HOME = "learn"
LONGEST_HEAD = 200  # letters in which a copied state says what it is


class StateFiles(QObject):
    """Sets the window to states and keeps them; `setting` is true while it opens a photo itself."""

    def __init__(self, window: Window, guide: Guide) -> None:
        super().__init__(window)
        self._window, self._guide, self.setting = window, guide, False
        self._later: list[Callable[[], object]] = []
        self.ask: Callable[[str], str] = lambda start: QFileDialog.getSaveFileName(
            window, tr("Save this state"), start, tr("States (*.toml)")
        )[0]
        window.opener.toml_opened.connect(self.open)
        window.desk.worker.busy_changed.connect(self._busy)

    def rows(self) -> list[Row]:
        """What the window's menu offers of states."""
        if current(self._window) is None:
            return []
        return [(tr("Copy this state"), self.copy_state), (tr("Save this state…"), self.save_state)]

    def copy_state(self) -> None:
        """Put the state of the window on the clipboard, as the text of a file."""
        state = current(self._window)
        if state is not None:
            QGuiApplication.clipboard().setText(state_text(state))
            self._window.desk.say(tr("The state is on the clipboard; paste it here, or save it as a .toml file."))

    def save_state(self) -> None:
        """Ask where, and write the state of the window."""
        state = current(self._window)
        if state is None:
            return
        start = str(Path(self._window.desk.settings["folder"] or Path.home()) / f"{state.panel}{SUFFIX}")
        chosen = self.ask(start)
        if chosen:
            self._write(state, Path(chosen).with_suffix(SUFFIX))

    def _write(self, state: State, path: Path) -> None:
        try:
            write_bytes(path, state_text(beside(state, path.absolute().parent)).encode())
        except (UserError, OSError) as error:
            self._window.desk.say(tr("The state could not be saved: {why}", why=str(error)), fault=True)
        else:
            self._window.desk.say(tr("Saved {name}.", name=path.name), saved=str(path))

    @Slot(object)
    def open(self, path: Path) -> None:
        """Open a lesson, or a state, from a file."""
        try:
            if is_lesson(path):
                return self._open_lesson(read_lesson(path, language()))
            self.show_state(read_state(path))
        except UserError as error:
            self._window.desk.say(str(error), fault=True)
        return None

    def _open_lesson(self, lesson: Lesson) -> None:
        home: Any = self._window.panels.get(HOME)
        if home is not None:
            home.open_lesson(lesson)
        self._guide.start(lesson)

    def paste(self, text: str) -> bool:
        """Take a state that was copied as text; True where it is one."""
        if SCHEMA not in text[:LONGEST_HEAD]:
            return False
        try:
            self.show_state(checked_state(Document(text, tr("clipboard")), ()))
        except UserError as error:
            self._window.desk.say(str(error), fault=True)
        return True

    def show_state(self, state: State) -> None:
        """Restore a state by itself, outside any lesson; a photo is at hand afterwards in any case."""
        self._guide.leave(home=False)
        self.set(state)
        if self._window.desk.picture is None:
            self._later.append(lambda: self._window.opener.restore(quiet=True))

    def set(self, state: State) -> None:
        """Set the window to a state; what waits for the run is done after it."""
        self.setting = True
        try:
            later = restore(self._window, state)
        except UserError as error:
            self._window.desk.say(str(error), fault=True)
            later = None
        finally:
            self.setting = False
        self._later = [later] if later is not None else []
        if not self._window.desk.worker.busy:
            QTimer.singleShot(0, self._catch_up)

    def forget(self) -> None:
        """Nothing waits for a run any more."""
        self._later.clear()

    def _busy(self, busy: bool) -> None:
        if not busy:
            QTimer.singleShot(0, self._catch_up)

    def _catch_up(self) -> None:
        """The run is done: do what waited for it."""
        waiting, self._later = self._later, []
        for do in waiting:
            do()
