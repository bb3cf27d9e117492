"""How soon the experiments of Foundations answer when a slider is moved: processor time until all is painted, in ms.

QT_QPA_PLATFORM=offscreen python benchmarks/sliders.py
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from PySide6.QtWidgets import QApplication, QSlider

from attnviewer.app import TimedEngine, model_thread
from attnviewer.ui.desk import Desk
from attnviewer.ui.installed import look_around
from attnviewer.ui.settings import Settings
from attnviewer.ui.start.clock import Milestones
from attnviewer.ui.window import Window
from attnviewer.ui.worker import Worker

MOVES = 8


def settle(app: QApplication, worker: Worker, quiet: float = 0.3) -> None:
    """Wait until nothing has run for a while."""
    last = time.monotonic()
    while time.monotonic() - last < quiet:
        app.processEvents()
        time.sleep(0.002)
        last = time.monotonic() if worker.busy else last


def moves(app: QApplication, worker: Worker, slider: QSlider) -> list[float]:
    """Processor time of some moves over the whole length of a slider, in ms."""
    found, low, high = [], slider.minimum(), slider.maximum()
    for move in range(MOVES):
        begun = time.process_time()
        slider.setValue(low + (high - low) * ((move * 3) % MOVES) // (MOVES - 1))
        app.processEvents()
        while worker.busy:
            app.processEvents()
            time.sleep(0.002)
        app.processEvents()
        found.append(1000 * (time.process_time() - begun))
    return found


def main() -> None:
    """Print a row for each slider."""
    app = QApplication([])
    app.setStyle("Fusion")
    with TemporaryDirectory() as folder:
        worker = Worker(lambda: TimedEngine(Milestones(False), "auto"), model_thread)
        window = Window(Desk(worker, Settings(Path(folder) / "settings.ini"), look_around()))
        window.resize(1440, 900)
        window.show()
        window.opener.restore()
        settle(app, worker)
        window.show_panel("foundations")
        for key in ("mlp", "conv", "field"):
            window.panel.choose(key)  # type: ignore[attr-defined]
            settle(app, worker)
            for slider in window.panel.findChildren(QSlider):
                if slider.isVisible():
                    times = moves(app, worker, slider)
                    print(f"| {key}: {slider.accessibleName()} | {median(times):.0f} | {max(times):.0f} |", flush=True)
        worker.close(3.0)
    os._exit(0)


if __name__ == "__main__":
    main()
