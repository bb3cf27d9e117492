"""Hands on the photo: another word, a painted gaze, a patch; undone, redone, kept, by mouse and by keys."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from helpers.fake_engine import CELLS, WORDS, FakeEngine
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from attnviewer.core.boxed import box_of
from attnviewer.core.request import CaptionRequest
from attnviewer.ui.panels.image.panel import ImagePanel
from attnviewer.ui.panels.image.shareline import Shares
from attnviewer.ui.widgets.easel import BOX, COVER, PAINT
from attnviewer.ui.window import Window


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def panel(make_window: Callable[..., Window], engine: FakeEngine, photo: object, qtbot: QtBot) -> ImagePanel:
    window = make_window(engine)
    window.opener.open_paths([photo])
    qtbot.waitUntil(lambda: "soft" in window.panel.state.done and not window.desk.worker.busy)
    window.panel.player.go(2)
    return window.panel


def settled(panel: ImagePanel, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not panel.state.missing and not panel.desk.worker.busy)


def point(panel: ImagePanel, x: float, y: float, mode: str = "soft") -> QPoint:
    """Where a place of the photo lies on its stage."""
    stage = panel.stages.columns[mode].stage
    return stage.mapFromScene(stage.box.mapViewToScene(QPointF(x * stage.picture.width, y * stage.picture.height)))


def drag(panel: ImagePanel, qtbot: QtBot, *places: tuple[float, float], mode: str = "soft") -> None:
    """Press at the first place, go through the others, let go at the last."""
    view, left = panel.stages.columns[mode].stage.viewport(), Qt.MouseButton.LeftButton
    qtbot.mousePress(view, left, pos=point(panel, *places[0], mode))
    for place in places[1:]:
        at = QPointF(point(panel, *place, mode))
        none = Qt.KeyboardModifier.NoModifier
        QApplication.sendEvent(view, QMouseEvent(QEvent.Type.MouseMove, at, at, Qt.MouseButton.NoButton, left, none))
    qtbot.mouseRelease(view, left, pos=point(panel, *places[-1], mode))


def last(engine: FakeEngine) -> CaptionRequest:
    """The newest request for a soft caption that isn't read by another."""
    return next(one for one in reversed(engine.requests) if one.attention == "soft" and one.words is None)


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


def test_a_patch_covers_the_photo_and_can_be_taken_away(panel: ImagePanel, qtbot: QtBot, engine: FakeEngine) -> None:
    own, plain = panel.state.traces["soft"], panel.state.picture.pixels
    panel.hands.choose_tool(COVER)
    drag(panel, qtbot, (0.25, 0.25), (0.5, 0.5), (0.75, 0.75))
    settled(panel, qtbot)
    (cover,) = last(engine).covers
    assert cover.box == pytest.approx((0.25, 0.25, 0.75, 0.75), abs=0.02)
    stage = panel.stages.columns["soft"].stage
    assert (stage.picture.pixels != plain).any()
    assert panel.side.bars.bars[0].before is not None
    panel.hands.bar.ways.buttons["blur"].click()
    settled(panel, qtbot)
    assert last(engine).covers[0].how == "blur"
    panel.hands.bar.clear.click()
    assert panel.state.traces["soft"] is own
    assert (stage.picture.pixels == plain).all()


def test_a_patch_is_moved_by_dragging_it(panel: ImagePanel, qtbot: QtBot, engine: FakeEngine) -> None:
    panel.hands.choose_tool(COVER)
    panel.hands.cover((0.0, 0.0, 0.4, 0.4))
    settled(panel, qtbot)
    drag(panel, qtbot, (0.2, 0.2), (0.4, 0.3), (0.5, 0.2))
    settled(panel, qtbot)
    assert last(engine).covers[0].box == pytest.approx((0.3, 0.0, 0.7, 0.4), abs=0.02)


