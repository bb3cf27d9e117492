"""Taking the figure out of the window: dragged onto a slide or into a folder it is an image, a file and its words."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QMimeData, QSize, Qt, QUrl
from PySide6.QtGui import QDrag, QGuiApplication, QImage, QPixmap

from attnviewer.core.i18n import tr
from attnviewer.core.writing import write_bytes
from attnviewer.export import Options, as_png
from attnviewer.ui.desk import Desk
from attnviewer.ui.exporter import MARK
from attnviewer.ui.panels.base import Panel

THUMB = QSize(220, 160)


class DragOut:
    """Makes the data of a drag; its files live as long as the window."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._folder: TemporaryDirectory[str] | None = None

    def data(self, panel: Panel) -> QMimeData | None:
        """The figure of what a panel shows, as it would be exported; None where there is nothing yet."""
        shown, look = panel.result(), self._desk.look
        if shown is None:
            return None
        options = Options(not look.smooth, look.per_word, table=look.table, opacity=look.opacity)
        png = as_png(shown[0], shown[1], options, panel.comparison())
        stem = Path(shown[0].source.path).stem if shown[0].source.path else "attention"
        made = QMimeData()
        made.setImageData(QImage.fromData(png))
        made.setText(panel.words())
        made.setUrls([QUrl.fromLocalFile(str(self._kept(f"{stem}{MARK}.png", png)))])
        return made

    def _kept(self, name: str, png: bytes) -> Path:
        if self._folder is None:
            self._folder = TemporaryDirectory(prefix="attnviewer-", ignore_cleanup_errors=True)
        path = Path(self._folder.name) / name
        write_bytes(path, png)
        return path

    def start(self, panel: Panel) -> None:
        """Begin to drag the figure."""
        QGuiApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
        try:
            made = self.data(panel)
        finally:
            QGuiApplication.restoreOverrideCursor()
        if made is None:
            return self._desk.say(tr("There is nothing to take along yet; wait for the first word."), fault=True)
        drag = QDrag(panel)
        drag.setMimeData(made)
        keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        drag.setPixmap(QPixmap.fromImage(made.imageData()).scaled(THUMB, keep, smooth))
        drag.exec(Qt.DropAction.CopyAction)
        return None
