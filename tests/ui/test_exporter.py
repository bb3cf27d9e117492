from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.fake_engine import WORDS
from pytestqt.qtbot import QtBot

from attnviewer.cli import main
from attnviewer.core.trace import Trace
from attnviewer.export import FORMS, offered
from attnviewer.export.files import Form
from attnviewer.ui.settings import Settings
from attnviewer.ui.window import Window

READY = [suffix for suffix in offered("caption") if not FORMS[suffix].needs]


@pytest.mark.parametrize("suffix", READY)
def test_every_form_in_the_menu_is_written(window: Window, tmp_path: Path, qtbot: QtBot, suffix: str) -> None:
    target = tmp_path / f"out{suffix}"
    window.exporter.ask = lambda *_: str(target)
    window.export(suffix)
    qtbot.waitUntil(lambda: "Saved" in window.status.message.text(), timeout=30_000)
    assert target.stat().st_size > 100


def test_a_trace_that_was_exported_can_be_read_again(window: Window, tmp_path: Path, qtbot: QtBot) -> None:
    window.exporter.ask = lambda *_: str(tmp_path / "out")
    window.export(".json")
    qtbot.waitUntil(lambda: "Saved out.json" in window.status.message.text())
    assert Trace.load(tmp_path / "out.json").words == WORDS


def test_a_film_without_its_package_says_what_to_install(
    window: Window, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    window.exporter.ask = lambda *_: str(tmp_path / "out.mp4")
    window.export(".mp4")
    qtbot.waitUntil(lambda: "pip install imageio-ffmpeg" in window.status.message.text())


def texts(window: Window) -> list[str]:
    return [action.text() for action in window.toolbar.export.menu().actions() if action.isVisible()]


def test_the_menu_offers_what_suits_the_panel(window: Window) -> None:
    assert "Film as MP4…" in texts(window)
    assert "Links as text…" not in texts(window)
    window.show_panel("translate")
    assert "Film as MP4…" not in texts(window)
    assert "Links as text…" in texts(window)


def test_a_new_form_is_one_row(
    make_window: Callable[..., Window], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(FORMS, ".poem", Form("data:save_csv", "Poem…", "lines that rhyme"))
    assert "Poem…" in texts(make_window())
    assert main(["caption", "--help"]) == 0
    assert ".poem  lines that rhyme" in capsys.readouterr().out


def test_a_place_that_cannot_be_written_is_told(window: Window, tmp_path: Path, qtbot: QtBot) -> None:
    window.exporter.ask = lambda *_: str(tmp_path / "nowhere" / "out.json")
    window.export(".json")
    qtbot.waitUntil(lambda: "could not be saved" in window.status.message.text())


def test_a_file_that_was_opened_is_not_written_over_by_whatever_name(
    window: Window, photo: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    (tmp_path / "hard.png").hardlink_to(photo)
    before = photo.read_bytes()
    window.exporter.ask = lambda *_: str(tmp_path / "hard.png")
    window.export(".png")
    qtbot.waitUntil(lambda: "one of the files that are read" in window.status.message.text(), timeout=20_000)
    assert photo.read_bytes() == (tmp_path / "hard.png").read_bytes() == before


def test_a_text_file_that_was_opened_is_not_written_over(window: Window, tmp_path: Path, qtbot: QtBot) -> None:
    notes = tmp_path / "notes.csv"
    notes.write_text("a dog\n")
    window.desk.opened.add(notes)
    window.exporter.ask = lambda *_: str(notes)
    window.export(".csv")
    qtbot.waitUntil(lambda: "one of the files that are read" in window.status.message.text(), timeout=20_000)
    assert notes.read_text() == "a dog\n"


def test_the_form_and_the_folder_are_remembered(
    window: Window, tmp_path: Path, settings: Settings, qtbot: QtBot
) -> None:
    asked: list[str] = []
    window.exporter.ask = lambda start, _: asked.append(start) or str(tmp_path / "out.csv")
    window.export(".csv")
    window.export()
    qtbot.waitUntil(lambda: not window.desk.worker.busy)
    assert asked[1] == str(tmp_path / "corners-attention.csv")


def test_a_dialog_that_was_left_writes_nothing(window: Window) -> None:
    window.exporter.ask = lambda *_: ""
    window.export(".json")
    assert not window.desk.worker.busy


def test_without_words_there_is_nothing_to_export(window: Window) -> None:
    window.panel.state.traces.clear()
    window.export(".json")
    assert "nothing to export" in window.status.message.text()
