"""About the program, and the device that is chosen in the settings."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from attnviewer import app
from attnviewer.core.card import find_cards
from attnviewer.core.errors import UserError
from attnviewer.core.events import Finished
from attnviewer.core.paths import models_dir
from attnviewer.runs import engine
from attnviewer.ui.about import facts
from attnviewer.ui.start.clock import Milestones
from attnviewer.ui.window import Window


def test_the_sheet_names_version_device_models_and_licences(window: Window) -> None:
    window.rail.show_about()
    assert window.rail._about is not None
    assert window.rail._about.isVisible()
    told = {name: text for name, text, _ in facts("cpu")}
    assert told["Computes on"] == "cpu"
    assert all(told[card.id] == card.licence for card in find_cards(models_dir()))


def test_a_device_is_chosen_for_the_next_start(window: Window) -> None:
    window.rail._choose_device("cpu")
    assert window.desk.settings["device"] == "cpu"
    assert "next start" in window.status.message.text()


def test_a_device_that_does_not_work_gives_way_and_is_told(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    class Picky:
        def __init__(self, device: str = "auto") -> None:
            made.append(device)
            if device == "mps":
                raise UserError("the device mps doesn't work here.")
            self.device = "cpu"

    monkeypatch.setattr(engine, "Engine", Picky)
    assert app.TimedEngine(Milestones(False), "mps").device == "cpu"
    assert made == ["mps", "auto"]
    finished = Finished(1, "caption-soft", window.panel.state.trace, 0.1)
    monkeypatch.setattr(window.desk.worker, "_engine", Picky())
    app._tell_device(finished, window, "mps")
    assert window.status.message.text() == "The device mps doesn't work here; models compute on cpu."
