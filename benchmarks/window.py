"""How long the window is deaf while a large photo is opened, and how long a word's map takes to paint.

python benchmarks/window.py [--megapixels 24]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from PIL import Image
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from helpers.fake_engine import FakeEngine

from attnviewer.ui.desk import Desk
from attnviewer.ui.installed import Installed, samples
from attnviewer.ui.settings import Settings
from attnviewer.ui.window import Window
from attnviewer.ui.worker import Worker

TICK_MS = 4
SIZES = {"1440x900": (1440, 900), "3840x2160": (3840, 2160)}


class Pulse:
    """Times between ticks of the event loop, wall clock and processor time of the thread of the window."""

    def __init__(self) -> None:
        self.wall: list[float] = []
        self.work: list[float] = []
        self._last = (time.perf_counter(), time.thread_time())
        self._timer = QTimer(interval=TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def _tick(self) -> None:
        now = (time.perf_counter(), time.thread_time())
        self.wall.append(1000 * (now[0] - self._last[0]))
        self.work.append(1000 * (now[1] - self._last[1]))
        self._last = now

    def told(self) -> str:
        """99 in 100 and the longest, in milliseconds."""
        return "   ".join(
            f"{name} p99 {np.percentile(values, 99):.0f} ms, max {max(values):.0f} ms"
            for name, values in (("wall", self.wall), ("thread", self.work))
        )


def photo(folder: Path, megapixels: float) -> Path:
    """A sample photo blown up, as a JPEG."""
    side = (megapixels * 1e6 * 4 / 3) ** 0.5
    path = folder / "large.jpg"
    with Image.open(samples()[0].path) as sample:
        sample.convert("RGB").resize((round(side), round(side * 3 / 4))).save(path, quality=90)
    return path


def run_until(application: QApplication, done: object, seconds: float = 60.0) -> None:
    """Let the event loop run until something holds."""
    end = time.monotonic() + seconds
    while not done() and time.monotonic() < end:  # type: ignore[operator]
        application.processEvents()
        time.sleep(0.001)


def opening(application: QApplication, window: Window, path: Path) -> str:
    """Open a photo and caption it, and tell how regular the event loop's ticks were."""
    run_until(application, lambda: not window.desk.worker.busy)
    pulse = Pulse()
    window.opener.open_paths([path])
    run_until(application, lambda: str(window.desk.picture.path) == str(path) and not window.desk.worker.busy)
    return pulse.told()


def painting(application: QApplication, window: Window) -> float:
    """Milliseconds of processor time to show and paint the map of another word; the median of forty."""
    times = []
    stage = window.panels["image"].stages.columns["soft"].stage
    for turn in range(40):
        window.panels["image"].player.go(turn % 6)
        application.processEvents()
        began = time.thread_time()
        stage.viewport().repaint()
        times.append(1000 * (time.thread_time() - began))
    return float(np.median(times))


def main() -> None:
    """Print all."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--megapixels", type=float, default=24)
    megapixels = parser.parse_args().megapixels
    application = QApplication(sys.argv[:1])
    with tempfile.TemporaryDirectory() as folder:
        worker = Worker(FakeEngine)
        window = Window(Desk(worker, Settings(Path(folder, "settings.ini")), Installed(samples=samples())))
        window.show()
        window.opener.restore()
        path = photo(Path(folder), megapixels)
        print(f"opening {megapixels:g} megapixels: {opening(application, window, path)}")
        for name, size in SIZES.items():
            window.resize(*size)
            application.processEvents()
            print(f"painting a word's map at {name}: {painting(application, window):.1f} ms")
        worker.close()


if __name__ == "__main__":
    main()
