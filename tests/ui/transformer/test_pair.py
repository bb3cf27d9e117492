"""Encoder, decoder and the look between: masks are painted, the decoder may look ahead, the lens tells each layer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from helpers.inside_engine import InsideEngine
from PySide6.QtCore import QPointF
from pytestqt.qtbot import QtBot

from attnviewer.core.habits import Habit
from attnviewer.core.transformer.requests import PairRequest
from attnviewer.ui.panels.transformer.panel import TransformerPanel


@pytest.fixture
def view(panel: TransformerPanel, qtbot: QtBot) -> Any:
    panel.choose_view("pair")
    qtbot.waitUntil(lambda: panel.views["pair"].found is not None)
    return panel.views["pair"]


def settle(panel: TransformerPanel, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not panel.desk.worker.busy)


def test_it_opens_with_a_translation_and_three_maps(view: Any) -> None:
    assert [view.maps[part].shown.values.shape for part in ("encoder", "decoder", "cross")] == [(7, 7), (4, 4), (4, 7)]
    assert view.says.text().startswith("“The white house”")
    assert "another last word moves earlier ones not at all" in view.says.text()
    assert [bar.label for bar in view.chances.bars] == ["The", "white", "house", "(end)"]


def test_the_decoder_is_let_look_ahead_and_masked_again(
    panel: TransformerPanel, view: Any, engine: InsideEngine, qtbot: QtBot
) -> None:
    view.ahead.click()
    settle(panel, qtbot)
    asked = engine.asked[-1]
    assert isinstance(asked, PairRequest)
    assert asked.ahead
    assert asked.words == ("The", "white", "house")
    assert "“house” falls from 95% to 20%" in view.says.text()
    assert np.triu(view.maps["decoder"].shown.values, 1).any()
    panel.commands()["undo"]()
    assert not view.ahead.isChecked()
    assert not np.triu(view.maps["decoder"].shown.values, 1).any()


def test_cells_are_painted_and_a_row_keeps_one(
    panel: TransformerPanel, view: Any, engine: InsideEngine, qtbot: QtBot
) -> None:
    view.maps["decoder"].clicked.emit(2, 0)
    view.maps["decoder"].dragged.emit(2, 1)
    view.maps["decoder"].dragged.emit(2, 2)
    settle(panel, qtbot)
    assert engine.asked[-1].change.decoder.hidden == ((2, 0), (2, 1))  # type: ignore[attr-defined]
    assert view.says.text().startswith("2 cells are masked.")
    view.maps["decoder"].clicked.emit(2, 0)
    settle(panel, qtbot)
    assert view.change.decoder.hidden == ((2, 1),)
    view.maps["decoder"].clicked.emit(1, 3)
    assert view.change.decoder.hidden == ((2, 1),)


def test_a_word_is_lit_in_every_map_and_in_the_lens(panel: TransformerPanel, view: Any) -> None:
    panel.commands()["on"]()
    assert view.word == view.maps["cross"].row == view.maps["decoder"].row == view.lens.at == 1
    view.maps["cross"].hovered.emit(2, 3)
    assert (view.maps["decoder"].row, view.maps["encoder"].row) == (2, 3)
    view.lens.pointed.emit(0, 3)
    assert view.word == 3


def test_layers_and_heads_are_chosen_by_buttons_and_keys(panel: TransformerPanel, view: Any) -> None:
    view.heads.buttons["1"].click()
    np.testing.assert_array_equal(view.maps["cross"].shown.values, view.found.cross[1, 1])
    panel.commands()["layer_on"]()
    np.testing.assert_array_equal(view.maps["cross"].shown.values, view.found.cross[0, 1])
    panel.commands()["head_on"]()
    np.testing.assert_allclose(view.maps["cross"].shown.values, view.found.cross[0].mean(axis=0))


def test_the_lens_tells_all_words_of_a_cell(view: Any) -> None:
    box = view.lens.box(2, 1)
    assert view.lens.cell(QPointF(box.center())) == (2, 1)
    assert view.lens.tip(QPointF(box.center())) == "1, at “white”: white 0.90, other 0.10"


def test_a_transformer_that_is_not_installed_is_told(
    panel: TransformerPanel, engine: InsideEngine, qtbot: QtBot
) -> None:
    engine.faults[PairRequest] = "no translator es-en-transformer is installed; there are: none."
    panel.choose_view("pair")
    qtbot.waitUntil(lambda: "isn't installed" in panel.views["pair"].says.text())
    assert "train it" in panel.views["pair"].says.text()
    assert panel.makes() is None


def test_what_was_measured_of_the_head_in_sight_stands_below_its_map(view: Any) -> None:
    view.habits = {"cross:1.0": Habit("aligned", 0.6, 1.5)}
    view.choose_head(0)
    assert view.notes["cross"].text() == "Measured: aligned word gets 60% of its weight; BLEU without it −1.50"
    assert view.notes["decoder"].isHidden()
    view.choose_head(1)
    assert view.notes["cross"].isHidden()
