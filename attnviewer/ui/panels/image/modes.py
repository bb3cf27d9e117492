"""What the bar below the stages does: columns of the comparison, and how hard attention takes its places."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from attnviewer.ui.desk import Desk
from attnviewer.ui.panels.image.modebar import ModeBar
from attnviewer.ui.panels.image.state import COMPARE, ImageState


class Modes(QObject):
    """Turns the bar's buttons and their keys into changes of the state.

    Signals
    -------
    rearranged() : other stages are wanted.
    redrawn() : the same traces are to be shown otherwise.
    resampled() : hard attention has to run again.
    """

    rearranged = Signal()
    redrawn = Signal()
    resampled = Signal()

    def __init__(self, desk: Desk, state: ImageState) -> None:
        super().__init__()
        self._desk, self._state, self.presenting = desk, state, False
        self.bar = ModeBar(
            state.columns, self.toggle_column, self.choose_pick, self.sample_again, self.show_draws, self.show_under
        )

    def commands(self) -> dict[str, Callable[[], object]]:
        """What the keys do while hard attention is shown."""
        if not self._state.drawing:
            return {}
        return {
            "again": self.sample_again,
            "draws": lambda: self.show_draws(not self._state.draws),
            "under": lambda: self.show_under(not self._desk.look.under),
        }

    def toggle_column(self, mode: str) -> None:
        """Show a column of the comparison, or hide it."""
        self._state.toggle_column(mode)
        self.rearranged.emit()

    def choose_lead(self, mode: str) -> None:
        """Show the words and facts of a column."""
        self._state.lead = mode
        self.redrawn.emit()

    def choose_pick(self, pick: str) -> None:
        """Let hard attention draw its places, or take the most probable ones."""
        if pick != self._state.pick:
            self._desk.settings["pick"] = pick
            self._state.sample(pick=pick)
            self.resampled.emit()

    def sample_again(self) -> None:
        """Draw the places of hard attention anew."""
        if self._state.pick == "sample":
            self._state.sample(seed=self._state.seed + 1)
            self.resampled.emit()

    def show_draws(self, on: bool) -> None:
        """Show a hundred draws beside the map of hard attention."""
        self._state.draws = on
        self.redrawn.emit()

    def show_under(self, on: bool) -> None:
        """Show the map below the place that hard attention took, or the place alone."""
        self._desk.set_look(under=on)

    def set_presenter(self, on: bool) -> None:
        """Hide the bar for a room, or show it again where it has a use."""
        self.presenting = on
        self.show_bar()

    def show_bar(self, *_: Any) -> None:
        """Bring the bar up to date; a presenter sees none."""
        state = self._state
        self.bar.show_state(
            state.shown, comparing=state.mode == COMPARE, pick=state.pick, seed=state.seed, draws=state.draws,
            under=self._desk.look.under,
        )  # fmt: skip
        if self.presenting:
            self.bar.hide()
