"""Large photos are read beside the window, which stays alive, says so, and shows the newest alone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from pytestqt.qtbot import QtBot

from attnviewer.core.images import Picture, load_picture
from attnviewer.ui import reader
from attnviewer.ui.reader import is_large
from attnviewer.ui.window import Window

Make = Callable[..., Window]


@pytest.fixture(autouse=True)
def all_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "LARGE", 1)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Reading waits until this is set."""
    go_on = threading.Event()

    def load(source: Path | bytes) -> Picture:
        go_on.wait(10)
        return load_picture(source)

    monkeypatch.setattr(reader, "load_picture", load)
    return go_on


def write(path: Path, grey: int = 0) -> Path:
    Image.fromarray(np.full((20, 30, 3), grey, np.uint8)).save(path)
    return path


def shows(window: Window, path: Path) -> bool:
    return window.desk.picture is not None and window.desk.picture.path == str(path)


def test_a_large_photo_is_read_beside_the_window_which_says_so(
    make_window: Make, qtbot: QtBot, photo: Path, held: threading.Event
) -> None:
    window = make_window()
    assert window.opener.open_paths([photo])
    assert window.desk.picture is None
    assert (window.status.doing.text(), window.status.stop.isVisible()) == ("Opening corners.png", True)
    held.set()
    qtbot.waitUntil(lambda: shows(window, photo))
    assert not window.opener.reader.busy


def test_of_several_large_photos_the_last_is_shown(
    make_window: Make, qtbot: QtBot, tmp_path: Path, held: threading.Event
) -> None:
    window, seen = make_window(), []
    window.desk.picture_changed.connect(lambda picture: seen.append(picture.path))
    paths = [write(tmp_path / f"{number}.png", number) for number in range(4)]
    for path in paths:
        window.opener.open_paths([path])
    held.set()
    qtbot.waitUntil(lambda: shows(window, paths[-1]))
    assert seen == [str(paths[-1])]


def test_stop_ends_the_reading_and_the_last_photo_stays(
    make_window: Make, qtbot: QtBot, photo: Path, held: threading.Event
) -> None:
    window = make_window()
    window.opener.open_paths([photo])
    window.status.stop_run()
    held.set()
    qtbot.wait(50)
    assert window.desk.picture is None
    assert not window.status.stop.isVisible()


def test_a_large_photo_that_is_cut_short_is_told(window: Window, qtbot: QtBot, photo: Path, tmp_path: Path) -> None:
    before, cut = window.desk.picture, tmp_path / "cut.png"
    cut.write_bytes(photo.read_bytes()[:-60])
    assert is_large(cut)
    window.opener.open_paths([cut])
    qtbot.waitUntil(lambda: "cut short" in window.status.message.text())
    assert window.desk.picture is before


def test_in_a_set_a_large_photo_that_is_cut_short_is_passed_over(
    make_window: Make, qtbot: QtBot, photo: Path, tmp_path: Path
) -> None:
    cut, sound = tmp_path / "a.png", write(tmp_path / "b.png")
    cut.write_bytes(photo.read_bytes()[:-60])
    window = make_window()
    window.opener.open_paths([cut, sound])
    qtbot.waitUntil(lambda: shows(window, sound))
    assert (window.opener.files, window.opener.index) == ((cut, sound), 1)
    qtbot.waitUntil(lambda: [window.set_strip.list.item(at).text() for at in range(2)] == ["no image", ""])
    window.opener.step(1)
    qtbot.waitUntil(lambda: "cut short" in window.status.message.text())
    assert (window.opener.index, shows(window, sound)) == (1, True)


def test_steps_count_from_the_photo_that_is_on_its_way(make_window: Make, qtbot: QtBot, tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{number}.png", number) for number in range(4)]
    window = make_window()
    window.opener.open_paths(paths)
    qtbot.waitUntil(lambda: shows(window, paths[0]))
    for _ in range(3):
        window.opener.step(1)
    qtbot.waitUntil(lambda: shows(window, paths[3]))
    assert window.opener.index == 3


def test_a_remembered_large_photo_that_is_damaged_gives_the_sample(
    make_window: Make, qtbot: QtBot, photo: Path, tmp_path: Path
) -> None:
    cut = tmp_path / "cut.png"
    cut.write_bytes(photo.read_bytes()[:-60])
    window = make_window()
    window.desk.settings["source"] = f"file:{cut}"
    window.opener.restore()
    qtbot.waitUntil(lambda: shows(window, photo))


def test_a_large_pasted_photo_is_kept_for_the_next_start(make_window: Make, qtbot: QtBot, photo: Path) -> None:
    window = make_window()
    window.opener.open_bytes(photo.read_bytes())
    qtbot.waitUntil(lambda: window.desk.picture is not None)
    assert (window.desk.settings.folder / "last-picture.png").read_bytes() == photo.read_bytes()


@pytest.mark.parametrize("data", [b"", b"no image", b"\x89PNG\r\n\x1a\n", b"II*\0" + bytes(40)])
def test_what_tells_no_size_is_not_large(data: bytes) -> None:
    assert not is_large(data)
