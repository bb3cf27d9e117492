"""The gallery of samples: ordered by what they teach, with thumbnails, and the failures in a group of their own."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from helpers.pictures import corners
from PIL import Image
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from attnviewer.core.paths import resources_dir
from attnviewer.ui.gallery import Gallery, thumbnail
from attnviewer.ui.installed import Sample, samples, sentences
from attnviewer.ui.window import Window


@pytest.fixture
def some(tmp_path: Path) -> list[Sample]:
    made = []
    for number in range(3):
        path = tmp_path / f"{number}.png"
        Image.fromarray(corners(120, 60)).save(path)
        made.append(Sample(path, f"Photo {number}", "us, CC0", shows="It teaches.", wrong=number == 1))
    return made


@pytest.fixture
def over(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def test_what_goes_wrong_comes_last_under_its_own_title(some: list[Sample], over: QWidget) -> None:
    gallery = Gallery(some, lambda sample: None, over)
    assert [button.text().split("\n")[0] for button in gallery.buttons] == ["Photo 0", "Photo 2", "Photo 1"]
    assert [title.text() for title in gallery.titles] == ["By what they teach", "Where it goes wrong"]
    assert gallery.buttons[0].accessibleName() == "Photo 0. It teaches."


def test_a_click_picks(some: list[Sample], over: QWidget) -> None:
    picked: list[Sample] = []
    gallery = Gallery(some, picked.append, over)
    gallery.buttons[1].click()
    assert picked == [some[2]]


def test_thumbnails_are_sharp_and_all_of_one_size(some: list[Sample], over: QWidget) -> None:
    made = thumbnail(some[0], 2.0)
    assert (made.width(), made.height(), made.devicePixelRatio()) == (208, 144, 2.0)


def test_the_window_offers_its_samples_there(window: Window) -> None:
    window.toolbar.gallery.buttons[0].click()
    assert window.desk.source == "Corners (us, CC0)"


def test_every_sample_says_what_it_teaches_and_the_first_goes_right() -> None:
    assert all(sample.shows.endswith((".", "?")) for sample in samples())
    assert not samples()[0].wrong
    assert any(sample.wrong for sample in samples())


def test_every_spanish_sentence_has_its_words_in_english() -> None:
    for sentence in sentences():
        assert len(sentence.gloss.replace("(little quetzal)", "quetzal").split()) == len(sentence.text.split())


def test_the_listing_of_samples_names_no_photo_twice() -> None:
    rows = tomllib.loads((resources_dir() / "images" / "samples.toml").read_text("utf-8"))["sample"]
    assert len({row["file"] for row in rows}) == len(rows)
