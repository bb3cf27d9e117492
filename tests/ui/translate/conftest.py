"""A window on its translate panel, over a small dictionary."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from helpers.translate_engine import TranslateEngine
from helpers.translating import SENTENCE, say
from pytestqt.qtbot import QtBot

from attnviewer.ui.panels.translate.panel import TranslatePanel
from attnviewer.ui.window import Window


@pytest.fixture
def engine() -> TranslateEngine:
    return TranslateEngine()


@pytest.fixture
def window(make_window: Callable[..., Window], engine: TranslateEngine, qtbot: QtBot) -> Window:
    made = make_window(engine)
    made.show_panel("translate")
    return made


@pytest.fixture
def panel(window: Window) -> TranslatePanel:
    found = window.panels["translate"]
    assert isinstance(found, TranslatePanel)
    return found


@pytest.fixture
def done(panel: TranslatePanel, qtbot: QtBot) -> TranslatePanel:
    """A panel whose translation is whole, resting on the first word."""
    say(panel, SENTENCE, qtbot)
    panel.player.go(0)
    return panel
