"""Hands on the photo: another word, a painted gaze, a patch; undone, redone, kept, by mouse and by keys."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.fake_engine import CELLS, WORDS, FakeEngine
from helpers.handling import drag, last, settled
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from attnviewer.ui.panels.image.panel import ImagePanel
from attnviewer.ui.widgets.easel import BOX, COVER, PAINT


def test_a_click_on_a_bar_says_that_word_and_goes_on(panel: ImagePanel, qtbot: QtBot) -> None:
    bars = panel.side.bars
    assert bars.bars[1].label == "puppy"
    qtbot.mouseClick(bars, Qt.MouseButton.LeftButton, pos=QPoint(20, bars.row + bars.row // 2))
    settled(panel, qtbot)
    assert panel.state.trace.words == (*WORDS[:2], "puppy", *WORDS[3:])
    assert panel.player.word == 2
    assert list(panel.state.trace.forced) == [word == 2 for word in range(len(WORDS))]
    assert panel.side.chips.chips[2].property("forced")
    assert not panel.side.ghosts.isHidden()
    assert [chip.font().strikeOut() for chip in panel.side.ghosts.chips] == [word == 2 for word in range(len(WORDS))]


def test_a_bar_is_chosen_by_keys_as_well(panel: ImagePanel, qtbot: QtBot) -> None:
    bars = panel.side.bars
    bars.setFocus()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return):
        qtbot.keyClick(bars, key)
    settled(panel, qtbot)
    assert panel.state.trace.words[2] == "puppy"


def test_a_word_that_is_typed_is_said(panel: ImagePanel, qtbot: QtBot) -> None:
    panel.side.word.setText("Zebra")
    qtbot.keyClick(panel.side.word, Qt.Key.Key_Return)
    settled(panel, qtbot)
    assert panel.state.trace.words[2] == "zebra"
    assert panel.side.word.text() == ""


@pytest.mark.parametrize("text", ["(end)", "...", "(?)"])
def test_what_is_no_word_is_not_said(panel: ImagePanel, text: str) -> None:
    trace = panel.state.trace
    panel.hands.say_word(text)
    assert panel.state.trace is trace
    assert "no word" in panel.window().status.message.text()


def test_undo_and_redo_restore_the_very_traces(panel: ImagePanel, qtbot: QtBot, engine: FakeEngine) -> None:
    own = panel.state.traces["soft"]
    panel.hands.say_word("cat")
    settled(panel, qtbot)
    cat, count = panel.state.traces["soft"], len([one for one in engine.requests if one.words is None])
    qtbot.keyClick(panel.window(), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert panel.state.traces["soft"] is own
    qtbot.keyClick(
        panel.window(), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    assert panel.state.traces["soft"] is cat
    panel.hands.reset()
    assert panel.state.traces["soft"] is own
    panel.hands.undo()
    assert panel.state.traces["soft"] is cat
    assert len([one for one in engine.requests if one.words is None]) == count


def test_a_stroke_holds_the_gaze_and_the_bars_tell_before_and_after(
    panel: ImagePanel, qtbot: QtBot, engine: FakeEngine
) -> None:
    before = panel.state.trace.steps[2]
    panel.hands.choose_tool(PAINT)
    drag(panel, qtbot, (0.1, 0.1), (0.2, 0.1), (0.3, 0.1))
    settled(panel, qtbot)
    (look,) = [one for one in last(engine).interventions if not one.kept]
    assert look.at == 2
    assert np.argmax(look.weights) // CELLS <= 2
    assert panel.player.word == 2
    bars = panel.side.bars.bars
    assert bars[1].before == pytest.approx(dict(before.alternatives)["puppy"])
    assert bars[1].value == pytest.approx(0.9 * bars[1].before)
    assert "→" in panel.side.bars.accessibleDescription()
    assert "◎" in panel.side.chips.chips[2].text()


def test_a_click_looks_at_one_cell_alone(panel: ImagePanel, qtbot: QtBot, engine: FakeEngine) -> None:
    panel.hands.choose_tool(PAINT)
    drag(panel, qtbot, (0.5 / CELLS, 2.5 / CELLS))
    settled(panel, qtbot)
    (look,) = [one for one in last(engine).interventions if not one.kept]
    assert np.flatnonzero(look.weights).tolist() == [2 * CELLS]


def test_arrows_move_the_cell_and_enter_forces_it(panel: ImagePanel, qtbot: QtBot, engine: FakeEngine) -> None:
    stage = panel.stages.columns["soft"].stage
    panel.hands.choose_tool(PAINT)
    stage.setFocus()
    stage.mark(0)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Return):
        qtbot.keyClick(stage, key)
    settled(panel, qtbot)
    assert panel.player.word == 2
    (look,) = [one for one in last(engine).interventions if not one.kept]
    assert np.flatnonzero(look.weights).tolist() == [CELLS + 1]


def test_without_a_tool_the_arrows_move_the_clock(panel: ImagePanel, qtbot: QtBot) -> None:
    panel.stages.columns["soft"].stage.setFocus()
    qtbot.keyClick(panel.stages.columns["soft"].stage, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: panel.player.word == 3)


def test_a_gaze_may_hold_for_the_rest(panel: ImagePanel, qtbot: QtBot, engine: FakeEngine) -> None:
    panel.hands.choose_tool(PAINT)
    panel.hands.bar.holds.buttons["rest"].click()
    panel.hands.force(7)
    settled(panel, qtbot)
    assert [one.rest for one in last(engine).interventions if not one.kept] == [True]
    assert list(panel.state.trace.forced) == [word >= 2 for word in range(len(WORDS))]


def test_hard_attention_has_its_fixation_dragged(panel: ImagePanel, qtbot: QtBot) -> None:
    panel.choose_mode("hard")
    settled(panel, qtbot)
    panel.player.go(2)
    panel.hands.choose_tool(PAINT)
    drag(panel, qtbot, (0.9, 0.9), (0.5, 0.5), (0.5 / CELLS, 0.5 / CELLS), mode="hard")
    settled(panel, qtbot)
    assert panel.state.trace.sampled[2] == 0


def test_without_attention_nothing_can_be_painted_and_the_hint_says_so(panel: ImagePanel, qtbot: QtBot) -> None:
    panel.choose_mode("none")
    settled(panel, qtbot)
    panel.player.go(2)
    panel.hands.choose_tool(PAINT)
    trace = panel.state.trace
    drag(panel, qtbot, (0.1, 0.1), (0.4, 0.4))
    panel.hands.force(3)
    assert panel.state.trace is trace
    assert "no attention" in panel.hands.bar.hint.text()


def test_one_peeks_at_what_was_before_and_comes_back(panel: ImagePanel, qtbot: QtBot) -> None:
    panel.hands.say_word("cat")
    settled(panel, qtbot)
    qtbot.keyClick(panel.window(), Qt.Key.Key_Z)
    assert panel.state.trace.words == WORDS
    assert panel.hands.bar.before.isChecked()
    assert panel.player.word == 2
    qtbot.keyClick(panel.window(), Qt.Key.Key_Z)
    assert panel.state.trace.words[2] == "cat"


def test_captions_that_are_kept_stand_on_one_clock_and_are_shown_again(panel: ImagePanel, qtbot: QtBot) -> None:
    panel.hands.say_word("cat")
    settled(panel, qtbot)
    qtbot.keyClick(panel.window(), Qt.Key.Key_K)
    cat = panel.state.traces["soft"]
    panel.hands.reset()
    page = panel.hands.keeping.page
    panel.hands.bar.variants.click()
    assert page.isVisible()
    assert {one.trace.words for one in page.sides} == {WORDS, cat.words}
    panel.player.go(2)
    bold = [view.text.text().split("<b><u>")[1].split("</u></b>")[0] for view in page.views]
    assert sorted(word.split(">")[1].split("<")[0] for word in bold) == sorted((WORDS[2], "cat"))
    page.views[0].text.linkActivated.emit("1")
    assert panel.player.word == 1
    page.pick(page._numbers.index([one.trace.words for one in page.variants].index(cat.words)))
    page.use.click()
    assert not page.isVisible()
    assert panel.state.traces["soft"] is cat


def test_a_variant_that_is_forgotten_is_gone(panel: ImagePanel, qtbot: QtBot) -> None:
    qtbot.keyClick(panel.window(), Qt.Key.Key_V)
    assert not panel.hands.keeping.page.isVisible()
    assert "Nothing is kept yet" in panel.window().status.message.text()
    panel.hands.say_word("cat")
    settled(panel, qtbot)
    panel.hands.keep()
    qtbot.keyClick(panel.window(), Qt.Key.Key_V)
    for left in (1, 0):
        panel.hands.keeping.page.drop.click()
        assert len(panel.state.variants.all) == left
    assert not panel.hands.keeping.page.isVisible()


def test_what_can_not_be_run_is_taken_back(panel: ImagePanel, qtbot: QtBot, engine: FakeEngine) -> None:
    own = panel.state.traces["soft"]
    engine.fail_at = 1
    panel.hands.say_word("cat")
    settled(panel, qtbot)
    assert panel.state.traces["soft"] is own
    assert not panel.state.edits.past
    assert "memory" in panel.window().status.message.text()


def test_the_next_tool_comes_by_its_key(panel: ImagePanel, qtbot: QtBot) -> None:
    for tool in (PAINT, BOX, COVER, "look"):
        panel.hands.commands()["hand"]()
        assert panel.hands.bar.tool == tool


def test_a_presenter_sees_no_tools(panel: ImagePanel) -> None:
    panel.set_presenter(True)
    assert panel.hands.bar.isHidden()
    panel.set_presenter(False)
    assert not panel.hands.bar.isHidden()


def test_the_word_that_is_said_already_is_no_change(panel: ImagePanel) -> None:
    panel.hands.say_word("dog")
    assert not panel.state.edits.past
    assert "already" in panel.window().status.message.text()


def test_what_stands_beside_the_pointer_is_told_of_the_new_map(panel: ImagePanel, qtbot: QtBot) -> None:
    stage, told = panel.stages.columns["soft"].stage, []
    panel.hands.choose_tool(PAINT)
    stage.mark(7)
    stage.tag.show_value = lambda _grid, place, values, _box: told.append(float(values[place]))
    panel.hands.force(7)
    settled(panel, qtbot)
    assert told[-1] == 1.0
