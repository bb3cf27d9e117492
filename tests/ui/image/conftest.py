"""An image panel whose caption is whole, resting on its third word, over an engine that obeys what is imposed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from helpers.fake_engine import FakeEngine
from pytestqt.qtbot import QtBot

from attnviewer.ui.panels.image.panel import ImagePanel
from attnviewer.ui.window import Window


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def panel(make_window: Callable[..., Window], engine: FakeEngine, photo: object, qtbot: QtBot) -> ImagePanel:
    window = make_window(engine)
    window.opener.open_paths([photo])
    qtbot.waitUntil(lambda: "soft" in window.panel.state.done and not window.desk.worker.busy)
    window.panel.player.go(2)
    return window.panel
