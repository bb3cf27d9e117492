"""The size of letters: chosen by keys or in the settings, for the whole window, remembered."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QApplication, QLabel

from attnviewer.ui import textsize
from attnviewer.ui.panels.translate.panel import TranslatePanel
from attnviewer.ui.settings import Settings
from attnviewer.ui.window import Window


def heights(window: Window) -> dict[str, int]:
    """Heights of letters in parts of the window of every kind: set by Qt, by the sheet, and painted."""
    translate = window.panels["translate"]
    assert isinstance(translate, TranslatePanel)
    parts = {
        "label": window.status.message,
        "story": window.panel.story,
        "bars": window.panel.side.bars,
        "rail": window.rail.gear,
        "links": translate.stage.columns["soft"].links,
        "matrix": translate.stage.matrix,
    }
    return {name: part.fontMetrics().height() for name, part in parts.items()}


def test_all_letters_grow_and_shrink_together(window: Window) -> None:
    before = heights(window)
    for _ in range(3):
        window.commands()["larger"]()
    grown = heights(window)
    assert all(grown[name] > 1.3 * before[name] for name in before), (before, grown)
    window.commands()["usual"]()
    assert heights(window) == before
    window.commands()["smaller"]()
    assert all(heights(window)[name] < before[name] for name in before)


def test_the_size_is_remembered(make_window: Callable[..., Window], settings: Settings) -> None:
    first = make_window()
    usual = first.status.message.fontMetrics().height()
    first.desk.set_text(1.5)
    second = make_window()
    assert settings["text"] == 1.5
    assert second.status.message.fontMetrics().height() > 1.3 * usual
    assert second.rail.sizes[1.5].isChecked()


def test_the_last_sizes_stay(window: Window) -> None:
    for _ in range(20):
        window.commands()["larger"]()
    assert window.desk.settings["text"] == textsize.SIZES[-1]
    assert window.rail.sizes[textsize.SIZES[-1]].isChecked()
    for _ in range(20):
        window.commands()["smaller"]()
    assert window.desk.settings["text"] == textsize.SIZES[0]


def test_a_size_that_nobody_offers_is_the_usual_one(make_window: Callable[..., Window], settings: Settings) -> None:
    settings._store.setValue("text", "enormous")
    assert settings["text"] == 1.0
    make_window()
    assert textsize.factor() == 1.0


@pytest.mark.parametrize("size", [1.0, 1.3])
def test_a_long_story_is_never_cut(window: Window, size: float) -> None:
    window.desk.set_text(size)
    window.resize(960, 640)
    story = window.panel.story
    story.setText(
        "Before it chose “a”, the network looked mostly in the bottom centre: 16% on one cell; an even map has 0.5%. "
        "A small word looks hard here: it has to find the thing that the next words will name."
    )
    QApplication.processEvents()
    assert story.height() >= QLabel.heightForWidth(story, story.width())
