"""What people are used to: copying, right-click, files of before, show in folder, keys that close."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from helpers.pictures import corners
from PIL import Image
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QRectF, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from attnviewer.ui.menus import recent, remembered
from attnviewer.ui.window import Window


def test_copying_puts_the_figure_and_its_words_on_the_clipboard(window: Window, qtbot: QtBot) -> None:
    window.commands()["copy"]()
    qtbot.waitUntil(lambda: "Copied the figure" in window.status.message.text(), timeout=60_000)
    board = QApplication.clipboard()
    assert board.text() == window.panel.state.trace.text
    assert board.image().width() > 200


def test_there_is_nothing_to_copy_before_the_first_word(make_window: Any) -> None:
    window = make_window()
    window.copy()
    assert "nothing to copy yet" in window.status.message.text()


def test_the_right_button_offers_copying_export_and_the_files_of_before(window: Window, photo: Path) -> None:
    menu = window.context_menu()
    texts = [action.text().split("\t")[0] for action in menu.actions() if not action.isSeparator()]
    assert texts[:3] == ["Copy figure and text", "Copy text", "Export…"]
    assert texts[3].startswith(photo.name)


def test_files_of_before_come_newest_first_and_those_that_are_gone_are_left_out(tmp_path: Path) -> None:
    known: tuple[str, ...] = ()
    for name in ("a.png", "b.png", "a.png"):
        (tmp_path / name).touch()
        known = remembered(known, tmp_path / name)
    assert [path.name for path in recent(known)] == ["a.png", "b.png"]
    (tmp_path / "a.png").unlink()
    assert [path.name for path in recent(known)] == ["b.png"]


def test_what_was_saved_can_be_shown_in_its_folder(
    window: Window, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    assert not window.status.folder.isVisible()
    window.exporter.ask = lambda *_: str(tmp_path / "out.json")
    window.export(".json")
    qtbot.waitUntil(lambda: "Saved" in window.status.message.text(), timeout=30_000)
    window.status.folder.click()
    assert [Path(url.toLocalFile()) for url in opened] == [tmp_path]
    window.opener.open_sample(window.desk.installed.samples[0])
    assert not window.status.folder.isVisible()


def test_after_an_own_caption_the_keys_of_the_window_work(window: Window, qtbot: QtBot) -> None:
    window.panel.side.own.field.setFocus()
    window.panel.side.own.field.setText("a cat")
    window.panel.side.own.field.returnPressed.emit()
    assert window.focusWidget() is window
    qtbot.waitUntil(lambda: window.panel.state.words == ("a", "cat"))
    window.commands()["undo"]()
    assert window.panel.state.words is None


def test_control_q_closes(window: Window) -> None:
    window.commands()["close"]()
    assert not window.isVisible()


@pytest.mark.parametrize("panel", ["image", "query"])
def test_a_text_file_goes_to_the_panel_that_reads_it(window: Window, tmp_path: Path, panel: str) -> None:
    (tmp_path / "notes.txt").write_text("a dog\na cat\n")
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(tmp_path / "notes.txt"))])
    window.show_panel(panel)
    window._take(mime)
    assert window.desk.board.key == "query"
    assert window.panel.state.lines == ("a dog", "a cat")


@pytest.mark.parametrize("form", ['"{}"', "'{}'", "x-special/nautilus-clipboard\ncopy\nfile://{}", "{}"])
def test_a_path_is_taken_as_file_managers_copy_it(window: Window, tmp_path: Path, form: str) -> None:
    Image.fromarray(corners(30, 20)).save(tmp_path / "my duck.png")
    mime = QMimeData()
    mime.setText(form.format(str(tmp_path / "my duck.png").replace(" ", "%20" if "file:" in form else " ")))
    window._take(mime)
    assert window.desk.source == "my duck.png"


def test_the_settings_put_the_program_into_the_start_menu(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert "Add to the start menu" in [action.text() for action in window.rail.gear.menu().actions()]
    window.rail.add_entry()
    assert "start menu" in window.status.message.text()
    assert (tmp_path / "applications" / "attnviewer.desktop").exists()


def pull(view: QWidget, qtbot: QtBot) -> None:
    """Pull a view with the left button for a while."""
    start = view.rect().center()
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    for far in (5, 40):
        point = start + QPoint(far, far)
        where = QPointF(point), QPointF(view.mapToGlobal(point))
        left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        QApplication.sendEvent(view, QMouseEvent(QEvent.Type.MouseMove, *where, left, left, none))
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton)


def test_the_photo_pulled_with_the_mouse_takes_the_figure_along(window: Window, qtbot: QtBot) -> None:
    taken: list[bool] = []
    window.panel.dragged.disconnect()
    window.panel.dragged.connect(lambda: taken.append(True))
    stage = window.panel.stages.columns["soft"].stage
    assert stage.whole
    pull(stage.viewport(), qtbot)
    assert taken == [True]
    stage.box.setRange(QRectF(10, 10, 20, 20))
    assert not stage.whole
    pull(stage.viewport(), qtbot)
    assert taken == [True]  # a zoomed photo is moved instead


def test_the_matrix_pulled_with_the_mouse_takes_the_figure_along(window: Window, qtbot: QtBot) -> None:
    window.show_panel("translate")
    taken: list[bool] = []
    window.panel.dragged.disconnect()
    window.panel.dragged.connect(lambda: taken.append(True))
    pull(window.panel.stage.matrix.viewport(), qtbot)
    assert taken == [True]


def test_what_is_dragged_out_is_an_image_a_file_and_its_words(window: Window) -> None:
    data = window.drags.data(window.panel)
    assert data is not None
    assert data.imageData().width() > 200
    path = Path(data.urls()[0].toLocalFile())
    assert path.name == "corners-attention.png"
    with Image.open(path) as shown:
        assert shown.format == "PNG"
    assert data.text() == window.panel.state.trace.text


def test_there_is_nothing_to_drag_before_the_first_word(make_window: Any) -> None:
    window = make_window()
    window.drags.start(window.panel)
    assert "nothing to take along" in window.status.message.text()


def test_the_open_button_has_the_files_of_before_beside_it(window: Window, photo: Path, tmp_path: Path) -> None:
    menu = window.toolbar.before.menu()
    other = tmp_path / "other.png"
    Image.fromarray(corners(40, 30)).save(other)
    window.opener.open_paths([other])
    menu.aboutToShow.emit()
    assert [action.text().split()[0] for action in menu.actions()] == ["other.png", photo.name]
    menu.actions()[1].trigger()
    assert window.desk.source == photo.name


def test_before_any_file_was_open_the_menu_says_so(make_window: Any) -> None:
    menu = make_window().toolbar.before.menu()
    menu.aboutToShow.emit()
    assert [(action.text(), action.isEnabled()) for action in menu.actions()] == [("No file was open yet", False)]
