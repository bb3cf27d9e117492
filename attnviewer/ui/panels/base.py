"""What the window asks of every panel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.trace import Trace
from attnviewer.ui.desk import Desk


@dataclass(frozen=True)
class Made:
    """What a panel saves that is no trace: a name for the file, and what is written, by suffix."""

    name: str
    forms: Mapping[str, Callable[[], bytes]]


class Panel(QWidget):
    """A page of the window; it listens to the desk and asks the worker. `photos` says whether it shows any.

    Signals
    -------
    dragged() : the figure of what is shown is to be taken along by the mouse.
    """

    dragged = Signal()

    photos = True
    key = ""  # its name in the table of panels

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk

    def about(self) -> str:
        """What the panel shows: the name of its photo, or whose it is."""
        return self.desk.source if self.photos else ""

    def say(self, text: str, *, fault: bool = False) -> None:
        """Show a line under this panel, also while another is in sight."""
        self.desk.say(text, fault=fault, key=self.key)

    def tell_run(self, trace: Trace, seconds: float, *, partly: bool = False) -> None:
        """Say under this panel what ran, on what, for how long; `partly` where another run beside it failed."""
        self.desk.tell_run(trace, seconds, self.key, partly=partly)

    def tools(self) -> QWidget:
        """The panel's own controls for the toolbar."""
        return QWidget()

    def commands(self) -> Mapping[str, Callable[[], object]]:
        """What the panel does for the actions of its row in `panels.PANELS`."""
        return {}

    def take_text(self, text: str) -> bool:
        """Take a text that was dropped or pasted; True where the panel has a use for it."""
        return False

    def result(self) -> tuple[Trace, Picture | None] | None:
        """What can be exported now."""
        return None

    def words(self) -> str:
        """What is shown as words, for the clipboard."""
        shown = self.result()
        return shown[0].text if shown is not None else ""

    def leave(self) -> bool:
        """Close what lies over the panel, because the user pressed Esc; False where nothing does."""
        return False

    def take_file(self, path: Path) -> bool:
        """Take a text file; True where the panel reads any."""
        return False

    def makes(self) -> Made | None:
        """What can be exported now, where it is no trace."""
        return None

    def comparison(self) -> Mapping[str, Trace] | None:
        """Traces side by side by attention mode, where a figure of them is to be exported."""
        return None

    def show_trace(self, trace: Trace, picture: Picture | None) -> None:
        """Show a saved trace of this panel's task as it is, without a model; `picture` is its photo where it is known.

        Raises `UserError` where the panel can't.
        """
        raise UserError(tr("saved traces can't be shown here yet; export a figure of it on the command line."))

    def set_presenter(self, on: bool) -> None:
        """Show only the stage, in large type, or everything again."""
