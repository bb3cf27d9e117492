"""A window over a fake engine, with settings in a temporary file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from helpers.fake_engine import FakeEngine
from helpers.pictures import corners
from PIL import Image
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from attnviewer.ui.desk import Desk
from attnviewer.ui.installed import Installed, Sample
from attnviewer.ui.settings import Settings
from attnviewer.ui.window import Window
from attnviewer.ui.worker import Worker

ALL = {"soft": ("caption-soft",), "hard": ("caption-hard",), "none": ("caption-none",)}

SAYS_NO_WINDOW_MANAGER = "This plugin does not support propagateSizeHints"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let pass what Qt's platform without a screen says of itself whenever a window has a least size."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.qt_log_ignore(SAYS_NO_WINDOW_MANAGER))


@pytest.fixture(autouse=True)
def nothing_on_the_clipboard(qapp: QApplication) -> Iterator[None]:
    """Leave the clipboard empty: data owned by Python that is still on it when the interpreter ends crashes Qt."""
    yield
    qapp.clipboard().clear()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "settings.ini")


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "corners.png"
    Image.fromarray(corners(120, 80)).save(path)
    return path


@pytest.fixture
def make_window(qtbot: QtBot, settings: Settings, photo: Path) -> Iterator[Callable[..., Window]]:
    workers: list[Worker] = []

    def make(engine: FakeEngine | None = None, models: dict[str, tuple[str, ...]] | None = None) -> Window:
        worker = Worker(lambda: engine or FakeEngine())
        workers.append(worker)
        window = Window(Desk(worker, settings, Installed(models or ALL, (Sample(photo, "Corners", "us, CC0"),))))
        qtbot.addWidget(window)
        window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        return window

    yield make
    assert all(worker.close() for worker in workers)


@pytest.fixture
def window(make_window: Callable[..., Window], photo: Path, qtbot: QtBot) -> Window:
    """A window whose caption is whole, resting on the first word."""
    made = make_window()
    made.opener.open_paths([photo])
    qtbot.waitUntil(lambda: "soft" in made.panel.state.done and not made.desk.worker.busy)
    made.panel.player.go(0)
    return made
