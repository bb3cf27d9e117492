"""RNN beside Transformer: both translate one sentence, and one clock moves through both maps."""

from __future__ import annotations

import json
from typing import Any

import pytest
from helpers.inside_engine import InsideEngine
from pytestqt.qtbot import QtBot

from attnviewer.core.card import ModelCard
from attnviewer.ui.panels.transformer.beside import known
from attnviewer.ui.panels.transformer.panel import TransformerPanel


@pytest.fixture
def view(panel: TransformerPanel, qtbot: QtBot) -> Any:
    panel.choose_view("beside")
    found = panel.views["beside"]
    qtbot.waitUntil(lambda: found.player.playing)
    return found


def test_both_translate_and_both_play_from_the_first_word(view: Any) -> None:
    assert {half.trace.text for half in view.halves.values()} == {view.halves["rnn"].trace.text}
    assert "Both say the same." in view.says.text()
    assert (view.play.text(), view.play.property("glyph")) == ("Pause", "pause")
    view.player.pause()
    assert (view.play.text(), view.play.property("glyph")) == ("Play", "play")


def test_one_clock_moves_through_both_maps(panel: TransformerPanel, view: Any) -> None:
    panel.commands()["first"]()
    panel.commands()["on"]()
    for half in view.halves.values():
        assert half.map.row == 1
        assert half.map.shown.values[:2].sum() == pytest.approx(2, abs=1e-4)
        assert not half.map.shown.values[2:].any()
        assert half.said.text().endswith(f"[{half.trace.words[1]}]")
    view.halves["rnn"].map.clicked.emit(3, 0)
    assert view.halves["transformer"].map.row == 3
    panel.choose_view("steps")
    assert not view.player.playing


def test_another_sentence_is_translated_by_both(panel: TransformerPanel, view: Any, qtbot: QtBot) -> None:
    view.field.setText("El perro duerme")
    view.field.returnPressed.emit()
    qtbot.waitUntil(lambda: view.player.playing and not panel.desk.worker.busy)
    assert [half.trace.text for half in view.halves.values()] == ["the dog sleeps"] * 2
    view.field.setText(" ")
    view.read()
    assert view.says.text().startswith("⚠")


def test_a_transformer_that_is_not_installed_leaves_the_rnn_alone(
    panel: TransformerPanel, engine: InsideEngine, qtbot: QtBot
) -> None:
    engine.missing = ("es-en-transformer",)
    panel.choose_view("beside")
    found = panel.views["beside"]
    qtbot.waitUntil(lambda: bool(found.faults) and found.halves["rnn"].seconds is not None)
    assert "isn't installed" in found.halves["transformer"].said.text()
    assert found.halves["rnn"].trace is not None


def test_both_are_saved(panel: TransformerPanel, view: Any) -> None:
    made = panel.makes()
    assert made is not None
    assert set(json.loads(made.forms[".json"]())) >= {"rnn", "transformer"}
    assert len(made.forms[".csv"]().decode().splitlines()) == 1 + sum(
        len(half.trace.words) for half in view.halves.values()
    )


def test_what_is_known_of_a_net_is_told_as_far_as_it_is(view: Any) -> None:
    card: ModelCard = view.cards["es-en-attention"]
    assert known("a", card, 0.5, 8).startswith("a  ·  500 ms for 8 words  ·  BLEU 58.0  ·  4.5 million parameters")
    assert known("a", None, None, 8) == "a"
