"""Status belongs to the panel it speaks of, and ends with the next success."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.pictures import corners
from PIL import Image
from pytestqt.qtbot import QtBot

from attnviewer.core.errors import UserError
from attnviewer.ui.board import Board, Notice
from attnviewer.ui.window import Window


@pytest.fixture
def board() -> Board:
    made = Board()
    made.show("image")
    return made


def test_each_panel_has_a_notice_of_its_own(board: Board) -> None:
    board.say("image here")
    board.say("no such word", fault=True, key="translate")
    assert board.notice == Notice(message="image here")
    board.show("translate")
    assert board.notice == Notice(message="no such word", fault=True)


def test_a_success_ends_a_fault_and_leaves_what_was_saved(board: Board) -> None:
    board.say("damaged", fault=True)
    board.succeed("cpu")
    assert board.notice == Notice(ran="cpu")
    board.say("Saved x.png.")
    board.succeed("cpu again")
    assert board.notice == Notice("cpu again", "Saved x.png.")


def test_a_good_photo_takes_every_fault_away(window: Window, tmp_path: Path) -> None:
    (tmp_path / "bad.jpg").write_text("<html>")
    Image.fromarray(corners(80, 60)).save(tmp_path / "good.png")
    window.opener.open_paths([tmp_path / "bad.jpg"])
    assert window.status.message.text().startswith("⚠")
    window.opener.open_paths([tmp_path / "good.png"])
    assert window.status.message.text() == "good.png"
    assert window.windowTitle() == "good.png - attnviewer"


def test_a_credit_stands_under_its_own_photo_alone(window: Window, tmp_path: Path) -> None:
    Image.fromarray(corners(80, 60)).save(tmp_path / "mine.png")
    window.opener.open_sample(window.desk.installed.samples[0])
    assert window.desk.installed.samples[0].credit in window.status.message.text()
    window.show_panel("translate")
    assert window.desk.installed.samples[0].credit not in window.status.message.text()
    assert window.windowTitle() == "attnviewer"
    window.show_panel("image")
    window.opener.open_paths([tmp_path / "mine.png"])
    assert window.status.message.text() == "mine.png"


def test_model_and_device_of_another_panel_are_not_shown(window: Window, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.status.ran.text() != "", timeout=10_000)
    told = window.status.ran.text()
    window.show_panel("translate")
    assert told not in window.status.ran.text()
    window.show_panel("image")
    assert window.status.ran.text() == told


def test_a_fault_of_a_run_in_the_background_waits_under_its_own_panel(window: Window) -> None:
    window.show_panel("translate")
    window.panels["image"].say(str(UserError("the memory is full.")), fault=True)
    assert "memory" not in window.status.message.text()
    window.show_panel("image")
    assert "memory is full" in window.status.message.text()
