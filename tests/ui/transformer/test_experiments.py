"""The panel's views that run experiments: they open with something, follow their controls, are saved and can fail."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from helpers.inside_engine import InsideEngine
from helpers.pictures import corners
from PySide6.QtCore import QPointF
from pytestqt.qtbot import QtBot

from attnviewer.core.images import Picture
from attnviewer.core.transformer.requests import ContextRequest, PlacesRequest, ShuffleRequest, TimesRequest
from attnviewer.ui.panels.transformer.panel import TransformerPanel
from attnviewer.ui.panels.transformer.views import VIEWS


def shown(panel: TransformerPanel, qtbot: QtBot, key: str) -> Any:
    panel.choose_view(key)
    qtbot.waitUntil(lambda: not panel.desk.worker.busy)
    return panel.views[key]


def test_positions_open_with_waves_that_follow_the_sliders(panel: TransformerPanel, qtbot: QtBot) -> None:
    view = shown(panel, qtbot, "positions")
    assert view.rows.shown.values.shape == (64, 64)
    view.length.slider.setValue(0)
    view.size_.slider.setValue(2)
    assert view.rows.shown.values.shape == (8, 16)
    assert view.pairs.shown.values.shape == (8, 8)
    assert "Neighbours are alike" in view.says.text()
    assert view.aside_title.text() == "A head that asks for “2 to the left”"
    assert (view.head.shown.values[2:].argmax(axis=1) == np.arange(6)).all()


def test_likeness_is_a_cosine_or_an_inner_product(panel: TransformerPanel, qtbot: QtBot) -> None:
    view = shown(panel, qtbot, "positions")
    np.testing.assert_allclose(np.diagonal(view.pairs.shown.values), 1, atol=1e-5)
    view.measures.buttons["dot"].click()
    np.testing.assert_allclose(np.diagonal(view.pairs.shown.values), 32, atol=1e-3)


def test_learnt_positions_are_those_of_the_net(panel: TransformerPanel, engine: InsideEngine, qtbot: QtBot) -> None:
    view = shown(panel, qtbot, "positions")
    view.kinds.buttons["learnt"].click()
    qtbot.waitUntil(lambda: view.rows.shown is not None and view.rows.shown.values.shape == (64, 12))
    assert isinstance(engine.asked[-1], PlacesRequest)
    assert not view.size_.isVisible()


def test_a_relative_net_that_is_not_installed_is_told_in_place(
    panel: TransformerPanel, engine: InsideEngine, qtbot: QtBot
) -> None:
    engine.faults[PlacesRequest] = "no translator es-en-lesson-relative is installed."
    view = shown(panel, qtbot, "positions")
    view.kinds.buttons["relative"].click()
    qtbot.waitUntil(lambda: "isn't installed here" in view.says.text())
    view.kinds.buttons["sinusoidal"].click()
    assert view.says.text().startswith("Each place gets a pattern of waves")


def test_a_shuffled_text_is_compared_in_numbers(panel: TransformerPanel, engine: InsideEngine, qtbot: QtBot) -> None:
    view = shown(panel, qtbot, "positions")
    view.kinds.buttons["shuffle"].click()
    qtbot.waitUntil(lambda: view.text.found is not None)
    with_places, without = (verdict.text() for verdict in view.text.verdicts)
    assert with_places.startswith("Not equal")
    assert without == "Equal: no number differs by more than 1.0e-07, which is rounding."
    view.text.again.click()
    qtbot.waitUntil(lambda: not panel.desk.worker.busy)
    assert [one.seed for one in engine.asked if isinstance(one, ShuffleRequest)] == [0, 1]


def test_a_place_of_the_photo_is_clicked(panel: TransformerPanel, qtbot: QtBot) -> None:
    panel.desk.set_picture(Picture(corners(80, 60)))
    view = shown(panel, qtbot, "positions")
    view.kinds.buttons["photo"].click()
    qtbot.waitUntil(lambda: view.photo.found is not None)
    view.photo.photo.picked.emit(59, 0)
    assert view.photo.cell == (2, 0)
    assert view.photo.vectors.row == 8
    assert "3 × 4 places" in view.says.text()


def test_context_opens_with_bank_and_goes_through_the_layers(
    panel: TransformerPanel, engine: InsideEngine, qtbot: QtBot
) -> None:
    view = shown(panel, qtbot, "context")
    asked = engine.asked[-1]
    assert isinstance(asked, ContextRequest)
    assert asked.word == "bank"
    assert view.layer == 2
    assert "comes out at 0.60" in view.says.text()
    panel.commands()["on"]()
    assert view.layer == view.paths.layer == 0
    view.plot.picked.emit(1.2)
    assert view._lines[1][0].isChecked()
    first = view.paths.place(view.found.paths[0].points[2])
    assert view.paths.at(first) == (0, 2)
    assert "after layer 1: river 0.50" in view.paths.tip(QPointF(first))


def test_a_word_that_is_not_there_is_told_in_place(panel: TransformerPanel, engine: InsideEngine, qtbot: QtBot) -> None:
    view = shown(panel, qtbot, "context")
    engine.faults[ContextRequest] = "“boat” isn't in the sentence."
    view.word.setText("boat")
    view.word.returnPressed.emit()
    qtbot.waitUntil(lambda: view.says.text().startswith("⚠ “boat” isn't"))
    view.word.setText("  ")
    view.read()
    assert "no word to follow" in view.says.text()


def test_times_are_measured_when_asked(panel: TransformerPanel, engine: InsideEngine, qtbot: QtBot) -> None:
    view = shown(panel, qtbot, "cost")
    assert not any(isinstance(one, TimesRequest) for one in engine.asked)
    view.measure.click()
    assert view.measure.text() == "Stop"
    qtbot.waitUntil(lambda: not view.running)
    assert len(view.measured.lines) == 3
    assert view.measured.lines[0].x[-1] == 4096
    assert view.state.text().startswith("4,096 tokens of 384 numbers: self-attention 10.0 ms")


def test_measuring_can_be_stopped(panel: TransformerPanel, qtbot: QtBot) -> None:
    view = shown(panel, qtbot, "cost")
    view.measure.click()
    view.measure.click()
    assert view.measure.text() == "Measure"
    assert view.state.text().startswith("Stopped")
    assert not panel.desk.worker.busy


@pytest.mark.parametrize("key", ["positions", "context", "cost"])
def test_each_is_saved_as_a_figure_as_data_and_as_a_page(panel: TransformerPanel, qtbot: QtBot, key: str) -> None:
    shown(panel, qtbot, key)
    made = panel.makes()
    assert made is not None
    forms = {suffix: make() for suffix, make in made.forms.items()}
    assert made.name == f"transformer-{key}"
    assert json.loads(forms[".json"])["task"] == key
    assert len(forms[".csv"].decode().splitlines()) > 2
    assert forms[".png"].startswith(b"\x89PNG")
    assert b"<table>" in forms[".html"]
    assert panel.words() == panel.views[key].says.text()


def test_the_line_of_text_and_the_choosers_are_there_where_they_count(panel: TransformerPanel, qtbot: QtBot) -> None:
    seen = {}
    for key in ("steps", "positions", "context"):
        shown(panel, qtbot, key)
        choosers = panel.head.heads is not None and panel.head.heads.isVisible()
        seen[key] = (panel.head.field.isVisible(), choosers)
    assert seen == {"steps": (True, True), "positions": (True, False), "context": (False, False)}


@pytest.mark.parametrize("key", [one.key for one in VIEWS])
def test_every_view_can_be_presented(panel: TransformerPanel, qtbot: QtBot, key: str) -> None:
    shown(panel, qtbot, key)
    panel.set_presenter(True)
    assert not panel.grab().isNull()
    assert not panel.head.isVisible()
    panel.set_presenter(False)
    assert not panel.grab().isNull()
