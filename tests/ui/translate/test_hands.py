"""Hands on the translation: cells, bars and source words change it; everything can be undone, kept and compared."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.translate_engine import TranslateEngine
from helpers.translating import ENGLISH, click, rest, say
from PySide6.QtCore import QPointF, Qt
from pytestqt.qtbot import QtBot

from attnviewer.core.interventions import Intervention
from attnviewer.core.trace import Trace
from attnviewer.ui.panels.translate.panel import TranslatePanel


def whole(panel: TranslatePanel, qtbot: QtBot) -> Trace:
    rest(panel, qtbot)
    trace = panel.state.trace
    assert trace is not None
    return trace


def test_a_click_on_a_cell_forces_that_alignment(done: TranslatePanel, engine: TranslateEngine, qtbot: QtBot) -> None:
    matrix = done.stage.matrix
    click(matrix, matrix.grid.box(2, 5, matrix.shift).center(), qtbot)
    trace = whole(done, qtbot)
    asked = next(one for one in reversed(engine.asked) if one.interventions)
    assert [one.weights for one in asked.interventions if one.at == 2] == [tuple(np.eye(8)[5])]
    assert [one.word for one in asked.interventions if one.kept] == ["the", "white"]
    assert trace.forced[2]
    assert trace.steps[2].weights.argmax() == 5
    assert done.player.word == 2


def test_a_bar_chooses_another_word_and_the_clock_stays(
    done: TranslatePanel, engine: TranslateEngine, qtbot: QtBot
) -> None:
    done.player.go(2)
    bars = done.side.bars
    assert bars.bars[1].label == "some"
    bars.picked.emit("some")
    trace = whole(done, qtbot)
    assert trace.words[:3] == ("the", "white", "some")
    assert engine.asked[-1].interventions[-1] == Intervention(2, word="some")
    assert done.player.word == 2
    assert [chip.text() for chip in done.hands.bar.ghosts.chips] == ["white", "house", "has"]


def test_a_word_can_be_typed(done: TranslatePanel, qtbot: QtBot) -> None:
    done.player.go(2)
    done.side.other.setText(" hut ")
    qtbot.keyClick(done.side.other, Qt.Key.Key_Return)
    assert whole(done, qtbot).words[2] == "hut"
    assert done.side.other.text() == ""


def test_what_is_said_already_changes_nothing(done: TranslatePanel, engine: TranslateEngine, qtbot: QtBot) -> None:
    asked = len(engine.asked)
    done.hands.say_word("the")
    rest(done, qtbot)
    assert len(engine.asked) == asked
    assert "said already" in done.desk.board.notice.message


def test_undo_shows_the_very_trace_of_before_and_redo_that_of_after(
    done: TranslatePanel, engine: TranslateEngine, qtbot: QtBot
) -> None:
    lane = done.state.lane("soft")
    first = done.state.traces[lane]
    done.hands.say_word("one")
    rest(done, qtbot)
    second = done.state.traces[lane]
    asked = len(engine.asked)
    done.hands.undo()
    assert done.state.traces[lane] is first
    done.hands.redo()
    assert done.state.traces[lane] is second
    done.hands.reset()
    assert done.state.traces[lane] is first
    rest(done, qtbot)
    assert len(engine.asked) == asked


def test_striking_a_source_word_out_shows_every_probability_before_and_after(
    done: TranslatePanel, engine: TranslateEngine, qtbot: QtBot
) -> None:
    done.player.go(2)
    assert done.side.strike.text() == "Strike out “casa”"
    done.side.strike.click()
    trace = whole(done, qtbot)
    qtbot.waitUntil(lambda: done.state.echo is not None)
    assert trace.words[2] == "▢"
    assert engine.asked[-1].hidden == (1,)
    assert engine.asked[-1].words == tuple(ENGLISH.replace(".", " .").split())
    echoed = done.side.echo
    assert echoed.isVisibleTo(done.side)
    assert (echoed.bars[2].label, echoed.bars[2].before, echoed.bars[2].value) == pytest.approx(("house", 0.7, 0.3))
    assert done.stage.columns["soft"].links.hidden == {1}
    done.hands.strike(1)
    assert whole(done, qtbot).text == ENGLISH
    assert not echoed.isVisibleTo(done.side)


def test_ctrl_and_a_click_strike_any_source_word_out(done: TranslatePanel, qtbot: QtBot) -> None:
    links = done.stage.columns["soft"].links
    place = links.source.box(2).center() + QPointF(16, 0)
    qtbot.mouseClick(links.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, place.toPoint())
    assert whole(done, qtbot).words[1] == "▢"


def test_a_moved_source_word_is_struck_out_where_it_stands(done: TranslatePanel, qtbot: QtBot) -> None:
    done.shuffle(True)
    rest(done, qtbot)
    place = done.state.source("soft").index("blanca")
    done.hands.strike(place)
    rest(done, qtbot)
    assert done.state.edits.now.hidden == (2,)
    assert done.state.hidden == {place}


def test_variants_form_a_tree_and_two_stand_on_one_clock(done: TranslatePanel, qtbot: QtBot) -> None:
    done.player.go(2)
    done.hands.say_word("some")
    rest(done, qtbot)
    done.hands.keep()
    done.player.go(4)
    done.hands.say_word("any")
    rest(done, qtbot)
    done.hands.keep()
    assert [one.name for one in done.state.variants.all] == ["“house” to “some”", "the model's own", "“a” to “any”"]
    done.hands.keeping.toggle()
    page = done.hands.page
    assert page.isVisible()
    assert [branch.text for branch in page.tree.branches] == ["the model's own", "“house” to “some”", "“a” to “any”"]
    assert [branch.parent for branch in page.tree.branches] == [-1, 0, 1]
    page.pick(0)
    page.pick(2)
    assert [links.trace.words[2] for links in page.views] == ["house", "some"]
    done.player.go(3)
    assert {links.word for links in page.views} == {3}
    page.pick(0)
    page.use.click()
    assert whole(done, qtbot).text == ENGLISH
    assert not page.isVisible()


def test_a_variant_that_is_forgotten_is_gone(done: TranslatePanel, qtbot: QtBot) -> None:
    done.hands.say_word("one")
    rest(done, qtbot)
    done.hands.keep()
    done.hands.keeping.toggle()
    done.hands.page.drop.click()
    assert len(done.state.variants.all) == 1
    done.hands.page.drop.click()
    assert not done.hands.page.isVisible()


def test_what_the_engine_refuses_was_never_made(done: TranslatePanel, engine: TranslateEngine, qtbot: QtBot) -> None:
    before = whole(done, qtbot)
    engine.fail_words = ("never",)
    done.hands.say_word("never")
    rest(done, qtbot)
    assert whole(done, qtbot).words == before.words
    assert done.desk.board.notice.fault
    assert not done.state.edits.past


def test_another_sentence_begins_anew(done: TranslatePanel, qtbot: QtBot) -> None:
    done.hands.say_word("one")
    rest(done, qtbot)
    done.hands.keep()
    say(done, "Mi hermana vive.", qtbot)
    assert not done.hands.bar.isVisible()
    assert not done.state.variants.all
    assert whole(done, qtbot).text == "my sister lives."


def test_a_map_is_not_forced_where_places_are_moved(done: TranslatePanel, qtbot: QtBot) -> None:
    done.shuffle(True)
    rest(done, qtbot)
    done.hands.force(1, 1)
    assert "switch back" in done.desk.board.notice.message


def test_a_node_of_the_beam_goes_on_the_clock(done: TranslatePanel, engine: TranslateEngine, qtbot: QtBot) -> None:
    done.hands.take_branch(("the", "white", "hut"), False)
    assert whole(done, qtbot).words[:4] == ("the", "white", "hut", "has")
    words = tuple(ENGLISH.replace(".", " .").split())
    done.hands.take_branch(words, True)
    rest(done, qtbot)
    assert engine.asked[-1].words == words


def test_the_keys_undo_redo_and_keep(done: TranslatePanel, qtbot: QtBot) -> None:
    commands = done.commands()
    done.hands.say_word("one")
    rest(done, qtbot)
    commands["keep"]()
    commands["undo"]()
    assert whole(done, qtbot).text == ENGLISH
    commands["redo"]()
    assert whole(done, qtbot).words[0] == "one"
    commands["variants"]()
    assert done.leave()


@pytest.mark.parametrize("size", [(960, 640), (1440, 900)])
def test_the_bar_takes_one_row(done: TranslatePanel, size: tuple[int, int], qtbot: QtBot) -> None:
    done.window().resize(*size)
    done.hands.say_word("one")
    rest(done, qtbot)
    qtbot.waitUntil(lambda: 0 < done.hands.bar.height() <= 64)
    assert done.stage.height() > 150
