"""The Transformer panel: it opens with an example, steps, heads, changes and what they do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from helpers.attend_engine import AttendEngine
from PySide6.QtCore import QPointF
from pytestqt.qtbot import QtBot

from attnviewer.core.ablation import Ablation
from attnviewer.ui.panels.transformer.panel import TransformerPanel
from attnviewer.ui.panels.transformer.state import SAMPLES, SPANISH, TransformerState
from attnviewer.ui.panels.transformer.views import VIEWS
from attnviewer.ui.window import Window


def settle(panel: TransformerPanel, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not panel.state.lanes and not panel.desk.worker.busy)


def test_it_opens_with_a_worked_example_on_screen(panel: TransformerPanel, engine: AttendEngine) -> None:
    view = panel.views["steps"]
    assert engine.requests[0].text == SAMPLES[0] == panel.head.field.text()
    assert view.title.text() == "9. Weighted sum"
    assert view.sum.text().startswith(f"z({panel.state.tokens[panel.state.token]})")
    assert [heat.shown.values.shape for heat in view.maps] == [(14, 14), (14, 4), (14, 4)]
    assert all(heat.row == panel.state.token for heat in view.maps)


def test_steps_are_played_chosen_and_gone_through_by_keys(panel: TransformerPanel) -> None:
    view = panel.views["steps"]
    panel.commands()["first"]()
    assert view.title.text() == "1. Tokens"
    panel.commands()["back"]()
    assert view.title.text() == "10. All at once"
    assert len(view.maps) == 6
    panel.commands()["play"]()
    assert view.play.text() == "Pause"
    panel.choose_view("glance")
    assert view.play.text() == "Play"


def test_a_row_lit_in_one_matrix_is_lit_in_all_and_its_cell_is_written_out(panel: TransformerPanel) -> None:
    view = panel.views["steps"]
    view.maps[2].hovered.emit(3, 1)
    assert [heat.row for heat in view.maps] == [3, 3, 3]
    assert view.maps[1].column == 1
    assert view.sum.text().startswith(f"z({panel.state.tokens[3]})[1]")
    view.maps[2].hovered.emit(-1, -1)
    assert view.maps[0].row == panel.state.token
    view.maps[0].clicked.emit(5, 2)
    assert panel.state.token == 5


def test_numbers_are_sorted_by_the_lit_row(panel: TransformerPanel) -> None:
    view = panel.views["steps"]
    view.sort.click()
    row = view.maps[2].shown.values[panel.state.token]
    assert (np.diff(row) <= 0).all()


def test_layer_and_head_are_chosen_above_by_keys_or_in_the_grid(panel: TransformerPanel) -> None:
    assert (panel.state.layer, panel.state.head) == (0, 2)  # of the heads that there are
    panel.head.layers.buttons["1"].click()
    panel.commands()["head_on"]()
    assert (panel.state.layer, panel.state.head) == (1, 0)
    panel.choose_view("glance")
    panel.views["glance"].grid.chosen.emit(0, 1)
    assert panel.head.heads.buttons["1"].isChecked()
    np.testing.assert_array_equal(panel.views["glance"].large.shown.values, panel.state.inside.weights[0, 1])


@pytest.mark.parametrize(("way", "sums"), [("mean", True), ("max", False), ("rollout", True), ("norm", False)])
def test_heads_are_taken_together_in_several_ways(panel: TransformerPanel, way: str, sums: bool) -> None:
    panel.choose_view("glance")
    view = panel.views["glance"]
    view.ways.buttons[way].click()
    shown = view.large.shown.values
    assert np.allclose(shown.sum(axis=1), 1, atol=1e-4) is sums
    assert "looks most at" in view.text.text()


def test_a_click_in_the_grid_of_maps_takes_that_head(panel: TransformerPanel) -> None:
    panel.choose_view("glance")
    grid = panel.views["glance"].grid
    assert grid.at(QPointF(grid.box(1, 2).center())) == (1, 2)
    assert grid.tip(1, 2).startswith("Layer 1, head 2: ")


def test_a_head_is_switched_off_made_uniform_and_on_again(
    panel: TransformerPanel, engine: AttendEngine, qtbot: QtBot
) -> None:
    panel.choose_view("change")
    view = panel.views["change"]
    view.switches.press(1, 2)
    settle(panel, qtbot)
    assert engine.requests[-1].change == Ablation(off=((1, 2),))
    assert "The change turned" in view.said.text()
    assert len(view.bars.bars) == 14
    view.switches.press(1, 2)
    assert panel.state.change == Ablation(uniform=((1, 2),))
    view.switches.press(1, 2)
    assert not panel.state.changed
    assert "Nothing is changed" in view.said.text()


def test_a_whole_layer_or_all_but_one_head_are_switched_off(panel: TransformerPanel) -> None:
    panel.choose_view("change")
    view = panel.views["change"]
    view.switches.press(0, -1)
    assert panel.state.change.off == ((0, 0), (0, 1), (0, 2))
    view.all_but()
    assert panel.state.change.off == ((0, 0), (0, 1), (1, 0), (1, 1), (1, 2))
    panel.commands()["undo"]()
    assert panel.state.change == Ablation()


def test_masks_and_single_cells_take_links_away(panel: TransformerPanel, qtbot: QtBot) -> None:
    panel.choose_view("change")
    view = panel.views["change"]
    view.masks.buttons["future"].click()
    settle(panel, qtbot)
    after = view.after.shown.values
    assert not np.triu(after, 1).any()
    assert np.triu(view.before.shown.values, 1).any()
    view.after.clicked.emit(4, 2)
    settle(panel, qtbot)
    assert panel.state.change.hidden == ((4, 2),)
    assert view.after.shown.values[4, 2] == 0
    view.after.clicked.emit(4, 2)
    assert panel.state.change.hidden == ()


def test_the_last_cell_of_a_row_cannot_be_masked(panel: TransformerPanel) -> None:
    panel.choose_view("change")
    count = len(panel.state.tokens)
    panel.alter(Ablation(hidden=tuple((3, place) for place in range(count - 1))))
    panel.views["change"].after.clicked.emit(3, count - 1)
    assert len(panel.state.change.hidden) == count - 1


@pytest.mark.parametrize(("name", "value"), [("positions", False), ("residuals", False), ("tied", True)])
def test_switches_of_the_net_are_in_the_request(panel: TransformerPanel, name: str, value: bool) -> None:
    panel.choose_view("change")
    panel.views["change"].flags[name].click()
    assert getattr(panel.state.request("transformer-changed").change, name) is value


def test_another_text_is_read_remembered_and_exported(
    panel: TransformerPanel, engine: AttendEngine, qtbot: QtBot
) -> None:
    panel.head.field.setText("  the cat   sleeps ")
    panel.head.field.returnPressed.emit()
    settle(panel, qtbot)
    assert panel.state.tokens == ("[CLS]", "the", "cat", "sleeps", "[SEP]")
    assert panel.desk.settings["attended"][0] == "the cat sleeps"
    trace, picture = panel.result()  # type: ignore[misc]
    assert (trace.task, picture) == ("attend", None)


def test_a_text_that_cannot_be_read_says_so_in_place(panel: TransformerPanel, qtbot: QtBot) -> None:
    panel.read("word " * 700)
    qtbot.waitUntil(lambda: panel.head.fault.isVisible())
    assert "shorten it" in panel.head.fault.text()
    panel.read("short again")
    settle(panel, qtbot)
    assert not panel.head.fault.isVisible()


@pytest.mark.parametrize("view", [one.key for one in VIEWS])
def test_each_view_shows_512_tokens_and_paints_in_both_themes(panel: TransformerPanel, qtbot: QtBot, view: str) -> None:
    panel.read("word " * 510)
    settle(panel, qtbot)
    panel.choose_view(view)
    for theme in ("dark", "light"):
        panel.desk.set_theme(theme)
        assert not panel.grab().isNull()


@pytest.mark.parametrize("key", [one.key for one in VIEWS])
def test_the_view_of_last_time_comes_back(
    make_window: Callable[..., Window], engine: AttendEngine, qtbot: QtBot, key: str
) -> None:
    window = make_window(engine)
    window.show_panel("transformer")
    window.panel.choose_view(key)
    again = make_window(engine)
    again.show_panel("transformer")
    assert again.panel._tools.buttons[key].isChecked()


def test_a_saved_trace_of_another_program_shows_its_heads(
    panel: TransformerPanel, qtbot: QtBot, tmp_path: Path
) -> None:
    weights = np.full((2, 4, 3, 3), 1 / 3, np.float32)
    np.savez(tmp_path / "mine.npz", weights=weights, tokens=np.array(["a", "b", "c"]))
    panel.window().opener.open_paths([tmp_path / "mine.npz"])
    assert panel.isVisible()
    assert panel.state.tokens == ("a", "b", "c")
    assert len(panel.head.heads.buttons) == 4
    np.testing.assert_allclose(panel.views["glance"].large.shown.values, 1 / 3)
    for key in ("steps", "change"):
        panel.choose_view(key)
        assert "saved trace" in (panel.views[key].text if key == "steps" else panel.views[key].said).text()
    panel.read("now a text")
    settle(panel, qtbot)
    assert panel.state.saved is None
    assert panel.state.tokens[1] == "now"


def test_the_links_of_the_lit_token_go_through_all_layers(panel: TransformerPanel) -> None:
    panel.choose_view("glance")
    links = panel.views["glance"].links
    assert len(links.links) == 2
    assert all(link[2] >= 0.02 for layer in links.links for link in layer)
    links.pointed.emit(2)
    assert panel.state.token == links.token == 2


def test_a_layer_unrolled_tells_its_parts(panel: TransformerPanel) -> None:
    panel.choose_view("layer")
    view = panel.views["layer"]
    assert view.title.text() == f"Layer 0 at “{panel.state.tokens[panel.state.token]}”"
    assert len(view.lengths.bars) == len(view.directions.bars) == 5
    assert view.left.shown.values.shape == (3, 14)
    assert view.says.text().startswith("Attention adds a vector")
    assert view.directions.bars[0].told == "1.00"
    view.left.clicked.emit(1, 4)
    assert panel.state.token == 4


def test_residuals_are_switched_off_in_the_layer(panel: TransformerPanel, engine: AttendEngine, qtbot: QtBot) -> None:
    panel.choose_view("layer")
    view = panel.views["layer"]
    view.residuals.click()
    settle(panel, qtbot)
    assert engine.requests[-1].change == Ablation(residuals=False)
    assert view.says.text().startswith("Residuals are off")
    panel.commands()["undo"]()
    assert view.residuals.isChecked()


def test_the_lens_looks_through_the_layers_of_what_is_read(panel: TransformerPanel, qtbot: QtBot) -> None:
    panel.choose_view("layer")
    view = panel.views["layer"]
    view.pages.buttons["lens"].click()
    settle(panel, qtbot)
    assert view.said.lens.tokens == panel.state.tokens
    assert "nearest" in view.hint.text()
    view.said.pointed.emit(1, 3)
    assert view.said.at == panel.state.token == 3
    panel.read("another text")
    settle(panel, qtbot)
    assert view.said.lens.tokens == ("[CLS]", "another", "text", "[SEP]")


def test_costs_begin_with_the_text_and_follow_the_sliders(panel: TransformerPanel) -> None:
    panel.choose_view("cost")
    view = panel.views["cost"]
    assert view.told.text() == "14 tokens of 384 numbers"
    view.length.setValue(48)
    assert view.told.text() == "4,096 tokens of 384 numbers"
    assert view._cells[0][0].text() == "self-attention"
    assert "the square of the length" in view.says.text()


def test_the_state_begins_with_a_word_that_looks_at_another() -> None:
    assert TransformerState().request("transformer-plain").change == Ablation()


def test_another_net_reads_a_text_in_its_own_language(
    panel: TransformerPanel, engine: AttendEngine, qtbot: QtBot
) -> None:
    panel.head.show_models([("", "English"), ("es-en-transformer", "Spanish")], "")
    panel.head.models.setCurrentIndex(1)
    panel.head.models.activated.emit(1)
    settle(panel, qtbot)
    assert (engine.requests[-1].model, engine.requests[-1].text) == ("es-en-transformer", SPANISH[0])
    assert panel.head.field.text() == SPANISH[0]
    assert panel.head.samples.menu().actions()[1].text() == SPANISH[1]
    panel.choose_model("")
    settle(panel, qtbot)
    assert (engine.requests[-1].model, engine.requests[-1].text) == (None, SAMPLES[0])
