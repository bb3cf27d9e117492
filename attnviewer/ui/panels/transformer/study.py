"""What the panel asks of a view that runs experiments: requests out, findings in, and a stage to be saved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from attnviewer.core.explore.finding import Finding
from attnviewer.core.images import Picture
from attnviewer.core.trace import Trace
from attnviewer.ui.controls import column, label, refresh
from attnviewer.ui.panels.transformer.state import TransformerState
from attnviewer.ui.theme import Tokens
from attnviewer.ui.widgets.knob import grow


class StudyView(QWidget):
    """A sentence above a stage; choices may stand beside it.

    Signals
    -------
    wanted(str, object) : run a request in one of the view's lanes; the newest in a lane wins.
    stopped(str) : run nothing more in that lane.
    """

    wanted = Signal(str, object)
    stopped = Signal(str)
    name = ""

    def __init__(self) -> None:
        super().__init__()
        self.says, self.stage = label("", "says", wrap=True), QFrame()
        self.stage.setObjectName("experiment")
        self._tokens: Tokens | None = None

    def lay_out(self, *parts: QWidget | int, grows: int = -1) -> None:
        """Put the sentence and some parts on the stage, of which one grows."""
        rows = column(self.says, *parts, spacing=10, margins=(18, 12, 18, 12))
        if grows >= 0:
            rows.setStretch(grows + 1, 1)
        self.stage.setLayout(rows)
        self.setLayout(column(self.stage, spacing=0))

    def tell(self, text: str, *, fault: bool = False) -> None:
        """Say what is seen; a fault is marked by a sign as well as by its colour."""
        shown = text[:1].upper() + text[1:]
        self.says.setText(f"⚠ {shown}" if fault else shown)
        self.says.setProperty("role", "error" if fault else "says")
        refresh(self.says)

    def show_state(self, state: TransformerState) -> None:
        """The view came into sight, or something changed."""

    def take_picture(self, picture: Picture) -> None:
        """Another photo is in hand."""

    def take(self, lane: str, finding: Finding) -> None:
        """Show what was found."""

    def take_trace(self, lane: str, trace: Trace, seconds: float | None) -> None:
        """Show a trace, whole where its seconds are known."""

    def fail(self, lane: str, message: str) -> None:
        """Say what went wrong and what to do."""
        self.tell(message, fault=True)

    def numbers(self) -> dict[str, Any]:
        """What can be saved as data; empty where there is nothing yet."""
        return {}

    def table(self) -> list[Sequence[Any]]:
        """The same as rows of a table, the first of them names."""
        return []

    def painted(self) -> Sequence[Any]:
        """The parts that are painted in the colours of the theme."""
        return ()

    def set_tokens(self, tokens: Tokens) -> None:
        """Paint in the colours of the theme."""
        self._tokens = tokens
        for part in self.painted():
            part.set_tokens(tokens)

    def set_presenter(self, on: bool) -> None:
        """Let the sentence be read from the last row of a hall, or as usual."""
        grow(self.says, on)
