"""While nothing else is done, the sentence encoder is loaded, so that the first query that needs it doesn't wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from attnviewer.core.request import QueryRequest

if TYPE_CHECKING:
    from attnviewer.ui.panels.query.panel import QueryPanel

WARM, IDLE_MS = "query-warm", 400


class Warming(QTimer):
    """Asks once for the encoder, when its panel is in view and the worker has been idle for a while."""

    def __init__(self, panel: QueryPanel) -> None:
        super().__init__(panel)
        self.panel, self.done = panel, False
        self.setSingleShot(True)
        self.setInterval(IDLE_MS)
        self.timeout.connect(self._warm_up)
        panel.desk.worker.busy_changed.connect(self._wait)

    def _wait(self, busy: bool) -> None:
        if busy:
            self.stop()
        else:
            self.start()

    def _warm_up(self) -> None:
        worker = self.panel.desk.worker
        if self.panel.isVisible() and not (self.done or self.panel.state.saved) and not worker.busy:
            self.done = True
            worker.ask(WARM, QueryRequest("dog", lines=("dog",), keys="sentence"))
