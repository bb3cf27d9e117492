"""Boxes and patches on the photo, other photos, and captions that were saved."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers.fake_engine import WORDS, FakeEngine
from helpers.handling import drag, last, settled
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from attnviewer.core.boxed import box_of
from attnviewer.core.events import Finished
from attnviewer.core.request import QueryRequest
from attnviewer.core.trace import Step, frozen
from attnviewer.ui.panels.image.panel import ImagePanel
from attnviewer.ui.panels.image.shareline import Shares
from attnviewer.ui.widgets.easel import BOX, COVER


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


def test_a_query_draws_the_box_around_what_it_finds(
    panel: ImagePanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, QueryRequest]] = []
    monkeypatch.setattr(panel.desk.worker, "ask", lambda lane, request: asked.append((lane, request)))
    panel.hands.choose_tool(BOX)
    panel.hands.bar.query.setText(" a dog ")
    qtbot.keyClick(panel.hands.bar.query, Qt.Key.Key_Return)
    ((lane, request),) = asked
    assert (request.text, request.picture) == ("a dog", panel.state.picture)
    weights = np.full((14, 14), 0.001, np.float32)
    weights[7:, :7] = 0.02
    step = Step("a dog", 0.0, frozen(weights.reshape(1, -1) / weights.sum()))
    found = replace(panel.state.trace, task="query", steps=(step,), request={"text": "a dog"})
    panel.hands.inside.take(Finished(1, lane, found, 0.1))
    assert panel.hands.inside.box == (0.0, 0.5, 0.5, 1.0)
    assert panel.foot.shares.shares.area == pytest.approx(0.25)
    assert not panel.window().status.message.text().startswith("“a dog”")


def test_another_photo_begins_anew(panel: ImagePanel, qtbot: QtBot, photo: object) -> None:
    panel.hands.say_word("cat")
    settled(panel, qtbot)
    panel.hands.keep()
    panel.window().opener.open_paths([photo])
    settled(panel, qtbot)
    assert not panel.state.edits.past
    assert not panel.state.variants.all
    assert panel.hands.bar.variants.isHidden()


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


def test_a_saved_caption_lies_on_its_covered_photo_and_without_the_box_of_before(
    panel: ImagePanel, qtbot: QtBot
) -> None:
    panel.hands.cover((0.0, 0.0, 0.5, 0.5))
    settled(panel, qtbot)
    saved, picture = panel.state.traces["soft"], panel.state.picture
    panel.hands.undo()
    panel.hands.inside.draw_box((0.5, 0.5, 1.0, 1.0))
    panel.show_trace(saved, picture)
    assert panel.hands.inside.box is None
    assert (panel.stages.columns["soft"].stage.picture.pixels != picture.pixels).any()
