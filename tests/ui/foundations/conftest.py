"""A window whose panel Foundations is in sight, over an engine without a network."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.explore_engine import ExploreEngine
from pytestqt.qtbot import QtBot

from attnviewer.ui.panels.foundations.base import Experiment
from attnviewer.ui.panels.foundations.panel import FoundationsPanel
from attnviewer.ui.window import Window


@pytest.fixture
def engine() -> ExploreEngine:
    return ExploreEngine()


@pytest.fixture
def panel(make_window: Callable[..., Window], engine: ExploreEngine, photo: Path, qtbot: QtBot) -> FoundationsPanel:
    window = make_window(engine)
    window.opener.open_paths([photo])
    window.show_panel("foundations")
    qtbot.waitUntil(lambda: not window.desk.worker.busy)
    made = window.panel
    assert isinstance(made, FoundationsPanel)
    return made


@pytest.fixture
def open_(panel: FoundationsPanel, qtbot: QtBot) -> Callable[[str], Experiment]:
    """Show an experiment and wait until everything that it began has ended."""

    def show(key: str) -> Experiment:
        panel.choose(key)
        qtbot.waitUntil(lambda: not panel.desk.worker.busy)
        return panel.experiment

    return show