def test_keys_draw_a_box_move_it_and_make_it_larger(panel: ImagePanel, qtbot: QtBot) -> None:
    easel, stage, told = panel.stages.columns["soft"].easel, panel.stages.columns["soft"].stage, []
    easel.boxed.connect(told.append)
    panel.hands.choose_tool(BOX)
    stage.setFocus()
    qtbot.keyClick(stage, Qt.Key.Key_Left)
    qtbot.keyClick(stage, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(stage, Qt.Key.Key_Return)
    (box,) = told
    assert box == pytest.approx((0.35 - 1 / 14, 0.35, 0.65 - 1 / 14, 0.65 + 1 / 14))


def test_one_peeks_at_what_was_before_and_comes_back(panel: ImagePanel, qtbot: QtBot) -> None:
    panel.hands.say_word("cat")
    settled(panel, qtbot)
    qtbot.keyClick(panel.window(), Qt.Key.Key_Z)
    assert panel.state.trace.words == WORDS
    assert panel.hands.bar.before.isChecked()
    assert panel.player.word == 2
    qtbot.keyClick(panel.window(), Qt.Key.Key_Z)
    assert panel.state.trace.words[2] == "cat"


def test_a_caption_is_kept_and_shown_again(panel: ImagePanel, qtbot: QtBot) -> None:
    panel.hands.say_word("cat")
    settled(panel, qtbot)
    qtbot.keyClick(panel.window(), Qt.Key.Key_K)
    cat = panel.state.traces["soft"]
    panel.hands.reset()
    (action,) = panel.hands.bar.variants.menu().actions()
    assert " ".join(cat.words) in action.text()
    action.trigger()
    assert panel.state.traces["soft"] is cat


def test_what_can_not_be_run_is_taken_back(panel: ImagePanel, qtbot: QtBot, engine: FakeEngine) -> None:
    own = panel.state.traces["soft"]
    engine.fail_at = 1
    panel.hands.say_word("cat")
    settled(panel, qtbot)
    assert panel.state.traces["soft"] is own
    assert not panel.state.edits.past
    assert "memory" in panel.window().status.message.text()


def test_another_photo_begins_anew(panel: ImagePanel, qtbot: QtBot, photo: object) -> None:
    panel.hands.say_word("cat")
    settled(panel, qtbot)
    panel.hands.keep()
    panel.window().opener.open_paths([photo])
    settled(panel, qtbot)
    assert not panel.state.edits.past
    assert not panel.state.variants.all
    assert panel.hands.bar.variants.isHidden()


def test_the_next_tool_comes_by_its_key(panel: ImagePanel, qtbot: QtBot) -> None:
    for tool in (PAINT, BOX, COVER, "look"):
        panel.hands.commands()["hand"]()
        assert panel.hands.bar.tool == tool


def test_a_presenter_sees_no_tools(panel: ImagePanel) -> None:
    panel.set_presenter(True)
    assert panel.hands.bar.isHidden()
    panel.set_presenter(False)
    assert not panel.hands.bar.isHidden()


def test_a_box_shows_its_share_of_each_word_and_goes_into_exports(panel: ImagePanel, qtbot: QtBot) -> None:
    line = panel.foot.shares
    assert line.isHidden()
    panel.hands.choose_tool(BOX)
    drag(panel, qtbot, (0.0, 0.0), (0.5, 0.5), (1.0, 1.0))
    assert not line.isHidden()
    assert panel.foot.bits.isHidden()
    assert line.shares.inside == pytest.approx([1.0] * len(WORDS), abs=0.02)
    assert "“dog” gives the box" in panel.foot.verdict.text()
    trace, _ = panel.result()
    assert box_of(trace) == pytest.approx((0, 0, 1, 1), abs=0.02)
    panel.hands.bar.clear.click()
    assert line.isHidden()
    assert box_of(panel.result()[0]) is None


def test_a_patch_tells_what_it_cost_each_word(panel: ImagePanel, qtbot: QtBot, engine: FakeEngine) -> None:
    panel.hands.choose_tool(COVER)
    panel.hands.cover((0.0, 0.0, 0.5, 0.5))
    settled(panel, qtbot)
    shares = panel.foot.shares.shares
    assert shares.before == shares.after == pytest.approx(np.exp(panel.state.trace.logprobs))
    (other,) = [one for one in engine.requests if one.words == WORDS and one.attention == "soft"]
    assert other.covers == ()
    assert "Without the patch" in panel.foot.verdict.text()


def test_another_photo_has_no_box(panel: ImagePanel, qtbot: QtBot, photo: object) -> None:
    panel.hands.inside.draw_box((0, 0, 0.5, 0.5))
    panel.window().opener.open_paths([photo])
    settled(panel, qtbot)
    assert panel.hands.inside.box is None
    assert panel.foot.shares.isHidden()


def test_the_cost_of_a_patch_is_never_below_nothing() -> None:
    shares = Shares((0.5, None), 0.25, (0.6, 0.2), (0.1, 0.3), patch=True)
    assert [shares.cost(word) for word in range(3)] == [0.5, 0, 0]
    assert "Without it" in shares.sentence(("dog", "runs"), 1)
    assert shares.sentence(("dog", "runs"), 5) == ""


def test_a_saved_caption_is_run_again_and_compared(panel: ImagePanel, qtbot: QtBot, engine: FakeEngine) -> None:
    saved, picture = panel.state.traces["soft"], panel.state.picture
    panel.show_trace(saved, picture)
    assert not panel.hands.bar.rerun.isHidden()
    panel.hands.bar.rerun.click()
    settled(panel, qtbot)
    assert "every weight is the same" in panel.window().status.message.text()
    panel.show_trace(saved, picture.mirrored())
    panel.hands.bar.rerun.click()
    settled(panel, qtbot)
    assert "not the one" in panel.window().status.message.text()


def test_what_was_imposed_on_a_saved_caption_still_holds(panel: ImagePanel, qtbot: QtBot) -> None:
    panel.hands.say_word("cat")
    settled(panel, qtbot)
    panel.show_trace(panel.state.traces["soft"], panel.state.picture)
    panel.player.go(4)
    panel.hands.say_word("under")
    settled(panel, qtbot)
    assert panel.state.trace.words[2:5] == ("cat", "runs", "under")
    panel.hands.undo()
    assert panel.state.trace.words[4] == "on"


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
