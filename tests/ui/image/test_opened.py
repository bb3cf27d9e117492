"""A captioner of one's own writes the caption of the photo in hand."""

from __future__ import annotations

from helpers.fake_engine import FakeEngine
from pytestqt.qtbot import QtBot

from attnviewer.ui.panels.image.panel import ImagePanel


def test_an_opened_captioner_is_asked_and_offered(panel: ImagePanel, engine: FakeEngine, qtbot: QtBot) -> None:
    panel.desk.model_opened.emit("a/folder")
    qtbot.waitUntil(lambda: not panel.desk.worker.busy)
    assert panel.state.opened == ("a/folder",)
    assert panel.state.model[panel.state.main] == "a/folder"
