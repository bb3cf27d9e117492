"""One stage, or several side by side that share the word clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from attnviewer.core.images import Picture
from attnviewer.core.trace import Trace
from attnviewer.ui.controls import column, label
from attnviewer.ui.look import Look
from attnviewer.ui.theme import LIGHT, Tokens
from attnviewer.ui.views.stage import Stage

TITLES = {"soft": "Soft attention", "hard": "Hard attention", "none": "No attention"}
NO_MAP = "no map: it sees the photo once"


class StageColumn(QWidget):
    """A stage with the name of its mode and its caption above, which are hidden while it is alone."""

    def __init__(self, mode: str) -> None:
        super().__init__()
        self.stage = Stage()
        self.title = label(TITLES.get(mode, mode), "value")
        self.text = label("", "muted", wrap=True)
        self._rows = column(self.title, self.text, self.stage, spacing=2)
        self._rows.setStretch(2, 1)
        self.setLayout(self._rows)

    def show_header(self, shown: bool) -> None:
        self.title.setVisible(shown)
        self.text.setVisible(shown)
        edge = 12 if shown else 0
        self._rows.setContentsMargins(edge // 2, edge, edge // 2, 0)

    def show_text(self, trace: Trace | None) -> None:
        """Show the caption, its log-probability, and whether there is a map at all."""
        if trace is None or not trace.steps:
            return self.text.setText("")
        tail = "" if trace.heads else f"; {NO_MAP}"
        return self.text.setText(f"{trace.text}\nlog-probability {float(trace.logprobs.sum()):.1f}{tail}")


class Stages(QWidget):
    """The stages of the modes that are shown.

    Signals
    -------
    hovered(int) : the location under the pointer on any stage, -1 for none.
    """

    hovered = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("stages")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._row = QHBoxLayout(self)
        self._row.setSpacing(0)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._picture: Picture | None = None
        self._tokens = LIGHT
        self.columns: dict[str, StageColumn] = {}

    def show_modes(self, modes: Sequence[str]) -> None:
        """Show these modes side by side."""
        for mode in modes:
            if mode not in self.columns:
                self._add(mode)
        for mode, one in self.columns.items():
            one.setVisible(mode in modes)
            one.show_header(len(modes) > 1)

    def _add(self, mode: str) -> None:
        made = self.columns[mode] = StageColumn(mode)
        made.stage.set_tokens(self._tokens)
        made.stage.show_picture(self._picture)
        made.stage.hovered.connect(self._hover)
        self._row.addWidget(made, 1)

    def _hover(self, location: int) -> None:
        for one in self.columns.values():
            if one.stage.location != location:
                one.stage.mark(location)
        self.hovered.emit(location)

    def show_picture(self, picture: Picture | None) -> None:
        self._picture = picture
        for one in self.columns.values():
            one.stage.show_picture(picture)
            one.show_text(None)

    def show_word(self, traces: Mapping[str, Trace], word: int, look: Look) -> None:
        """Show a word's map on every visible stage; a caption that is shorter shows none."""
        for mode, one in self.columns.items():
            if not one.isHidden():
                one.stage.show_word(traces.get(mode), word, look)
                one.show_text(traces.get(mode))

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        for one in self.columns.values():
            one.stage.set_tokens(tokens)
