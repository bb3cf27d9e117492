"""What hurried and hostile users do to the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QSettings, Qt, QUrl
from pytestqt.qtbot import QtBot

from attnviewer.core.paths import Shelf
from attnviewer.ui import installed
from attnviewer.ui.exporter import named_place
from attnviewer.ui.panels.image.stages import best_across
from attnviewer.ui.settings import FIELDS, Settings
from attnviewer.ui.sources import text_file
from attnviewer.ui.widgets.bars import ROW, Bar, Bars
from attnviewer.ui.window import Window


@pytest.mark.parametrize("name", ["x" * 400, "a\0b", "nowhere.jpg"])
def test_a_name_that_cannot_be_looked_up_is_told_and_the_photo_stays(window: Window, name: str) -> None:
    before = window.desk.picture
    assert not window.opener.open_paths([Path(name)])
    assert window.status.message.text().startswith("⚠")
    assert window.desk.picture is before


@pytest.mark.parametrize("source", ["file:" + "x" * 5000, "file:a\0b", "pasted:", "sample:", "nonsense", "file:", ":"])
def test_a_remembered_source_of_any_kind_gives_a_photo(window: Window, source: str) -> None:
    window.desk.settings["source"] = source
    window.opener.restore()
    assert Path(str(window.desk.picture.path)).name == "corners.png"


def test_a_picture_is_pasted_where_settings_cannot_be_kept(
    make_window: Callable[..., Window], tmp_path: Path, photo: Path
) -> None:
    window = make_window()
    (tmp_path / "file").touch()
    window.desk.settings = Settings(tmp_path / "file" / "settings.ini")
    assert window.opener.open_bytes(photo.read_bytes())


@pytest.mark.parametrize("junk", ["", "junk", "nan", "1e999", "@Variant(junk)", [1, 2], b"\xff", {"a": 1}, -1])
def test_any_remembered_junk_leaves_a_value(tmp_path: Path, junk: object) -> None:
    path = tmp_path / "settings.ini"
    store = QSettings(str(path), QSettings.Format.IniFormat)
    for name in FIELDS:
        store.setValue(name, junk)
    store.sync()
    settings = Settings(path)
    for name, field in FIELDS.items():
        assert isinstance(settings[name], type(field.default))


def test_what_was_said_of_other_words_goes_at_once(window: Window, qtbot: QtBot) -> None:
    window.panel.hands.measure("a cat")
    window.status.stop_run()
    assert window.panel.side.chips.chips == []
    assert window.panel.player.count == 0


def test_panels_changed_while_presenting_come_back_whole(window: Window) -> None:
    window.toggle_presenter()
    window.show_panel("query")
    window.toggle_presenter()
    window.show_panel("image")
    assert window.panel.side.isVisible()
    assert window.panel.foot.isVisible()


def test_nothing_but_the_stage_comes_while_presenting(window: Window, photo: Path) -> None:
    window.toggle_presenter()
    window.panel.choose_mode("hard")
    window.opener.open_paths([photo, photo])
    assert not window.panel.modes.bar.isVisible()
    assert not window.set_strip.isVisible()


def test_all_parts_come_back_when_the_system_ends_the_full_screen(window: Window) -> None:
    window.toggle_presenter()
    window.showNormal()
    assert window.rail.isVisible()
    assert window.panel.side.isVisible()


def test_escape_leaves_a_field_of_several_lines(window: Window, qtbot: QtBot) -> None:
    window.show_panel("query")
    window.panel.choose_kind("words")
    window.panel.source.sentence.setFocus()
    qtbot.keyClick(window.panel.source.sentence, Qt.Key.Key_Escape)
    assert not window.panel.source.sentence.hasFocus()


def test_space_presses_a_word_that_came_after_the_start(window: Window, qtbot: QtBot) -> None:
    chip = window.panel.side.chips.chips[2]
    chip.setFocus()
    qtbot.keyClick(chip, Qt.Key.Key_Space)
    assert (window.panel.player.word, window.panel.player.playing) == (2, False)


def test_a_photo_without_a_suffix_is_no_text(window: Window, photo: Path, tmp_path: Path) -> None:
    bare = tmp_path / "photo"
    bare.write_bytes(photo.read_bytes())
    window.show_panel("query")
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(bare))])
    assert text_file(mime) is None


def test_the_legend_tells_the_maps_beside_a_column_without_one(window: Window, qtbot: QtBot) -> None:
    window.panel.choose_mode("compare")
    qtbot.waitUntil(lambda: not window.desk.worker.busy)
    window.panel.modes.choose_lead("none")
    assert window.panel.lookbar.legend.top > 0


def test_a_photo_is_never_written_over(window: Window, photo: Path, qtbot: QtBot) -> None:
    before = photo.read_bytes()
    window.exporter.ask = lambda *_: str(photo)
    window.export(".png")
    qtbot.waitUntil(lambda: not window.desk.worker.busy)
    assert photo.read_bytes() == before
    assert "choose another name" in window.status.message.text()


@pytest.mark.parametrize(("typed", "made"), [("a", "a.png"), ("a.v2", "a.v2.png"), ("a.SVG", "a.SVG")])
def test_a_name_of_no_known_form_gets_the_form_picked(typed: str, made: str) -> None:
    assert named_place(typed, ".png") == Path(made)


def test_the_chosen_word_is_shown_however_low_the_bars_are(qtbot: QtBot) -> None:
    bars = Bars("words", "none")
    qtbot.addWidget(bars)
    bars.resize(200, 4 * ROW)
    bars.show_bars([*(Bar(str(place), 0.1) for place in range(7)), Bar("own", 0.01, True)])
    assert [bar.label for bar in bars.shown()] == ["0", "1", "2", "own"]
    assert bars.tip_at(3.5 * ROW).startswith("own")


@pytest.mark.parametrize(
    ("count", "width", "height", "shape", "across"),
    [(4, 3400, 1900, 1.5, 2), (4, 3400, 900, 0.5, 4), (1, 900, 600, 1.5, 1), (2, 900, 1900, 3.0, 1), (0, 9, 9, 1, 1)],
)
def test_photos_side_by_side_are_as_large_as_can_be(
    count: int, width: int, height: int, shape: float, across: int
) -> None:
    assert best_across(count, width, height, shape) == across


def test_broken_models_and_samples_cost_no_window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "card.toml").write_text("[[[")
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "samples.toml").write_text("sample = 3")
    monkeypatch.setattr(installed, "shelf", lambda: Shelf((tmp_path,)))
    monkeypatch.setattr(installed, "resources_dir", lambda: tmp_path)
    found = installed.look_around()
    assert (found.modes, found.samples) == ((), ())
