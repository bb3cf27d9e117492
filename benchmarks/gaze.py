"""From the release of the brush to new bars: processor time of the whole window, with the photo's features at hand.

python benchmarks/gaze.py [--photos 6]
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from attnviewer.core.paths import resources_dir
from attnviewer.runs.engine import Engine
from attnviewer.ui.desk import Desk
from attnviewer.ui.installed import Installed
from attnviewer.ui.settings import Settings
from attnviewer.ui.window import Window
from attnviewer.ui.worker import Worker

PATIENCE = 120.0
MODELS = {"soft": ("caption-soft",), "hard": ("caption-hard",), "none": ("caption-none",)}


class Bench:
    """A window over the models that ship."""

    def __init__(self, app: QApplication, folder: Path) -> None:
        self._app, self.worker = app, Worker(lambda: Engine(device="cpu"))
        self.window = Window(Desk(self.worker, Settings(folder / "settings.ini"), Installed(MODELS, ())))
        self.window.resize(1440, 900)
        self.window.show()

    def wait(self, holds: object) -> None:
        """Let events through until something holds."""
        began = time.monotonic()
        while not holds():  # type: ignore[operator]
            self._app.processEvents()
            if time.monotonic() - began > PATIENCE:
                raise TimeoutError
            time.sleep(0.001)

    def open(self, photo: Path) -> None:
        """Show a photo and wait for its caption."""
        self.window.opener.open_paths([photo])
        self.wait(lambda: self.panel.state.done and not self.worker.busy)

    @property
    def panel(self):
        """The image panel."""
        return self.window.panels["image"]

    def release(self, word: int, cell: tuple[float, float]) -> tuple[float, float]:
        """Seconds of processor time until the bars of the word are new, and until the caption is whole."""
        panel, stage = self.panel, self.panel.stages.columns["soft"].stage
        panel.player.go(word)
        panel.hands.choose_tool("paint")
        view, left = stage.viewport(), Qt.MouseButton.LeftButton
        place = stage.mapFromScene(
            stage.box.mapViewToScene(
                stage.box.viewRect().topLeft()
                + (stage.box.viewRect().bottomRight() - stage.box.viewRect().topLeft()) * cell[0]
            )
        )
        QTest.mousePress(view, left, pos=place)
        old, began = panel.side.bars.bars, time.process_time()
        QTest.mouseRelease(view, left, pos=place)
        self.wait(lambda: panel.side.bars.bars != old or not panel.state.missing)
        bars = time.process_time() - began
        self.wait(lambda: not panel.state.missing)
        whole = time.process_time() - began
        self.wait(lambda: not self.worker.busy)
        return bars, whole


def main() -> None:
    """Print the figures for the first, a middle and the last word."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--photos", type=int, default=6)
    count = parser.parse_args().photos
    app = QApplication([])
    files = sorted((resources_dir() / "images").glob("*.jpg"))
    with tempfile.TemporaryDirectory() as folder:
        bench, found = Bench(app, Path(folder)), []
        for number in range(count):
            bench.open(files[number % len(files)])
            for share in (0.0, 0.5, 1.0):
                words = len(bench.panel.state.trace.steps)
                found.append((share, *bench.release(round(share * (words - 1)), (0.3 + 0.05 * number, 0.5))))
                bench.panel.hands.reset()
        for share, name in ((0.0, "first word"), (0.5, "middle word"), (1.0, "last word")):
            bars = sorted(row[1] for row in found if row[0] == share)
            whole = sorted(row[2] for row in found if row[0] == share)
            print(f"{name}: new bars after {1000 * bars[len(bars) // 2]:.0f} ms (at most {1000 * bars[-1]:.0f}), "
                  f"whole caption after {1000 * whole[len(whole) // 2]:.0f} ms")  # fmt: skip
        bench.worker.close()


if __name__ == "__main__":
    main()
