"""The composition root: window, model thread and engine. The window is shown before torch is imported."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attnviewer.core.errors import UserError
from attnviewer.core.events import Event, Failed, Finished, Loading, Stepped
from attnviewer.core.explore.requests import Exploration
from attnviewer.core.i18n import tr
from attnviewer.core.jobs import Run, Study
from attnviewer.core.logfile import begin_log
from attnviewer.core.request import Request
from attnviewer.core.speech import speak
from attnviewer.core.trace import Trace
from attnviewer.ui.start.clock import Milestones
from attnviewer.ui.start.interrupts import Interrupts
from attnviewer.ui.start.preflight import missing_library, trouble

if TYPE_CHECKING:
    from attnviewer.ui.window import Window

GRACE = 1.5  # seconds that a run has to end in once the window is closed
MILESTONES: dict[type[Event], tuple[str, ...]] = {Stepped: ("word",), Finished: ("word", "done")}


def run_app(
    image: str | Path | None = None, *, timings: bool = False, quit_when_done: bool = False, language: str = ""
) -> int:
    """Open the window, on an image or on what was open last, and return the exit status.

    Parameters
    ----------
    image : a file or a folder of photos.
    timings : write the milestones window, model, word and done to stderr as lines of JSON.
    quit_when_done : close the window after the first caption.
    language : what the window speaks, such as "zh"; by default what the settings or the system say.
    """
    if line := trouble():
        return _complain(line)
    if sys.platform == "win32":  # there, torch can't be loaded after Qt
        import torch  # noqa: F401
    try:
        with Interrupts() as interrupts:
            return _run(image, Milestones(timings), quit_when_done, interrupts, language)
    except ImportError as error:
        line = missing_library(str(error))
        if not line:
            raise
        return _complain(line)


def _complain(line: str) -> int:
    print(f"attnviewer: {line}", file=sys.stderr)
    return 2


def _run(
    image: str | Path | None, milestones: Milestones, quit_when_done: bool, interrupts: Interrupts, language: str
) -> int:
    from PySide6.QtWidgets import QApplication

    from attnviewer.ui.desk import Desk
    from attnviewer.ui.installed import look_around
    from attnviewer.ui.settings import Settings
    from attnviewer.ui.start.language import translate_qt
    from attnviewer.ui.start.messages import hush
    from attnviewer.ui.window import Window
    from attnviewer.ui.worker import Worker

    hush()
    begin_log()
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    application.setApplicationName("attnviewer")
    application.setDesktopFileName("attnviewer")  # whose icon the desktop shows, where there is an entry
    application.setStyle("Fusion")
    settings = Settings()
    if chosen := language or settings["language"]:
        speak(chosen)
    translate_qt(application)
    worker = Worker(lambda: TimedEngine(milestones, settings["device"]), model_thread)
    window = Window(Desk(worker, settings, look_around()))
    window.shown.connect(lambda: _begin(window, image, milestones))
    failures: list[Failed] = []
    worker.happened.connect(lambda event: _note(event, milestones, failures))
    worker.happened.connect(lambda event: _tell_device(event, window, settings["device"]))
    worker.happened.connect(lambda event: _quit_after(event, window) if quit_when_done else None)
    interrupts.connect(application.quit)
    window.show()
    application.exec()
    joined = worker.close(GRACE if worker.device else 0.0)  # before there is an engine, nothing is worth waiting for
    return _end(joined, _verdict(failures) if quit_when_done else 0)


def _begin(window: Window, image: str | Path | None, milestones: Milestones) -> None:
    """The first picture, after the window has been painted."""
    from attnviewer.ui.start.language import missing_font

    milestones.reach("window")
    if image is None or not window.opener.open_paths([Path(image)]):
        window.opener.restore(quiet=image is not None)
    if troubles := [*filter(None, (missing_font(), *window.desk.installed.faults))]:
        window.desk.say(troubles[0], fault=True)


def _note(event: Event, milestones: Milestones, failures: list[Failed]) -> None:
    for name in MILESTONES.get(type(event), ()) if _of_caption(event) else ():
        milestones.reach(name)
    if isinstance(event, Failed):
        failures.append(event)


def _tell_device(event: Event, window: Window, wanted: str) -> None:
    """Say after a run that the device that was chosen in the settings doesn't work here."""
    used = window.desk.worker.device
    if isinstance(event, Finished) and used and wanted not in ("auto", used):
        window.desk.say(
            tr("The device {wanted} doesn't work here; models compute on {used}.", wanted=wanted, used=used)
        )


def _quit_after(event: Event, window: Window) -> None:
    if isinstance(event, Failed) or (isinstance(event, Finished) and _of_caption(event)):
        window.close()


def _of_caption(event: Event) -> bool:
    """Whether the event shows words of a caption; a query may be answered before."""
    return isinstance(event, (Stepped, Finished)) and event.trace.task == "caption"


def _verdict(failures: list[Failed]) -> int:
    """Who is to blame where the only caption failed; 0 where it did not."""
    if not failures:
        return 0
    print(f"attnviewer: {failures[0].message}", file=sys.stderr)
    return 1 if failures[0].ours else 2


def _end(joined: bool, status: int) -> int:
    """Leave at once where the model thread is deep in a library and can't be waited for."""
    if not joined:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(status)
    return status


@contextmanager
def model_thread() -> Iterator[None]:
    """What holds on the model thread: all processors but one, and no gradients."""
    import torch

    from attnviewer.runs.device import settle_thread

    settle_thread()
    with torch.inference_mode():
        yield


class TimedEngine:
    """The engine, made on the model thread, which notes when its first model is there."""

    def __init__(self, milestones: Milestones, device: str = "auto") -> None:
        from attnviewer.runs.engine import Engine

        try:
            self._engine = Engine(device=device)
        except UserError:  # what was chosen doesn't work here; the window says so
            self._engine = Engine()
        self._milestones = milestones
        self.device = self._engine.device

    def run(self, request: Request) -> Run:
        """Run a request; the model is there when the first thing after `Loading` comes."""
        for step in (run := Result(self._engine.run(request))):
            if not isinstance(step, Loading):
                self._milestones.reach("model")
            yield step
        return run.value

    def explore(self, request: Exploration) -> Study:
        """Run an experiment."""
        return self._engine.explore(request)


class Result:
    """Iterates a generator and keeps what it returns."""

    def __init__(self, run: Generator[Any, None, Trace]) -> None:
        self._run = run
        self.value: Trace

    def __iter__(self) -> Iterator[Any]:
        self.value = yield from self._run
