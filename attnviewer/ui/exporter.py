"""Saves what is shown: asks for a place, and writes on the model thread so that the window stays alive."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from attnviewer.core.errors import UserError
from attnviewer.core.events import Event, Failed, Finished, Progress, Progressed
from attnviewer.core.i18n import later, tr
from attnviewer.core.images import Picture
from attnviewer.core.jobs import Run
from attnviewer.core.trace import Trace
from attnviewer.core.writing import spare, write_bytes
from attnviewer.export import FIGURES, FORMS, Options, save, save_compare
from attnviewer.ui.desk import Desk
from attnviewer.ui.look import Look
from attnviewer.ui.panels.base import Made, Panel

LANE = "export"
MARK = "-attention"  # so that the name offered is never that of the photo itself
NOTHING = later("There is nothing to export yet; open a photo or type a text, and wait for the first word.")
ALONE = later(" It holds what is shown at the side alone; a figure (PNG, SVG, PDF) shows all that are compared.")
AskPath = Callable[[str, str], str]


def ask_where(parent: QWidget) -> AskPath:
    """A question for the place of a new file, by the system's own dialog."""
    return lambda start, forms: QFileDialog.getSaveFileName(parent, "Export", start, forms)[0]


Rows = Mapping[str, Trace]


def writing(trace: Trace, picture: Picture | None, path: Path, look: Look, rows: Rows | None = None) -> Run:
    """Write one file as the map is shown; a run like any other, so it can be stopped before it starts.

    A figure of `rows` has one for each way to attend; other forms hold the trace alone. What comes back has as its
    notes what must be said of the file.
    """
    yield Progress(tr("Writing {name}", name=path.name))
    options = Options(not look.smooth, look.per_word, table=look.table, opacity=look.opacity)
    if rows and path.suffix.lower() in FIGURES:
        remarks = save_compare(rows, picture, path, options)
    else:
        remarks = save(trace, picture, path, options)
    return replace(trace, notes=remarks)


def sparing(opened: Iterable[Path], path: Path, write: Run) -> Run:
    """Write, unless that would be over a file that was opened in the window; raises `UserError` then."""
    spare([path], opened)
    return (yield from write)


def named_place(chosen: str, suffix: str) -> Path:
    """The place that the user typed; a name that ends in no known form gets the one that was picked."""
    return Path(chosen) if Path(chosen).suffix.lower() in FORMS else Path(chosen + suffix)


class Exporter(QObject):
    """One export at a time; the last form and folder are remembered."""

    def __init__(self, desk: Desk, ask: AskPath) -> None:
        super().__init__(desk)
        self._desk, self.ask, self._name, self._alone, self._key = desk, ask, "", "", ""
        self._path = Path()
        desk.worker.happened.connect(self._on_event)

    def export(self, result: tuple[Trace, Picture | None] | None, suffix: str = "", rows: Rows | None = None) -> None:
        """Ask for a place and write there; without `suffix` in the form of last time."""
        if result is None:
            return self._desk.say(tr(NOTHING), fault=True)
        suffix = suffix or self._desk.settings["export"]
        if not FORMS[suffix].suits(result[0].task):
            suffix = FIGURES[0]
        chosen = self.ask(str(self._start(result[0], suffix)), self._filter(suffix))
        if not chosen:
            return None
        path = named_place(chosen, suffix)
        self._desk.settings["export"], self._desk.settings["folder"] = suffix, str(path.parent)
        self._path, self._name, self._key, look = path, path.name, self._desk.board.key, self._desk.look
        several = rows is not None and len(rows) > 1 and path.suffix.lower() not in FIGURES
        self._alone = ALONE if several else ""
        opened = frozenset(self._desk.opened)
        self._desk.worker.submit(LANE, lambda: sparing(opened, path, writing(*result, path, look, rows)))
        return None

    def export_panel(self, panel: Panel, suffix: str = "") -> None:
        """Save what a panel shows: what it makes itself, or its trace."""
        if (made := panel.makes()) is not None:
            return self.export_made(made, suffix)
        return self.export(panel.result(), suffix, panel.comparison())

    def export_made(self, made: Made, suffix: str = "") -> None:
        """Ask for a place and write what a panel makes itself; without `suffix` in the form of last time."""
        offered = " ".join(made.forms)
        if suffix and suffix not in made.forms:
            told = tr("This is saved as {forms}; choose one of these.", forms=offered)
            return self._desk.say(told, fault=True)
        last = self._desk.settings["export"]
        suffix = suffix or (last if last in made.forms else next(iter(made.forms)))
        chosen = self.ask(str(self._folder() / f"{made.name}{suffix}"), self._filter(suffix))
        if not chosen:
            return None
        path = Path(chosen) if Path(chosen).suffix.lower() in made.forms else Path(chosen + suffix)
        self._desk.settings["export"], self._desk.settings["folder"] = suffix, str(path.parent)
        return self._write(made, path)

    def _write(self, made: Made, path: Path) -> None:
        try:
            spare([path], self._desk.opened)
            write_bytes(path, made.forms[path.suffix.lower()]())
        except UserError as error:
            fault = str(error)
        except OSError as error:
            fault = (error.strerror or "unknown reason").lower()
        else:
            return self._desk.say(tr("Saved {name}.", name=path.name))
        return self._desk.say(tr("{name} could not be saved: {fault}", name=path.name, fault=fault), fault=True)

    def _start(self, trace: Trace, suffix: str) -> Path:
        stem = Path(trace.source.path).stem if trace.source.path else "attention"
        return self._folder() / f"{stem}{MARK}{suffix}"

    def _folder(self) -> Path:
        folder = Path(self._desk.settings["folder"] or Path.home())
        return folder if folder.is_dir() else Path.home()

    def _filter(self, suffix: str) -> str:
        return f"{tr(FORMS[suffix].menu).rstrip('…')} (*{suffix})"

    @Slot(object)
    def _on_event(self, event: Event) -> None:
        if event.lane != LANE:
            return
        if isinstance(event, Finished):
            said = " ".join((tr("Saved {name}.", name=self._name) + tr(self._alone), *event.trace.notes))
            self._desk.say(said, key=self._key, saved=str(self._path))
        elif isinstance(event, Progressed):
            self._desk.progress.emit(event.progress)
        elif isinstance(event, Failed):
            self._desk.say(
                tr("{name} could not be saved: {message}", name=self._name, message=event.message),
                fault=True,
                key=self._key,
            )
