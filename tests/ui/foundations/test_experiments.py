"""What can be done in each experiment, and what is seen then."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest
from helpers.explore_engine import ExploreEngine
from pytestqt.qtbot import QtBot

from attnviewer.core.explore.requests import (
    LearnRequest,
    MapsRequest,
    UnitRequest,
)
from attnviewer.ui.panels.foundations.base import Experiment
from attnviewer.ui.panels.foundations.panel import FoundationsPanel

Open = Callable[[str], Experiment]
SOON = 0.1  # seconds from a slider to the picture, of process time


def idle(panel: FoundationsPanel, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not panel.desk.worker.busy)


def test_the_mlp_begins_at_a_trillion_weights_and_follows_its_sliders(open_: Open) -> None:
    made = open_("mlp")
    assert "1,000,000,000,000" in made.says.text()
    made.side_knob.slider.setValue(0)
    assert "1 x 1 pixels" in made.says.text()
    assert made.slid_count.text().startswith("9")
    made.layer_knob.slider.setValue(1)
    assert made.slid_count.text().startswith("18")


def test_a_larger_photo_is_refused_in_the_words_of_torch(panel: FoundationsPanel, open_: Open, qtbot: QtBot) -> None:
    made = open_("mlp")
    made.grow.click()
    idle(panel, qtbot)
    assert made.refused.isVisible()
    assert "cannot be multiplied" in made.refused.text()
    made.layer_knob.slider.setValue(3)
    assert not made.refused.isVisible()


def test_both_nets_learn_when_the_mlp_is_opened_and_again_when_asked(
    panel: FoundationsPanel, open_: Open, engine: ExploreEngine, qtbot: QtBot
) -> None:
    made = open_("mlp")
    assert len(made.loss_plot.lines) == len(made.shift_plot.lines) == 2
    assert "Moved by 2 pixels" in made.lesson.text()
    made.commands()["again"]()
    idle(panel, qtbot)
    assert sum(isinstance(one, LearnRequest) for one in engine.asked) == 2


def test_learning_can_be_stopped_and_begun_anew(
    panel: FoundationsPanel, open_: Open, engine: ExploreEngine, qtbot: QtBot
) -> None:
    made = open_("mlp")
    made.learn()
    assert "begin to learn" in made.loss_plot.empty
    panel.desk.worker.cancel()
    assert made.learning is None
    assert "Learn again" in made.loss_plot.empty
    made.learn()
    idle(panel, qtbot)
    assert made.learning.epoch == 2


def test_whoever_goes_on_waits_for_no_lesson(
    panel: FoundationsPanel, open_: Open, engine: ExploreEngine, qtbot: QtBot
) -> None:
    made = open_("mlp")
    made.learn()
    panel.choose("documents")
    assert not panel.desk.worker.runs(made.lane())
    panel.choose("mlp")
    idle(panel, qtbot)
    assert made.learning is not None


def test_the_window_can_be_pointed_at_and_moved_by_keys(open_: Open) -> None:
    made = open_("conv")
    made.photo.picked.emit(10, 20)
    assert made.at == (10, 20)
    made.commands()["on"]()
    assert made.at == (10, 21)
    made.commands()["first"]()
    assert made.at == (0, 0)
    made.commands()["last"]()
    assert made.at == tuple(side - 1 for side in made.output.shape)


def test_sliding_goes_on_until_it_is_held(open_: Open, qtbot: QtBot) -> None:
    made = open_("conv")
    before = made.at
    qtbot.waitUntil(lambda: made.at != before)
    made.commands()["play"]()
    assert not made._sliding.isActive()


def test_a_weight_that_is_typed_changes_the_output(open_: Open) -> None:
    made = open_("conv")
    before = made.output.copy()
    made.choices.kernel.item(1, 1).setText("9")
    assert made.weights[1, 1] == 9
    assert made.choices.preset.currentText() == "Your own"
    assert not np.array_equal(made.output, before)
    made.choices.kernel.item(0, 0).setText("nonsense")
    assert made.choices.kernel.item(0, 0).text() == "-1"


@pytest.mark.parametrize("knob", ["size", "stride", "dilation", "photo"])
def test_a_slider_of_the_convolution_answers_at_once(open_: Open, knob: str) -> None:
    made = open_("conv")
    slider = getattr(made.choices, knob).slider
    before = time.process_time()
    slider.setValue(slider.maximum())
    assert time.process_time() - before < 3 * SOON  # tests share their processor
    assert made.says.text()


def test_a_kernel_larger_than_the_photo_is_told_and_forgotten(open_: Open) -> None:
    made = open_("conv")
    made.choices.padding.buttons["none"].click()
    made.choices.photo.slider.setValue(0)
    made.choices.size.slider.setValue(10)
    assert "smaller kernel" in made.says.text()
    assert made.numbers() == {}
    made.choices.size.slider.setValue(2)
    assert "⚠" not in made.says.text()


def test_a_grey_kernel_cannot_slide_over_channels_and_gets_weights_for_them(open_: Open) -> None:
    made = open_("conv")
    made.choices.channels.buttons["rgb"].click()
    assert "not over channels" in made.says.text()
    assert made.weights.shape == (3, 3, 3)
    assert made.output is not None


def test_a_learnt_kernel_slides_over_the_photo(open_: Open) -> None:
    made = open_("conv")
    made.learnt.picked.emit(0, 0)
    np.testing.assert_allclose(made.weights, made.layers.kernels[0])
    assert made.colour


def test_a_channel_tells_which_patch_excites_it(open_: Open, engine: ExploreEngine) -> None:
    made = open_("conv")
    assert any(isinstance(one, MapsRequest) for one in engine.asked)
    made.sheet.sheet.picked.emit(0, 0)
    assert made.sheet.channel == 0
    assert any(mark.text == "channel 0" for mark in made.photo.marks)


def test_a_place_and_a_layer_choose_the_unit(
    panel: FoundationsPanel, open_: Open, engine: ExploreEngine, qtbot: QtBot
) -> None:
    made = open_("field")
    made.photo.picked.emit(0, 0)
    idle(panel, qtbot)
    last = engine.asked[-1]
    assert isinstance(last, UnitRequest)
    assert (last.row, last.column) == (0, 0)
    made.commands()["last"]()
    idle(panel, qtbot)
    assert engine.asked[-1].layer == "head"
    assert "more than the whole photo" in made.says.text()
    assert len(made.photo.marks) == 1
