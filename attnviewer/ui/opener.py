"""Opens what the user brings: files, folders, drops, the clipboard, samples; and what was open last time."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from attnviewer.core.added import CAPTIONING, kind_in, model_at
from attnviewer.core.drops import Drop
from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.i18n import tr
from attnviewer.core.images import SUFFIXES, Picture, expand, is_file, load_picture
from attnviewer.core.saving import photo_of
from attnviewer.core.trace import Trace
from attnviewer.core.tracefiles import SAVED
from attnviewer.core.writing import write_bytes
from attnviewer.ui.desk import Desk
from attnviewer.ui.installed import Sample
from attnviewer.ui.menus import remembered
from attnviewer.ui.reader import Reader, Reading, is_large
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
        self.reader = Reader(self)
        self.reader.busy_changed.connect(desk.reading)
        desk.stopped.connect(self.reader.cancel)
        self.files: tuple[Path, ...] = ()
        self.index = self._shown = -1  # the photo of the set that is wanted, and the one that is shown
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

    def open_paths(self, paths: Sequence[Path], *, wait: bool = False) -> bool:
        """Open a saved trace, or files, or the images of folders; several become a set to step through.

        False where that fails at once; a large photo is read in the background, unless `wait`.
        """
        self.reader.cancel()
        if len(paths) == 1 and (model := model_at(paths[0])) is not None:
            return self.open_model(model, kind_in(model))
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
        return self._open_first(tuple(found), faults, wait=wait)

    def _open_first(
        self, files: tuple[Path, ...], faults: Sequence[str], start: int = 0, *, wait: bool = False
    ) -> bool:
        """Show the first of some files that can be read, from `start` on."""
        several = len(files) > 1

        def take(at: int) -> None:
            self._set(files if several else (), at)
            if faults:
                self._desk.say(faults[0], fault=True)

        for at in range(start, len(files)):
            on = partial(self._open_first, files, faults, at + 1)
            if self._show(files[at], quiet=several, then=partial(take, at), otherwise=on, wait=wait):
                return True
        if several:
            self._desk.say(tr("None of these files is an image that can be read here."), fault=True)
        if self._desk.picture is None and start:
            self.restore(quiet=True)
        return False

    def open_model(self, folder: Path, kind: str) -> bool:
        """Use a model of the user's own: what writes captions does so, into any other one looks."""
        if self._desk.picture is None:
            self.restore(quiet=True)  # a model may read the photo
        signal = self._desk.model_opened if kind in CAPTIONING else self._desk.reader_opened
        signal.emit(str(folder))
        return True

    def open_trace(self, path: Path) -> bool:
        """Open a trace that was saved, with its photo where that is at hand."""
        self.reader.cancel()
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

        def take(picture: Picture) -> None:
            self._keep(data)
            self._take(picture, f"pasted:{PASTED}", tr("pasted photo"))
            self._set((), -1)

        return self._read(data, take, partial(self._desk.say, fault=True))

    def open_sample(self, sample: Sample, *, quiet: bool = False) -> bool:
        """Open a photo that ships with the program, and say whose it is."""
        called = f"{sample.title} ({sample.credit})"
        alone = partial(self._set, (), -1)
        return self._show(sample.path, f"sample:{sample.path.name}", called, quiet=quiet, then=alone)

    def step(self, by: int) -> None:
        """Show another photo of the set."""
        if self.files:
            self.show_at((self.index + by) % len(self.files))

    def show_at(self, index: int) -> None:
        """Show one photo of the set; where it can't be read the last one stays."""
        files, before = self.files, self._shown

        def settle(at: int) -> None:
            if files is self.files:
                self._set(files, at)

        back = partial(settle, before)
        if index == self.index or not self._show(files[index], then=partial(settle, index), otherwise=back):
            return back()
        if self.reader.busy:
            self.index = index
            self.set_changed.emit(files, index)
        return None

    def restore(self, *, quiet: bool = False) -> None:
        """Open what was open last, else the first sample; `quiet` keeps the line that is shown."""
        kind, _, name = str(self._desk.settings["source"]).partition(":")
        samples = self._desk.installed.samples
        sample = next((s for s in samples if kind == "sample" and s.path.name == name), None)
        path = {"file": Path(name), "pasted": self._desk.settings.folder / PASTED}.get(kind)
        called = tr("pasted photo") if kind == "pasted" else ""
        there = sample is None and path is not None and is_file(path)

        def first() -> None:
            if samples:
                self.open_sample(sample or samples[0], quiet=quiet)

        if not (there and path and self._show(path, f"{kind}:{name}", called, quiet=True, otherwise=first)):
            first()

    def _show(
        self,
        path: Path,
        source: str = "",
        called: str = "",
        *,
        quiet: bool = False,
        then: Callable[[], object] = lambda: None,
        otherwise: Callable[[], object] = lambda: None,
        wait: bool = False,
    ) -> bool:
        """Show a photo and do what comes `then`; `otherwise` is done where it turns out later that it can't be read."""

        def take(picture: Picture) -> None:
            self._desk.opened.add(path)
            if not source.startswith(("sample:", "pasted:")):
                self._desk.settings["recent"] = remembered(self._desk.settings["recent"], path)
            self._take(picture, source or f"file:{path.absolute()}", called or path.name)
            then()

        def refuse(why: str) -> None:
            if not quiet:
                self._desk.say(why, fault=True)

        return self._read(path, take, refuse, otherwise, wait=wait)

    def _read(
        self,
        source: Path | bytes,
        take: Callable[[Picture], object],
        refuse: Callable[[str], object],
        otherwise: Callable[[], object] = lambda: None,
        *,
        wait: bool = False,
    ) -> bool:
        """Read a photo at once, or a large one in the background; False where it can't be read, as far as known."""
        self.reader.cancel()
        if not wait and is_large(source):
            name = source.name if isinstance(source, Path) else tr("pasted photo")
            self.saved = False
            self.reader.ask(Reading(source, take, lambda why: (refuse(why), otherwise())))
            self._desk.progress.emit(Progress(tr("opening {name}", name=name)))
            return True
        try:
            picture = load_picture(source)
        except UserError as error:
            refuse(str(error))
            return False
        take(picture)
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
        self.files, self.index, self._shown = files, index, index
        self.set_changed.emit(files, index)
