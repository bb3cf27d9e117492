"""The line at the bottom: what ran, the last message, how far the run is, and Stop."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QSizePolicy

from attnviewer.core.events import Progress
from attnviewer.core.i18n import later, tr
from attnviewer.ui.controls import button, label, named, plain, refresh
from attnviewer.ui.desk import Desk
from attnviewer.ui.textsize import scaled

STOPPED = later("Stopped. The words so far stay; open a photo or change a setting to run again.")
STARTING = later("Starting the model")


class StatusLine(QFrame):
    """Follows the desk and the worker; Stop is there only while something runs."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._about: Callable[[], str] = str
        self._reading = False
        self.setObjectName("statusline")
        self.ran = label("", "muted")
        self.message = label("", "")
        self.message.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.copy = button(
            tr("Copy details"), tr("Copy the fault, versions and the end of the log, for a report"), self.copy_details
        )
        self.copy.hide()
        self.folder = button(tr("Show in folder"), tr("Open the folder of the file"), self.show_folder, glyph="open")
        self.folder.hide()
        self.doing = label("", "muted")
        self.bar = named(QProgressBar(), tr("Progress"), tr("How far the run is"))
        self.bar.setFixedWidth(110)
        self.bar.setTextVisible(False)
        self.stop = button(tr("Stop"), tr("Stop the run (Esc)"), self.stop_run, glyph="stop")
        line = QHBoxLayout(self)
        line.setContentsMargins(16, 5, 12, 5)
        line.setSpacing(14)
        line.addWidget(self.ran)
        line.addWidget(self.message, 1)
        for part in (self.copy, self.folder, self.doing, self.bar, self.stop):
            line.addWidget(part)
        self.fit()
        desk.tokens_changed.connect(self.fit)
        desk.board.changed.connect(self.refresh)
        desk.progress.connect(self.show_progress)
        desk.worker.busy_changed.connect(self._show_worker)
        desk.reading.connect(self._show_reading)
        self.show_busy(desk.worker.busy)

    def fit(self, *_: object) -> None:
        """Take the height that the letters need."""
        self.setFixedHeight(20 + scaled(24))

    def show_about(self, about: Callable[[], str]) -> None:
        """What stands there while nothing else is to be said: what the panel in sight shows."""
        self._about = about
        self.refresh(self._desk.board.key)

    def refresh(self, key: str) -> None:
        """Show the notice of the panel in sight; a fault is marked by a sign as well as by its colour."""
        board = self._desk.board
        if key != board.key:
            return
        notice = board.notice
        text, fault = notice.message or self._about(), notice.fault and bool(notice.message)
        self.ran.setText(notice.ran)
        self.folder.setVisible(bool(notice.saved))
        self.message.setText(f"⚠ {text}" if fault else text)
        self.message.setToolTip(plain(text) if text else "")
        self.message.setAccessibleDescription(text)
        self.copy.setVisible(fault)
        self.message.setProperty("role", "error" if fault else "")
        refresh(self.message)

    def copy_details(self) -> None:
        """Put the fault on the clipboard, with what a report of it needs."""
        from attnviewer.core.details import details

        QGuiApplication.clipboard().setText(f"{self._desk.board.notice.message}\n{details()}")

    def show_folder(self) -> None:
        """Open the folder of the file that was saved."""
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(Path(self._desk.board.notice.saved).parent)))

    def show_progress(self, progress: Progress) -> None:
        self.doing.setText(progress.text[:1].upper() + progress.text[1:])
        known = progress.fraction is not None
        self.bar.setRange(0, 100 if known else 0)
        self.bar.setValue(round(100 * (progress.fraction or 0)))

    def _show_worker(self, busy: bool) -> None:
        self.show_busy(busy or self._reading)

    def _show_reading(self, reading: bool) -> None:
        self._reading = reading
        self.show_busy(reading or self._desk.worker.busy)

    def show_busy(self, busy: bool) -> None:
        for part in (self.doing, self.bar, self.stop):
            part.setVisible(busy)
        starting = busy and not self._reading and not self._desk.worker.device
        self.doing.setText(tr(STARTING) if starting else tr("Working") if busy else "")
        self.bar.setRange(0, 0)

    def stop_run(self) -> None:
        """Stop everything that runs."""
        if self._reading:
            self._desk.stopped.emit()
        if self._desk.worker.busy:
            self._desk.worker.cancel()
            self._desk.say(tr(STOPPED))
