"""What the window remembers: the source, a pasted picture, and the settings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication, QImage
from pytestqt.qtbot import QtBot

from attnviewer.ui.settings import Settings
from attnviewer.ui.window import Window

Make = Callable[..., Window]


def done(window: Window, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: "soft" in window.panel.state.done)


def test_source_and_settings_come_back(make_window: Make, photo: Path, qtbot: QtBot) -> None:
    first = make_window()
    first.opener.open_paths([photo])
    done(first, qtbot)
    first.panel.choose_mode("hard")
    first.desk.set_look(opacity=0.3)
    first.close()
    again = make_window()
    again.opener.restore()
    assert again.desk.picture.path == str(photo)
    assert (again.panel.state.mode, again.desk.look.opacity) == ("hard", 0.3)


def test_a_pasted_picture_comes_back(make_window: Make, qtbot: QtBot) -> None:
    window = make_window()
    image = QImage(40, 20, QImage.Format.Format_RGB888)
    image.fill(Qt.GlobalColor.green)
    QGuiApplication.clipboard().setImage(image)
    qtbot.keyClick(window, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    done(window, qtbot)
    again = make_window()
    again.opener.restore()
    assert again.desk.picture.pixels[5, 5].tolist() == [0, 255, 0]


def test_a_photo_is_pasted_even_from_the_text_field(make_window: Make, photo: Path, qtbot: QtBot) -> None:
    window = make_window()
    mime = QMimeData()
    mime.setData("text/uri-list", photo.as_uri().encode())
    QGuiApplication.clipboard().setMimeData(mime)
    window.panel.side.own.field.setFocus()
    qtbot.keyClick(window.panel.side.own.field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert window.desk.picture is not None
    assert window.panel.side.own.field.text() == ""


def test_a_source_that_is_gone_gives_the_sample(make_window: Make, settings: Settings, photo: Path) -> None:
    settings["source"] = "file:/nowhere/gone.jpg"
    window = make_window()
    window.opener.restore()
    assert window.desk.picture.path == str(photo)
