"""In a low window the tools of What if? leave the photo its room, until they are wanted."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from attnviewer.ui.panels.image.panel import ImagePanel
from attnviewer.ui.panels.image.state import COMPARE
from attnviewer.ui.widgets.easel import PAINT


@pytest.fixture
def low(panel: ImagePanel, qtbot: QtBot) -> ImagePanel:
    panel.window().resize(960, 640)
    qtbot.waitUntil(lambda: panel.hands.bar.isHidden())
    return panel


def test_a_low_window_folds_the_tools_into_a_button_that_unfolds_them(low: ImagePanel) -> None:
    button = low.hands.folding.button
    assert button.isVisible()
    assert low.stages.rect().contains(button.geometry())
    button.click()
    assert low.hands.bar.isVisible()
    assert not button.isVisible()
    low.hands.bar.tools.buttons["look"].click()
    assert low.hands.bar.isHidden()


def test_a_tool_in_hand_stays_in_sight(low: ImagePanel) -> None:
    low.hands.choose_tool(PAINT)
    assert low.hands.bar.isVisible()


def test_a_comparison_in_a_low_window_has_neither_bar_nor_button(low: ImagePanel) -> None:
    low.choose_mode(COMPARE)
    assert low.hands.bar.isHidden()
    assert low.hands.folding.button.isHidden()


def test_a_change_can_be_undone_in_a_low_window(low: ImagePanel, qtbot: QtBot) -> None:
    low.hands.say_word("cat")
    qtbot.waitUntil(lambda: not low.desk.worker.busy)
    assert low.hands.bar.undo.isVisible()


def test_a_high_window_always_shows_the_tools(panel: ImagePanel, qtbot: QtBot) -> None:
    panel.window().resize(1440, 900)
    qtbot.waitUntil(lambda: panel.hands.bar.isVisible())
    assert panel.hands.folding.button.isHidden()


@pytest.mark.parametrize("size", [(960, 640), (1440, 900)])
def test_what_maps_do_not_tell_is_in_sight_without_scrolling(
    panel: ImagePanel, qtbot: QtBot, size: tuple[int, int]
) -> None:
    panel.window().resize(*size)
    qtbot.wait(10)
    line = panel.side.caveat
    assert line.visibleRegion().boundingRect() == line.rect()
    assert "not why" in line.text()
