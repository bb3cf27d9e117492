"""What the panel asks of every experiment, and the frame that they share: stage at the left, choices at the right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from attnviewer.core.events import Concluded, Event, Failed, Finished, Progressed, Shown, Stepped
from attnviewer.core.explore.finding import Finding
from attnviewer.core.explore.requests import Exploration
from attnviewer.core.i18n import later
from attnviewer.core.images import Picture
from attnviewer.core.request import Request
from attnviewer.core.trace import Trace
from attnviewer.ui.controls import column, label, refresh, row
from attnviewer.ui.desk import Desk
from attnviewer.ui.textsize import scaled, scaled_sheet
from attnviewer.ui.theme import Tokens
from attnviewer.ui.widgets.knob import GROWN, grow
from attnviewer.ui.widgets.side import Page, scrolled

SIDE, NARROW, TIGHT = 330, 296, 1000
PANEL = "foundations"  # its key in the table of panels
EMPTY = later("Drop a photo, paste one, or pick a sample")


class Experiment(QWidget):
    """One experiment. It asks the worker in lanes that begin with its name, and hears of its own lanes alone."""

    name = ""
    photos = True

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self.says = label("", "says", wrap=True)
        self.stage, self.side = QFrame(), QFrame()
        self._stale = True
        self._taken: Finding | None = None
        desk.worker.happened.connect(self.on_event)

    def lay_out(self, stage: QWidget, side: Sequence[QWidget | int]) -> None:
        """Put the sentence above the stage, and the choices beside it."""
        self.stage.setObjectName("experiment")
        self.stage.setLayout(column(self.says, stage, spacing=10, margins=(14, 12, 14, 12)))
        self.stage.layout().setStretch(1, 1)  # type: ignore[union-attr]
        self.side.setObjectName("side")
        page = Page()
        page.setLayout(column(*side, spacing=10, margins=(14, 12, 14, 12)))
        frame = QVBoxLayout(self.side)
        frame.setContentsMargins(0, 0, 0, 0)
        frame.addWidget(scrolled(page))
        layout = row(self.stage, self.side, spacing=0)
        layout.setStretch(0, 1)
        self.setLayout(layout)

    def fit(self, width: int) -> None:
        """Share a width among stage and side."""
        self.side.setFixedWidth(min(scaled(SIDE if width >= TIGHT else NARROW), width // 2))

    def ask(self, request: Exploration | Request, lane: str = "") -> None:
        """Run a request in one of the experiment's lanes; the newest wins."""
        self.desk.worker.ask(self.lane(lane), request)

    def lane(self, name: str = "") -> str:
        """The whole name of a lane."""
        return f"{PANEL}-{self.name}{'-' if name else ''}{name}"

    @Slot(object)
    def on_event(self, event: Event) -> None:
        """Take an event of one of the experiment's lanes."""
        if not event.lane.startswith(self.lane()):
            return
        if isinstance(event, Progressed):
            self.desk.progress.emit(event.progress)
        elif isinstance(event, Failed):
            self.tell(event.message, fault=True)
        elif isinstance(event, Shown | Concluded):
            if event.finding is not self._taken:  # the last one comes twice: shown, and as the end
                self._taken = event.finding
                self.take(event.finding)
        elif isinstance(event, Stepped | Finished):
            self.take_trace(event.lane, event.trace)
        if isinstance(event, Concluded | Finished):
            ran = (self.desk.worker.device, f"{event.seconds:.2f} s")
            self.desk.board.succeed("  ·  ".join(filter(None, ran)), PANEL)

    def tell(self, text: str, *, fault: bool = False) -> None:
        """Say what is seen; a fault is marked by a sign as well as by its colour."""
        shown = text[:1].upper() + text[1:]
        self.says.setText(f"⚠ {shown}" if fault else shown)
        self.says.setProperty("role", "error" if fault else "says")
        refresh(self.says)

    def visit(self) -> None:
        """The experiment came into sight: begin, unless it has begun for what is there."""
        if self._stale and (self.desk.picture is not None or not self.photos):
            self._stale = False
            self.begin()

    def take_picture(self, picture: Picture) -> None:
        """Another photo is in hand."""
        self._stale = self._stale or self.photos
        if self.isVisible():
            self.visit()

    def begin(self) -> None:
        """Make something happen."""

    def take(self, finding: Finding) -> None:
        """Show what was found."""

    def take_trace(self, lane: str, trace: Trace) -> None:
        """Show a trace that was asked for."""

    def take_text(self, text: str) -> bool:
        """Take a text that was dropped or pasted; True where there is a use for it."""
        return False

    def take_file(self, path: Path) -> bool:
        """Take a text file; True where any is read."""
        return False

    def commands(self) -> dict[str, Callable[[], object]]:
        """What it does for the actions of the panel's row in the table."""
        return {}

    def numbers(self) -> dict[str, Any]:
        """What can be saved as data; empty where there is nothing yet."""
        return {}

    def table(self) -> list[Sequence[Any]]:
        """The same as rows of a table, the first of them names."""
        return []

    def set_tokens(self, tokens: Tokens) -> None:
        """Paint in the colours of the theme."""

    def set_presenter(self, on: bool) -> None:
        """Show only the stage, in large type, or everything again."""
        self.side.setVisible(not on)
        grow(self.says, on)
        self.stage.setStyleSheet(scaled_sheet(GROWN) if on else "")
