"""Hard attention in the window: the place that was taken, the way there, new seeds, and a hundred draws."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from helpers.fake_engine import WORDS, FakeEngine
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from attnviewer.core.sampling import draw
from attnviewer.ui.settings import Settings
from attnviewer.ui.widgets.facts import facts_of
from attnviewer.ui.widgets.stage import cell_rect
from attnviewer.ui.window import Window

Make = Callable[..., Window]


def settled(window: Window) -> bool:
    return not window.panel.state.missing and not window.desk.worker.busy


@pytest.fixture
def hard(make_window: Make, photo: Path, qtbot: QtBot) -> Window:
    window = make_window(FakeEngine())
    window.panel.choose_mode("hard")
    window.opener.open_paths([photo])
    qtbot.waitUntil(lambda: settled(window))
    window.panel.player.go(3)
    return window


def centres(window: Window, words: range) -> list[tuple[float, float]]:
    trace = window.panel.state.trace
    rects = [cell_rect(trace.locations, trace.steps[word].sampled) for word in words]
    return [(rect.center().x(), rect.center().y()) for rect in rects]


def test_a_ring_marks_the_place_and_a_line_the_way_there(hard: Window) -> None:
    stage = hard.panel.stages.columns["hard"].stage
    way = centres(hard, range(4))
    assert stage.fixation.isVisible()
    assert (stage.fixation.data["x"][0], stage.fixation.data["y"][0]) == pytest.approx(way[-1])
    x, y = stage.path.getData()
    np.testing.assert_allclose(np.column_stack((x, y)), way)
    assert len(stage.before.data) == 3


def test_the_way_keeps_to_the_last_few_places(hard: Window) -> None:
    hard.panel.player.go(len(WORDS) - 1)
    x, _ = hard.panel.stages.columns["hard"].stage.path.getData()
    assert len(x) == 5


def test_soft_attention_has_no_ring(window: Window) -> None:
    stage = window.panel.stages.columns["soft"].stage
    assert not stage.fixation.isVisible()
    assert not stage.path.isVisible()
    assert not window.panel.modes.bar.isVisible()


def test_the_map_below_can_be_hidden_and_the_ring_stays(hard: Window, qtbot: QtBot) -> None:
    stage = hard.panel.stages.columns["hard"].stage
    for shown in (False, True):
        qtbot.keyClicks(hard, "d")
        assert (stage.overlay.isVisible(), stage.fixation.isVisible()) == (shown, True)
        assert hard.panel.modes.bar.under.isChecked() == shown


def test_sample_again_takes_a_new_seed_and_other_places(hard: Window, qtbot: QtBot) -> None:
    before = hard.panel.state.trace.sampled
    qtbot.mouseClick(hard.panel.modes.bar.again, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: settled(hard))
    assert hard.panel.state.trace.request["decoding"]["seed"] == 1
    assert hard.panel.state.trace.sampled != before
    assert hard.panel.modes.bar.seed.text() == "seed 1"


def test_the_most_probable_place_is_asked_for_by_choice(hard: Window, settings: Settings, qtbot: QtBot) -> None:
    bar = hard.panel.modes.bar
    qtbot.mouseClick(bar.pick.buttons["argmax"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: settled(hard))
    assert hard.panel.state.trace.request["decoding"]["pick"] == "argmax"
    assert settings["pick"] == "argmax"
    assert not bar.again.isEnabled()
    asked = len(hard.panel.state.traces)
    hard.panel.modes.sample_again()
    assert len(hard.panel.state.traces) == asked
    assert hard.panel.state.seed == 0


def test_a_hundred_draws_stand_beside_the_distribution_they_come_from(hard: Window, qtbot: QtBot) -> None:
    qtbot.mouseClick(hard.panel.modes.bar.draws, Qt.MouseButton.LeftButton)
    stages = hard.panel.stages.columns
    assert stages["hard"].isVisible()
    assert stages["draws"].isVisible()
    trace, shown = hard.panel.state.trace, hard.panel.state.maps["draws"]
    wanted = draw(trace.weights[3, 0], 100, (0, 3))
    np.testing.assert_allclose(shown.weights[3, 0] * 100, wanted, atol=1e-3)
    assert tuple(stages["hard"].stage.span) == tuple(stages["draws"].stage.span)
    assert f"{(wanted > 0).sum()} places taken" in stages["draws"].text.text()
    assert not stages["draws"].stage.fixation.isVisible()
    qtbot.keyClicks(hard, "t")
    assert not stages["draws"].isVisible()


def test_pointing_at_a_place_tells_how_often_it_was_taken(hard: Window) -> None:
    hard.panel.modes.show_draws(True)
    place = int(hard.panel.state.maps["draws"].weights[3, 0].argmax())
    hard.panel.stages.columns["draws"].stage.hover(place)
    assert "of 100 draws" in hard.panel.side.here.text()


def test_another_seed_draws_another_hundred(hard: Window, qtbot: QtBot) -> None:
    hard.panel.modes.show_draws(True)
    before = hard.panel.state.maps["draws"].weights
    hard.panel.modes.sample_again()
    qtbot.waitUntil(lambda: settled(hard))
    assert not np.array_equal(before, hard.panel.state.maps["draws"].weights)


def test_facts_tell_the_chance_of_the_place_that_was_taken(hard: Window) -> None:
    trace = hard.panel.state.trace
    value, sentence = facts_of(trace, 3)["taken"]
    row, column = divmod(trace.sampled[3], 14)
    assert value == f"row {row}, column {column}"
    assert "the most probable place" in sentence
    assert facts_of(trace, 3)["photo"][1].startswith("2.00 bits")


def test_the_keys_of_hard_attention_work_only_there(window: Window) -> None:
    assert not {"again", "draws", "under"} & set(window.panel.commands())
    window.panel.choose_mode("hard")
    assert {"again", "draws", "under"} <= set(window.panel.commands())
