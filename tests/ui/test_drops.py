from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.pictures import corners, encoded
from PIL import Image
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QImage
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from attnviewer.ui import sources
from attnviewer.ui.window import Window

COPY, LEFT, NO_KEYS = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
PNG = encoded(Image.fromarray(corners(32, 16)))
DATA_URL = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"


@pytest.fixture
def empty(make_window: Callable[..., Window]) -> Window:
    return make_window()


def mime(**forms: bytes) -> QMimeData:
    made = QMimeData()
    for form, data in forms.items():
        made.setData(form.replace("_", "/", 1).replace("_", "-"), data)
    return made


def drop(target: QWidget, data: QMimeData) -> bool:
    """Drag over a widget and drop there, as the window system does; true where the drag was accepted."""
    enter = QDragEnterEvent(QPoint(5, 5), COPY, data, LEFT, NO_KEYS)
    QApplication.sendEvent(target, enter)
    if not enter.isAccepted():
        return False
    window = target.window()
    move = QDragMoveEvent(QPoint(5, 5), COPY, data, LEFT, NO_KEYS)
    QApplication.sendEvent(window, move)
    QApplication.sendEvent(window, QDropEvent(QPointF(5, 5), COPY, data, LEFT, NO_KEYS))
    return move.isAccepted()


def urls(*paths: Path) -> QMimeData:
    made = QMimeData()
    made.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return made


def test_a_file_may_be_dropped_on_any_part_of_the_window(empty: Window, photo: Path) -> None:
    panel = empty.panel
    stage = panel.stages.columns["soft"].stage
    parts = [empty, stage, stage.viewport(), panel.side.own.field, panel.strip.strip, panel.side.bars, empty.rail.gear]
    for part in parts:
        empty.desk.picture = None
        assert drop(part, urls(photo)), type(part).__name__
        assert empty.desk.picture is not None
    assert panel.side.own.field.text() == ""


@pytest.mark.parametrize(
    "data",
    [
        mime(image_png=PNG),
        mime(text_uri_list=DATA_URL.encode()),
        mime(text_html=f'<meta charset="utf-8"><img alt="x" src="{DATA_URL}">'.encode()),
        mime(text_plain=DATA_URL.encode()),
        mime(text_uri_list=b"https://example.org/a.png", image_png=PNG),
    ],
    ids=["image data", "data address", "html", "plain text", "link with image data"],
)
def test_image_data_is_opened(empty: Window, data: QMimeData) -> None:
    assert drop(empty, data)
    assert (empty.desk.picture.width, empty.desk.picture.height) == (32, 16)


def test_an_image_in_the_hands_of_qt_is_opened(empty: Window) -> None:
    data, image = QMimeData(), QImage(20, 10, QImage.Format.Format_RGB888)
    image.fill(Qt.GlobalColor.red)
    data.setImageData(image)
    assert drop(empty, data)
    assert empty.desk.picture.pixels[0, 0].tolist() == [255, 0, 0]


@pytest.mark.parametrize(
    "data",
    [
        mime(text_uri_list=b"https://example.org/a.png\r\n"),
        mime(text_html=b'<img src="http://example.org/a.png">'),
        mime(text_plain=b"http://example.org/a.png"),
    ],
    ids=["uri list", "html", "plain text"],
)
def test_a_link_is_refused_in_words(empty: Window, data: QMimeData) -> None:
    assert drop(empty, data)
    assert empty.desk.picture is None
    assert "nothing is fetched" in empty.status.message.text()


def test_comments_in_a_list_of_addresses_are_skipped(empty: Window, photo: Path) -> None:
    assert drop(empty, mime(text_uri_list=b"# from a file manager\r\n" + photo.as_uri().encode() + b"\r\n"))
    assert empty.desk.picture.path == str(photo)


def test_several_files_become_a_set(empty: Window, tmp_path: Path, photo: Path, qtbot: QtBot) -> None:
    files = [photo]
    for number in (2, 10):
        files.append(tmp_path / f"photo{number}.png")
        Image.fromarray(corners(20 + number, 20)).save(files[-1])
    drop(empty, urls(*files))
    assert empty.set_strip.isVisible()
    assert empty.set_strip.count.text() == "1 of 3"
    qtbot.keyClick(empty, Qt.Key.Key_PageDown)
    assert empty.desk.picture.width == 22
    qtbot.keyClick(empty, Qt.Key.Key_PageUp)
    qtbot.keyClick(empty, Qt.Key.Key_PageUp)
    assert empty.desk.picture.width == 30
    qtbot.waitUntil(lambda: not empty.set_strip.list.item(2).icon().isNull())


def test_a_folder_is_opened_as_a_set(empty: Window, tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    for number in (1, 2, 10):
        Image.fromarray(corners(20 + number, 20)).save(folder / f"p{number}.png")
    drop(empty, urls(folder))
    assert [file.name for file in empty.opener.files] == ["p1.png", "p2.png", "p10.png"]


def test_a_damaged_file_of_a_set_is_passed_over(empty: Window, tmp_path: Path, photo: Path) -> None:
    bad = tmp_path / "bad.jpg"
    bad.write_bytes(b"no image")
    drop(empty, urls(bad, photo))
    assert empty.desk.picture.path == str(photo)
    empty.opener.step(1)
    assert empty.desk.picture.path == str(photo)
    assert "bad.jpg" in empty.status.message.text()


def test_words_may_be_dropped_into_the_text_field(empty: Window) -> None:
    field, words = empty.panel.side.own.field, mime(text_plain=b"a dog runs")
    enter = QDragEnterEvent(QPoint(5, 5), COPY, words, LEFT, NO_KEYS)
    QApplication.sendEvent(field, enter)
    assert enter.isAccepted()


def test_a_drag_is_seen_and_its_leaving_too(empty: Window, photo: Path) -> None:
    files = urls(photo)
    QApplication.sendEvent(empty, QDragEnterEvent(QPoint(5, 5), COPY, files, LEFT, NO_KEYS))
    assert empty.veil.isVisible()
    drop(empty, files)
    assert not empty.veil.isVisible()


def test_a_clipboard_with_nothing_at_all_is_told_in_a_line(window: Window) -> None:
    window._take(None)
    assert "There is no image in that" in window.status.message.text()


def test_a_pasted_image_is_encoded_once(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[bytes] = []
    encode = sources.as_png
    monkeypatch.setattr(sources, "as_png", lambda picture: made.append(encode(picture)) or made[-1])
    mime = QMimeData()
    mime.setImageData(QImage(40, 20, QImage.Format.Format_RGB888))
    window._take(mime)
    assert len(made) == 1
    assert window.desk.picture.width == 40
    assert (window.desk.settings.folder / "last-picture.png").read_bytes() == made[0]
