"""Lets the other models read the caption shown, for the lines that tell how much of the photo is left."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Slot

from attnviewer.core.events import Event, Failed, Finished
from attnviewer.ui.panels.image.state import ECHO_LANE, ImageState, echoing
from attnviewer.ui.worker import Worker


class Echoes(QObject):
    """Quiet runs beside the caption's own; what fails is left out."""

    def __init__(self, worker: Worker, state: ImageState, show: Callable[[], object]) -> None:
        super().__init__()
        self._worker, self._state, self._show = worker, state, show
        self._mute: set[tuple[str, tuple[str, ...]]] = set()
        worker.happened.connect(self.take)

    def listen(self) -> None:
        """Ask for what isn't known yet."""
        for mode in self._state.unheard:
            request = self._state.echo_request(mode)
            if (mode, request.words or ()) not in self._mute:
                self._worker.ask(f"{ECHO_LANE}{mode}", request)

    def stop(self) -> None:
        """What was asked is no longer wanted."""
        for mode in echoing():
            self._worker.cancel(f"{ECHO_LANE}{mode}")

    @Slot(object)
    def take(self, event: Event) -> None:
        """Keep the bits of a finished run."""
        mode, trace = event.lane.removeprefix(ECHO_LANE), self._state.trace
        if not event.lane.startswith(ECHO_LANE) or trace is None:
            return
        if isinstance(event, Finished):
            self._state.echoes[mode, event.trace.words] = event.trace.bits
            self._show()
        elif isinstance(event, Failed):
            self._mute.add((mode, trace.words))
