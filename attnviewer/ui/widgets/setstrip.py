"""The strip of a set of photos: step through a folder, or several files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import QFrame, QListView, QListWidget, QListWidgetItem, QWidget

from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.ui.controls import button, label, named, plain, row
from attnviewer.ui.pictures import as_qimage, thinned
from attnviewer.ui.reader import Reader, Reading, is_large

THUMB = QSize(72, 48)
PICTURES = 200  # no more than these get a small picture; the rest show their name


def untinted(picture: QPixmap) -> QIcon:
    """An icon that keeps its colours when it is chosen."""
    made = QIcon(picture)
    made.addPixmap(picture, QIcon.Mode.Selected)
    return made


class SetStrip(QWidget):
    """Small pictures of the set, loaded one at a time.

    Signals
    -------
    chosen(int) : the user picks a photo.
    stepped(int) : the user goes on (1) or back (-1).
    """

    chosen = Signal(int)
    stepped = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("setstrip")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.files: tuple[Path, ...] = ()
        self.list = named(QListWidget(), tr("Photos of the set"), tr("Pick a photo of the set"))
        self.list.setFlow(QListView.Flow.LeftToRight)
        self.list.setIconSize(THUMB)
        self.list.setFixedHeight(68)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setAcceptDrops(False)
        self.list.viewport().setAcceptDrops(False)
        self.list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.list.itemClicked.connect(self._pick)
        self.list.itemActivated.connect(self._pick)
        self.count = label("", "muted")
        back = button(
            "",
            tr("Photo before (Page Up)"),
            lambda: self.stepped.emit(-1),
            glyph="previous",
            look="bare",
            name=tr("Photo before"),
        )
        on = button(
            "",
            tr("Next photo (Page Down)"),
            lambda: self.stepped.emit(1),
            glyph="next",
            look="bare",
            name=tr("Next photo"),
        )
        self.setLayout(row(back, self.list, on, self.count, margins=(12, 6, 12, 6)))
        self._timer, self._reader = QTimer(self), Reader(self)
        self._timer.timeout.connect(self._load_one)
        self._next = 0
        self.hide()

    def show_set(self, files: Sequence[Path], index: int) -> None:
        """Show a set, or hide when there are fewer than two photos."""
        if tuple(files) != self.files:
            self._fill(tuple(files))
        self.setVisible(len(files) > 1)
        if len(files) > 1:
            self.list.setCurrentRow(index)
            self.count.setText(tr("{number} of {count}", number=index + 1, count=len(files)))

    def _fill(self, files: tuple[Path, ...]) -> None:
        self.files, self._next = files, 0
        self.list.clear()
        for file in files:
            item = QListWidgetItem(file.name if len(file.name) < 12 else f"{file.name[:10]}…")
            item.setToolTip(plain(str(file)))
            self.list.addItem(item)
        self._timer.start(15) if files else self._timer.stop()

    def _load_one(self) -> None:
        index, self._next = self._next, self._next + 1
        if index >= min(len(self.files), PICTURES):
            return self._timer.stop()
        reading = Reading(self.files[index], partial(self._show_one, self.files, index), self._refuser(index))
        if is_large(reading.source):
            self._timer.stop()
            return self._reader.ask(reading)
        return reading.now()

    def _refuser(self, index: int) -> Callable[[str], object]:
        files = self.files

        def refuse(_why: str) -> None:
            if files == self.files:
                self.list.item(index).setText(tr("no image"))
                self._timer.start()

        return refuse

    def _show_one(self, files: tuple[Path, ...], index: int, picture: Picture) -> None:
        if files != self.files:
            return
        image = as_qimage(thinned(picture.pixels, 4 * THUMB.width()))
        fit, how = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        self.list.item(index).setIcon(untinted(QPixmap.fromImage(image.scaled(THUMB * 2, fit, how))))
        self.list.item(index).setText("")
        self._timer.start()

    def _pick(self, item: QListWidgetItem) -> None:
        self.chosen.emit(self.list.row(item))
