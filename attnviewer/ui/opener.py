"""Opens what the user brings: files, folders, drops, the clipboard, samples; and what was open last time."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from attnviewer.core.drops import Drop
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.images import SUFFIXES, Picture, expand, is_file, load_picture
from attnviewer.core.saving import photo_of
from attnviewer.core.serial import SAVED
from attnviewer.core.trace import Trace
from attnviewer.core.writing import write_bytes
from attnviewer.ui.desk import Desk
from attnviewer.ui.installed import Sample
from attnviewer.ui.menus import remembered
from attnviewer.ui.sources import TOML, offered, refusal

PASTED = "last-picture.png"


class Opener(QObject):
    """Puts photos on the desk; whatever can't be opened becomes a line, and the last photo stays.

    Signals
    -------
    set_changed(object, int) : the files that can be stepped through, and which of them is shown.
    trace_opened(object, object) : a saved `Trace`, and its `Picture` or None.
    toml_opened(object) : the `Path` of a lesson or a state.
    """

    set_changed = Signal(object, int)
    trace_opened = Signal(object, object)
    toml_opened = Signal(object)

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self.files: tuple[Path, ...] = ()
        self.index = -1
        self.saved = False  # whether what was opened last is a trace

    def ask(self, parent: QWidget) -> bool:
        """Let the user choose photos, or a saved trace; True where something was opened."""
        kinds = {tr("Photos"): SUFFIXES, tr("Saved traces"): SAVED, tr("Lessons and states"): (TOML,)}
        offers = [f"{name} ({' '.join(f'*{suffix}' for suffix in suffixes)})" for name, suffixes in kinds.items()]
        forms = ";;".join([*offers, tr("All files (*)")])
        names, _ = QFileDialog.getOpenFileNames(parent, tr("Open"), self._desk.settings["folder"], forms)
        if names:
            self._desk.settings["folder"] = str(Path(names[0]).parent)
        return bool(names) and self.open_paths([Path(name) for name in names])

    def open_mime(self, mime: QMimeData | None) -> bool:
        """Open what was dropped or pasted; True where there was something."""
        drop = offered(mime)
        if not drop:
            self._desk.say(refusal(drop), fault=True)
            return False
        return self._open_drop(drop)

    def _open_drop(self, drop: Drop) -> bool:
        return self.open_paths([Path(path) for path in drop.paths]) if drop.paths else self.open_bytes(drop.images[0])

    def open_paths(self, paths: Sequence[Path]) -> bool:
        """Open a saved trace, or files, or the images of folders; several become a set to step through."""
        if len(paths) == 1 and paths[0].suffix.lower() in SAVED and is_file(paths[0]):
            return self.open_trace(paths[0])
        if len(paths) == 1 and paths[0].suffix.lower() == TOML and is_file(paths[0]):
            self.saved = True
            self.toml_opened.emit(paths[0])
            return True
        try:
            found, faults = expand(paths)
        except UserError as error:
            self._desk.say(str(error), fault=True)
            return False
        files = tuple(found)
        at = next((i for i, file in enumerate(files) if self._show(file, quiet=len(files) > 1)), -1)
        if at < 0:
            if len(files) > 1:
                self._desk.say(tr("None of these files is an image that can be read here."), fault=True)
            return False
        self._set(files if len(files) > 1 else (), at)
        if faults:
            self._desk.say(faults[0], fault=True)
        return True

    def open_trace(self, path: Path) -> bool:
        """Open a trace that was saved, with its photo where that is at hand."""
        try:
            trace = Trace.load(path)
        except UserError as error:
            self._desk.say(str(error), fault=True)
            return False
        self._desk.opened.update({path, *([Path(trace.source.path)] if trace.source.path else [])})
        self.saved = True
        self.trace_opened.emit(trace, photo_of(trace))
        return True

    def open_bytes(self, data: bytes) -> bool:
        """Open image data, and keep a copy so that it comes back at the next start."""
        try:
            picture = load_picture(data)
        except UserError as error:
            self._desk.say(str(error), fault=True)
            return False
        self._keep(data)
        self._take(picture, f"pasted:{PASTED}", tr("pasted photo"))
        self._set((), -1)
        return True

    def open_sample(self, sample: Sample, *, quiet: bool = False) -> bool:
        """Open a photo that ships with the program, and say whose it is."""
        called = f"{sample.title} ({sample.credit})"
        if not self._show(sample.path, f"sample:{sample.path.name}", called, quiet=quiet):
            return False
        self._set((), -1)
        return True

    def step(self, by: int) -> None:
        """Show another photo of the set."""
        if self.files:
            self.show_at((self.index + by) % len(self.files))

    def show_at(self, index: int) -> None:
        """Show one photo of the set; where it can't be read the last one stays."""
        if index != self.index and self._show(self.files[index]):
            self.index = index
        self.set_changed.emit(self.files, self.index)

    def restore(self, *, quiet: bool = False) -> None:
        """Open what was open last, else the first sample; `quiet` keeps the line that is shown."""
        kind, _, name = str(self._desk.settings["source"]).partition(":")
        samples = self._desk.installed.samples
        sample = next((s for s in samples if kind == "sample" and s.path.name == name), None)
        path = {"file": Path(name), "pasted": self._desk.settings.folder / PASTED}.get(kind)
        called = tr("pasted photo") if kind == "pasted" else ""
        there = sample is None and path is not None and is_file(path)
        if there and path is not None and self._show(path, f"{kind}:{name}", called, quiet=True):
            return
        if samples:
            self.open_sample(sample or samples[0], quiet=quiet)

    def _show(self, path: Path, source: str = "", called: str = "", *, quiet: bool = False) -> bool:
        try:
            picture = load_picture(path)
        except UserError as error:
            if not quiet:
                self._desk.say(str(error), fault=True)
            return False
        self._desk.opened.add(path)
        if not source.startswith(("sample:", "pasted:")):
            self._desk.settings["recent"] = remembered(self._desk.settings["recent"], path)
        self._take(picture, source or f"file:{path.absolute()}", called or path.name)
        return True

    def _take(self, picture: Picture, source: str, called: str) -> None:
        self._desk.settings["source"], self.saved = source, False
        self._desk.set_picture(picture, called)

    def _keep(self, data: bytes) -> None:
        """Keep the file as it came: to encode the picture once more would take as long as reading it."""
        folder = self._desk.settings.folder
        with contextlib.suppress(OSError):  # a place that can't be written costs the copy, not the picture
            folder.mkdir(parents=True, exist_ok=True)
            write_bytes(folder / PASTED, data)

    def _set(self, files: tuple[Path, ...], index: int) -> None:
        self.files, self.index = files, index
        self.set_changed.emit(files, index)
