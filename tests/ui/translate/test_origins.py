"""Two maps of a translated word: what was looked at to choose it, and where it came from once it is known."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.translating import SENTENCE, rest, say
from PySide6.QtCore import QPointF, Qt
from pytestqt.qtbot import QtBot

from attnviewer.core import lens
from attnviewer.ui.panels.translate.panel import TranslatePanel
from attnviewer.ui.panels.translate.side import AFTERWARDS, CAME_FROM, LOOKED_AT
from attnviewer.ui.window import Window


def test_a_switch_shows_where_words_came_from_and_back(done: TranslatePanel, qtbot: QtBot) -> None:
    looked = done.stage.matrix.maps.copy()
    assert not done.stage.asking.isHidden()
    assert done.side.how.text() == LOOKED_AT
    qtbot.mouseClick(done.stage.asking.buttons["came"], Qt.MouseButton.LeftButton)
    came = done.stage.matrix.maps
    np.testing.assert_allclose(came, [step.origin for step in done.state.traces["translate-soft"].steps])
    assert came.max() > looked.max()
    np.testing.assert_array_equal(done.stage.columns["soft"].links.maps, came)
    assert (done.side.how.text(), done.side.caveat.text()) == (CAME_FROM, AFTERWARDS)
    assert done.comparison()["soft"].heads == (lens.ORIGIN,)  # what a figure shows
    assert done.result()[0].heads == ("attention",)  # what data hold, beside each step's origin
    qtbot.mouseClick(done.stage.asking.buttons["looked"], Qt.MouseButton.LeftButton)
    np.testing.assert_array_equal(done.stage.matrix.maps, looked)
    assert done.comparison() is None


def test_a_key_switches_the_maps(window: Window, done: TranslatePanel, qtbot: QtBot) -> None:
    qtbot.keyClick(window, "O")
    assert done.state.asking == "came"
    qtbot.keyClick(window, "O")
    assert done.state.asking == "looked"


@pytest.mark.parametrize("mode", ["location", "none"])
def test_without_such_maps_there_is_no_switch(panel: TranslatePanel, qtbot: QtBot, mode: str) -> None:
    panel.choose_mode(mode)
    say(panel, SENTENCE, qtbot)
    assert panel.stage.asking.isHidden()
    panel.ask_maps("came")
    assert panel.state.asking == "looked"


def test_the_choice_stays_for_the_next_sentence_and_for_ways_without_such_maps(
    done: TranslatePanel, qtbot: QtBot
) -> None:
    done.ask_maps("came")
    done.choose_mode("location")
    rest(done, qtbot)
    assert done.side.how.text() == LOOKED_AT
    done.choose_mode("soft")
    say(done, "El perro duerme.", qtbot)
    assert done.side.how.text() == CAME_FROM


def test_words_tell_what_the_maps_mean(done: TranslatePanel) -> None:
    matrix = done.stage.matrix
    box = matrix.grid.box(0, 0, matrix.shift).center()
    head = QPointF(box.x(), 2)
    assert "of its attention to" in matrix.tip_at(box)
    assert "Looked at by" in matrix.tip_at(head)
    done.ask_maps("came")
    assert "came from" in matrix.tip_at(box)
    assert "Words from it" in matrix.tip_at(head)


def test_what_shuffling_shows_is_told_of_the_maps_in_sight(done: TranslatePanel, qtbot: QtBot) -> None:
    done.shuffle(True)
    rest(done, qtbot)
    looked = done.stage.seen.text()
    done.ask_maps("came")
    assert "followed the words" in looked
    assert "followed the words" in done.stage.seen.text()
    assert done.stage.seen.text() != looked  # the engine's two maps differ in sharpness
