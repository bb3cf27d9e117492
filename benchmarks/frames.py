"""What a frame of the Transformer panel costs: 510 tokens in the English encoder, and a matrix of 4,096 x 4,096.

Run it as `QT_QPA_PLATFORM=offscreen python benchmarks/frames.py`. It prints the median and the worst processor time of
twenty frames in milliseconds, in a window of 1440 x 900.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtWidgets import QApplication

from attnviewer.app import TimedEngine, model_thread
from attnviewer.ui.desk import Desk
from attnviewer.ui.installed import look_around
from attnviewer.ui.settings import Settings
from attnviewer.ui.start.clock import Milestones
from attnviewer.ui.window import Window
from attnviewer.ui.worker import Worker

SENTENCE = "He sat on the bank of the river and watched the water ."
WORDS, LARGE, FRAMES = 505, 4096, 20


def main() -> None:
    """Measure view by view."""
    application = QApplication([])
    application.setStyle("Fusion")
    folder = Path(tempfile.mkdtemp())
    worker = Worker(lambda: TimedEngine(Milestones(False)), model_thread)
    window = Window(Desk(worker, Settings(folder / "settings.ini"), look_around()))
    window.resize(1440, 900)
    window.show()
    window.show_panel("transformer")
    panel: Any = window.panel
    panel.read(" ".join((SENTENCE.split() * WORDS)[:WORDS]))
    settle(application, worker)
    for view, name, act in ACTS:
        panel.choose_view(view)
        settle(application, worker)
        print(f"{len(panel.state.tokens)} tokens, {name}: {frames(application, panel, act)}", flush=True)
    weights = np.random.default_rng(0).random((1, 1, LARGE, LARGE), dtype=np.float32)
    weights /= weights.sum(axis=-1, keepdims=True)
    np.savez(folder / "large.npz", weights=weights, tokens=np.array([str(n) for n in range(LARGE)]))
    window.opener.open_paths([folder / "large.npz"])
    settle(application, worker)
    for view, name, act in ACTS[:2]:
        panel.choose_view(view)
        print(f"{LARGE} x {LARGE}, {name}: {frames(application, panel, act)}", flush=True)
    worker.close()
    os._exit(0)


def settle(application: QApplication, worker: Worker) -> None:
    """Wait until nothing runs."""
    for _ in range(20):
        application.processEvents()
        time.sleep(0.02)
    while worker.busy:
        application.processEvents()
        time.sleep(0.01)


def frames(application: QApplication, panel: Any, act: Callable[[Any, int], object]) -> str:
    """Median and worst of some frames, as text."""
    found = []
    for number in range(FRAMES):
        began = time.process_time()
        act(panel, number)
        application.processEvents()
        found.append((time.process_time() - began) * 1000)
    return f"median {sorted(found)[FRAMES // 2]:.1f} ms, worst {max(found):.1f} ms"


ACTS: tuple[tuple[str, str, Callable[[Any, int], object]], ...] = (
    ("glance", "pointer over the large map", lambda p, n: p.views["glance"].large.hovered.emit(n * 20, n * 20)),
    ("glance", "another token", lambda p, n: p.point(n * 20)),
    ("glance", "another head", lambda p, n: p.choose_head(n % 6, n * 5 % 12)),
    ("steps", "pointer over a matrix", lambda p, n: p.views["steps"].maps[0].hovered.emit(n * 20, n * 20)),
    ("steps", "another head", lambda p, n: p.choose_head(n % 6, n * 5 % 12)),
    ("layer", "another token", lambda p, n: p.point(n * 20)),
)

if __name__ == "__main__":
    main()
