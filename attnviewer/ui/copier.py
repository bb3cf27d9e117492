"""Copies what is in view: the figure as an image and the words as text, together on the clipboard."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QMimeData, QObject, Slot
from PySide6.QtGui import QGuiApplication, QImage

from attnviewer.core.events import Event, Failed, Finished, Progress
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.jobs import Run
from attnviewer.core.trace import Trace
from attnviewer.export import Options, as_png
from attnviewer.ui.desk import Desk

LANE = "copy"
Shown = tuple[Trace, Picture | None]


class Copier(QObject):
    """The figure is drawn on the model thread, so that the window stays alive."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk, self._text, self._key = desk, "", ""
        self._drawn: list[bytes] = []
        desk.worker.happened.connect(self._on_event)

    def copy(self, shown: Shown | None, text: str, rows: Mapping[str, Trace] | None = None) -> None:
        """Copy what a panel shows, and its text; the text is there at once."""
        if shown is None:
            return self._desk.say(tr("There is nothing to copy yet; wait for the first word."), fault=True)
        self.copy_text(text)
        self._text, self._key, look = text, self._desk.board.key, self._desk.look
        options = Options(not look.smooth, look.per_word, table=look.table, opacity=look.opacity)
        self._desk.worker.submit(LANE, lambda: self._drawing(shown, rows, options))
        return None

    def copy_text(self, text: str) -> None:
        """Copy words alone."""
        QGuiApplication.clipboard().setText(text)
        self._desk.say(tr("Copied: {text}", text=text if len(text) < 80 else f"{text[:80]}…"))

    def _drawing(self, shown: Shown, rows: Mapping[str, Trace] | None, options: Options) -> Run:
        yield Progress(tr("drawing the figure"))
        self._drawn = [as_png(shown[0], shown[1], options, rows)]
        return shown[0]

    @Slot(object)
    def _on_event(self, event: Event) -> None:
        if event.lane != LANE:
            return
        if isinstance(event, Finished):
            data = QMimeData()
            data.setText(self._text)
            data.setImageData(QImage.fromData(self._drawn.pop()))
            QGuiApplication.clipboard().setMimeData(data)
            self._desk.say(tr("Copied the figure and its text."), key=self._key)
        elif isinstance(event, Failed):
            self._desk.say(tr("The figure could not be drawn: {why}", why=event.message), fault=True, key=self._key)
