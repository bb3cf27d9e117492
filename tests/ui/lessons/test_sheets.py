"""A worksheet holds what a lesson asks, with blanks for its numbers."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from attnviewer.core.lessons.stops import shipped
from attnviewer.ui.panels.learn.sheets import BLANK, page, sheets_of

pytestmark = pytest.mark.usefixtures("qapp")


def test_a_worksheet_asks_every_question_and_tells_no_number() -> None:
    tour = shipped()[0]
    text = page(tour, {})
    for stop in tour.stops:
        assert stop.title in text
    assert text.count("&#9744;") == sum(len(stop.answers) for stop in tour.stops)
    assert BLANK in text
    assert ".first}" not in text
    assert "data:image/jpeg;base64," in text


def test_a_figure_from_the_screen_takes_the_place_of_the_photo() -> None:
    tour = shipped()[0]
    text = page(tour, {tour.stops[0].title: b"png"})
    assert "data:image/png;base64,cG5n" in text


def test_a_worksheet_is_saved_as_a_page_or_as_pdf(qtbot: QtBot) -> None:
    made = sheets_of(shipped()[1], {})
    assert made.name == "worksheet-The-first-90-seconds"
    assert made.forms[".pdf"]().startswith(b"%PDF")
    assert made.forms[".html"]().startswith(b"<!doctype html>")
