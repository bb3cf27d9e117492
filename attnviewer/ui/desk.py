"""What the parts of the window share: worker, settings, the photo in hand, theme and messages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from attnviewer.core.images import Picture
from attnviewer.core.trace import Trace
from attnviewer.ui.board import Board
from attnviewer.ui.installed import Installed
from attnviewer.ui.look import Look
from attnviewer.ui.settings import Settings
from attnviewer.ui.textsize import use
from attnviewer.ui.theme import Tokens, resolve
from attnviewer.ui.worker import Worker

LOOK = ("smooth", "opacity", "per_word", "table", "under", "ground")


class Desk(QObject):
    """The shared state, without a widget.

    Signals
    -------
    picture_changed(object) : a new `Picture` is in hand.
    look_changed(object) : maps are to be shown by another `Look`.
    tokens_changed(object) : the theme's `Tokens` changed, or the size of letters.
    progress(object) : a `Progress` of the run under way.
    reading(bool) : a large photo is being read, or none.
    stopped() : the photo that is being read is no longer wanted.
    model_opened(str) : the folder of a captioner of the user's own is to be used.
    reader_opened(str) : the folder of another model of the user's own is to be looked into.
    wanted(str) : another panel is asked for, by its key; behind a colon, an action of that panel.
    """

    picture_changed = Signal(object)
    look_changed = Signal(object)
    tokens_changed = Signal(object)
    progress = Signal(object)
    reading = Signal(bool)
    stopped = Signal()
    model_opened = Signal(str)
    reader_opened = Signal(str)
    wanted = Signal(str)

    def __init__(self, worker: Worker, settings: Settings, installed: Installed, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.worker, self.settings, self.installed = worker, settings, installed
        self.picture: Picture | None = None
        self.source = ""  # what the photo in hand is called, or whose it is
        self.board = Board(self)
        use(settings["text"])
        self.opened: set[Path] = set()  # files that an export must not be written over
        self.look = Look(**{name: settings[name] for name in LOOK})
        self.tokens: Tokens = resolve(settings["theme"])

    def say(self, text: str, *, fault: bool = False, key: str = "", saved: str = "") -> None:
        """Show a line under a panel, by default the one in sight; an empty one clears it. It may speak of a file."""
        self.board.say(text, fault=fault, key=key, saved=saved)

    def tell_run(self, trace: Trace, seconds: float, key: str = "", *, partly: bool = False) -> None:
        """Say under a panel what ran, on what, and for how long."""
        parts = [self.worker.device, trace.model, f"{seconds:.2f} s"]
        self.board.succeed("  ·  ".join(part for part in parts if part), key, partly=partly)

    def set_picture(self, picture: Picture, source: str = "") -> None:
        """Take another photo in hand, called by its `source`; what was said before is done with."""
        self.picture, self.source = picture, source
        self.board.clear()
        self.picture_changed.emit(picture)

    def set_look(self, **changes: Any) -> None:
        """Show maps otherwise, and remember it."""
        self.look = replace(self.look, **changes)
        for name, value in changes.items():
            self.settings[name] = value
        self.look_changed.emit(self.look)

    def set_theme(self, theme: str) -> None:
        """Choose "system", "light" or "dark", and remember it."""
        self.settings["theme"] = theme
        self.refresh_theme()

    def set_text(self, size: float) -> None:
        """Choose how many times the system's size letters have, and remember it."""
        self.settings["text"] = size
        use(size)
        self.refresh_theme()

    def refresh_theme(self, *_: object) -> None:
        """Look again at what the theme means: the system may have changed."""
        self.tokens = resolve(self.settings["theme"])
        self.tokens_changed.emit(self.tokens)
