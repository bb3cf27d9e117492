"""A window on its Transformer panel, over random numbers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from helpers.inside_engine import InsideEngine
from pytestqt.qtbot import QtBot

from attnviewer.ui.panels.transformer.panel import TransformerPanel
from attnviewer.ui.window import Window


@pytest.fixture
def engine() -> InsideEngine:
    return InsideEngine()


@pytest.fixture
def panel(make_window: Callable[..., Window], engine: InsideEngine, qtbot: QtBot) -> TransformerPanel:
    window = make_window(engine)
    window.show_panel("transformer")
    found = window.panels["transformer"]
    assert isinstance(found, TransformerPanel)
    qtbot.waitUntil(lambda: found.state.plain is not None)
    return found
