"""A monkey at the window, with the models that ship: it clicks, types, drops, drags and resizes at random, by a seed.

200 actions in the suite, 2,000 by `pytest --long`. Nothing may raise, nothing may be said on stderr, the window goes on
answering, and closing it ends what is in flight within two seconds.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QMimeData, QPoint, Qt, QTimer, QUrl
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
    QWidget,
)
from pytestqt.qtbot import QtBot

from attnviewer.app import model_thread
from attnviewer.core.paths import resources_dir
from attnviewer.runs.engine import Engine
from attnviewer.ui.desk import Desk
from attnviewer.ui.installed import look_around
from attnviewer.ui.settings import Settings
from attnviewer.ui.window import Window
from attnviewer.ui.worker import Worker

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # what Qt says of itself without a screen
TEXTS = (
    "a dog", "El perro duerme.", "", " ", "🙂🙂", "<b>x</b> & %s {0}", "你好世界", "the " * 60, "¿?", "no " * 300,
    "a\tb",
)  # fmt: skip
NAMES = (
    "Space", "Left", "Right", "Home", "End", "Escape", "Tab", "Return", "F1", "C", "G",
    "P", "W", "M", "B", "K", "V", "E", "Z", "Up", "Down", "Delete",
)  # fmt: skip
KEYS = [getattr(Qt.Key, f"Key_{name}") for name in NAMES]
SEED = 11
SIZES = ((900, 600), (960, 640), (1440, 900), (1100, 1000))


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """What people drop: photos, and what isn't one."""
    Image.fromarray(np.random.default_rng(0).integers(0, 255, (60, 90, 3), np.uint8)).save(tmp_path / "noise.png")
    Image.new("RGB", (1, 1)).save(tmp_path / "one.png")
    (tmp_path / "page.jpg").write_text("<html>no photo</html>")
    (tmp_path / "empty.png").write_bytes(b"")
    (tmp_path / "lines.txt").write_text("a dog\n\na cat on a mat\n")
    (tmp_path / "broken.json").write_text('{"schema": 1')
    (tmp_path / "broken.toml").write_bytes(b"\xff\xfe")
    (tmp_path / "broken.npz").write_bytes(b"PK")
    (tmp_path / "folder").mkdir()
    samples = resources_dir() / "images"
    return [*tmp_path.iterdir(), samples / "duck.jpg", samples / "beach.jpg", tmp_path / "gone.png"]


@pytest.fixture
def window(qtbot: QtBot, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    """A window whose file dialogs are left without a choice, and which can't reach into the system."""
    nothing = {"getOpenFileName": ("", ""), "getOpenFileNames": ([], ""), "getSaveFileName": ("", "")}
    for name, chosen in {**nothing, "getExistingDirectory": ""}.items():
        monkeypatch.setattr(QFileDialog, name, staticmethod(lambda *_, chosen=chosen, **__: chosen))
    worker = Worker(lambda: Engine(device="cpu"), model_thread)
    settings = Settings(tmp_path_factory.mktemp("settings") / "settings.ini")
    made = Window(Desk(worker, settings, look_around()))
    monkeypatch.setattr(made.rail, "add_entry", lambda: None)
    monkeypatch.setattr("attnviewer.ui.exporter.ask_where", lambda *_: lambda *_: None)
    closing = QTimer(made, interval=30)  # a menu has a loop of its own, in which nobody else would let go of it
    closing.timeout.connect(lambda: popup.close() if (popup := QApplication.activePopupWidget()) else None)
    closing.start()
    qtbot.addWidget(made)
    made.show()
    yield made
    worker.close()


class Monkey:
    """Does things to a window, the same ones for the same seed."""

    def __init__(self, window: Window, qtbot: QtBot, files: list[Path], seed: int) -> None:
        self.window, self.qtbot, self.files, self.random = window, qtbot, files, random.Random(seed)
        self.done: list[str] = []

    def act(self) -> None:
        """One action, and a moment for what comes of it."""
        action: Callable[[], str] = self.random.choice(
            [self.click, self.click, self.click, self.type, self.press, self.press, self.drop, self.slide, self.choose,
             self.panel, self.resize, self.point]
        )  # fmt: skip
        self.done.append(action())
        self.qtbot.wait(self.random.choice((0, 5, 20, 60)))

    def _one(self, *kinds: type[QWidget]) -> QWidget | None:
        found = [one for kind in kinds for one in self.window.findChildren(kind) if one.isVisible() and one.isEnabled()]
        return self.random.choice(found) if found else None

    def click(self) -> str:
        one = self._one(QAbstractButton)
        if one is None:
            return "nothing"
        self.qtbot.mouseClick(one, Qt.MouseButton.LeftButton)
        return f"click {one.accessibleName()}"

    def type(self) -> str:
        one = self._one(QLineEdit, QPlainTextEdit)
        text = self.random.choice(TEXTS)
        if isinstance(one, QLineEdit):
            one.setText(text)
            self.qtbot.keyClick(one, Qt.Key.Key_Return)
        elif isinstance(one, QPlainTextEdit) and not one.isReadOnly():
            one.setPlainText(text)
        return f"type {text[:20]!r}"

    def press(self) -> str:
        key = self.random.choice(KEYS)
        held = self.random.choice(
            (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
        )
        self.qtbot.keyClick(self.window.focusWidget() or self.window, key, held)
        return f"press {key.name}"

    def drop(self) -> str:
        chosen = self.random.sample(self.files, self.random.choice((1, 1, 1, 2, 3)))
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(path)) for path in chosen])
        self.window._take(mime)
        return f"drop {', '.join(path.name for path in chosen)}"

    def slide(self) -> str:
        one = self._one(QSlider)
        if isinstance(one, QSlider):
            one.setValue(self.random.randint(one.minimum(), one.maximum()))
        return "slide"

    def choose(self) -> str:
        one = self._one(QComboBox)
        if isinstance(one, QComboBox) and one.count():
            one.setCurrentIndex(self.random.randrange(one.count()))
            one.activated.emit(one.currentIndex())
        return "choose"

    def panel(self) -> str:
        key = self.random.choice(list(self.window.panels))
        self.window.show_panel(key)
        return f"panel {key}"

    def resize(self) -> str:
        self.window.resize(*self.random.choice(SIZES))
        return "resize"

    def point(self) -> str:
        one = self._one(QWidget)
        if one is not None and one.width() > 2 and one.height() > 2:
            at = QPoint(self.random.randrange(one.width()), self.random.randrange(one.height()))
            self.qtbot.mouseMove(one, at)
            self.qtbot.mouseClick(one, Qt.MouseButton.LeftButton, pos=at)
        return f"point at {type(one).__name__}"


def test_a_monkey_at_the_window_breaks_nothing(
    window: Window, qtbot: QtBot, files: list[Path], long: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    monkey = Monkey(window, qtbot, files, SEED)
    slowest = 0.0
    for _ in range(2000 if long else 200):
        before = time.process_time()
        monkey.act()
        slowest = max(slowest, time.process_time() - before)
        assert window.isVisible(), monkey.done[-5:]
    begun = time.monotonic()
    window.close()
    assert window.desk.worker.close(2.0), monkey.done[-5:]
    assert time.monotonic() - begun < 2.5
    assert capfd.readouterr().err == "", monkey.done[-5:]
