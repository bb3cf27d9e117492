"""A row more is seen wherever the window shows the others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from attnviewer.core.modes import Mode
from attnviewer.ui.panels import PANELS, keys_of
from attnviewer.ui.window import Window


def test_a_new_row_is_a_button_a_key_and_a_column_of_the_window(
    dream: Mode, make_window: Callable[..., Window], photo: Path, qtbot: QtBot
) -> None:
    window = make_window(models={"soft": ("caption-soft",), "dream": ("caption-dream",)})
    window.opener.open_paths([photo])
    panel = window.panels["image"]
    assert panel._tools.modes.buttons["dream"].text() == "Dream"
    window.commands()["compare"]()
    qtbot.waitUntil(lambda: {"soft", "dream"} <= panel.state.done and not window.desk.worker.busy)
    assert panel.state.shown == ("soft", "uniform", "dream")
    assert panel.stages.columns["dream"].title.text() == "Dream"
    assert panel.modes.bar.columns["dream"].text() == "Dream"
    qtbot.waitUntil(lambda: len(panel.foot.key.rows()) == 2)
    assert [row.split("  ")[0] for row in panel.foot.key.rows()] == ["soft attention", "dreaming attention"]
    window.sheet.toggle()
    assert "Dreaming attention" in [child.text() for child in window.sheet.findChildren(QLabel)]


def test_a_new_row_has_its_own_key(dream: Mode) -> None:
    assert [key.keys for key in keys_of(PANELS) if key.action == "dream"] == [("Z",)]
