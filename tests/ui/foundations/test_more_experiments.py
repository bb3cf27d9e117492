"""What can be done in each experiment, and what is seen then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from helpers.explore_engine import ExploreEngine
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from attnviewer.core.explore.requests import (
    AlikeRequest,
    ListenRequest,
    PatchRequest,
    ResizeRequest,
    SwapRequest,
)
from attnviewer.core.request import TranslateRequest
from attnviewer.ui.panels.foundations.base import Experiment
from attnviewer.ui.panels.foundations.documents import DocumentsExperiment
from attnviewer.ui.panels.foundations.panel import FoundationsPanel

Open = Callable[[str], Experiment]
SOON = 0.1  # seconds from a slider to the picture, of process time


def idle(panel: FoundationsPanel, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not panel.desk.worker.busy)


def test_patches_grow_and_any_word_can_be_the_one_to_tell(
    panel: FoundationsPanel, open_: Open, engine: ExploreEngine, qtbot: QtBot
) -> None:
    made = open_("field")
    made.choose("patch")
    idle(panel, qtbot)
    assert "“dog” gets 5% there, and 80%" in made.says.text()
    assert "[dog 90%]" in made.captions.text()
    made.patch_view.group.buttons()[1].click()
    idle(panel, qtbot)
    assert engine.asked[-1].word == 1
    made.photo.picked.emit(5, 7)
    idle(panel, qtbot)
    assert isinstance(engine.asked[-1], PatchRequest)
    assert engine.asked[-1].x is not None
    made.patch_view.curve.picked.emit(20.0)
    assert made.patch_view.at == 0


def test_the_nearer_square_moves_to_the_click(
    panel: FoundationsPanel, open_: Open, engine: ExploreEngine, qtbot: QtBot
) -> None:
    made = open_("field")
    made.choose("swap")
    idle(panel, qtbot)
    first = engine.asked[-1]
    assert isinstance(first, SwapRequest)
    made.photo.picked.emit(0, 5)
    idle(panel, qtbot)
    assert engine.asked[-1].first != first.first or engine.asked[-1].second != first.second
    assert "have changed places" in made.says.text()


def test_attention_listens_from_the_place_that_was_clicked(
    panel: FoundationsPanel, open_: Open, engine: ExploreEngine, qtbot: QtBot
) -> None:
    made = open_("field")
    made.choose("listen")
    idle(panel, qtbot)
    assert isinstance(engine.asked[-1], ListenRequest)
    assert made.heard.row == made.heard.column == 4
    made.photo.picked.emit(0, 0)
    idle(panel, qtbot)
    assert (made.heard.row, made.heard.column) == (0, 0)
    assert [line.name for line in made.far.lines] == ["self-attention", "equal weights", "3x3 convolution"]
    assert f"takes {made.heard.beyond:.0%} of what it hears" in made.says.text()
    assert made.numbers()["attention"] is made.heard
    assert not made.layer_knob.isVisible()


def documents(open_: Open) -> DocumentsExperiment:
    made = open_("documents")
    assert isinstance(made, DocumentsExperiment)
    return made


def test_the_leads_and_falls_when_weighed(open_: Open) -> None:
    made = documents(open_)
    assert made.matrix.rows[0] == "the"
    made.choose_keys("tfidf")
    assert made.matrix.rows[0] != "the"
    assert "fell to 0" in made.says.text()
    made.matrix.pick((0, 0))
    assert "ln(" in made.formula.text()


def test_shuffled_words_leave_the_vector_as_it_is(open_: Open) -> None:
    made = documents(open_)
    text, counts = made.shelf.text, made.documents.counts
    made.commands()["shuffle"]()
    assert made.shelf.text != text
    np.testing.assert_array_equal(made.documents.counts, counts)
    assert "order is lost" in made.says.text()


def test_what_is_typed_is_counted_and_comes_back(panel: FoundationsPanel, open_: Open, qtbot: QtBot) -> None:
    made = documents(open_)
    made.add()
    qtbot.keyClicks(made.box, "zebra zebra")
    qtbot.waitUntil(lambda: "zebra" in made.documents.words)
    assert made.documents.counts[-1, made.documents.place["zebra"]] == 2
    assert "zebra zebra" in panel.desk.settings["documents"]


def test_a_pasted_text_becomes_a_document(panel: FoundationsPanel, open_: Open) -> None:
    made = documents(open_)
    count = len(made.shelf.texts)
    assert panel.take_text("a pasted text")
    assert len(made.shelf.texts) == count + 1


def test_a_text_file_becomes_a_document_and_another_is_told(
    panel: FoundationsPanel, open_: Open, tmp_path: Path
) -> None:
    made = documents(open_)
    (tmp_path / "mine.txt").write_text("a zebra")
    assert panel.take_file(tmp_path / "mine.txt")
    assert made.shelf.name == "mine.txt"
    assert panel.take_file(tmp_path / "missing.txt")
    assert "missing.txt" in made.says.text()
    assert panel.words() == made.says.text()


def test_one_document_none_and_one_without_words_are_told(open_: Open) -> None:
    made = documents(open_)
    while len(made.shelf.texts) > 1:
        made.remove()
    assert "One document alone" in made.says.text()
    made.shelf.write("...")
    made.count()
    assert "hold no words" in made.says.text()
    made.remove()
    assert "no documents" in made.says.text()
    made.remove()
    made.restore()
    assert "⚠" not in made.says.text()


def test_a_document_of_100_000_words_is_counted_and_shown_in_part(open_: Open) -> None:
    made = documents(open_)
    made.add("word other " * 50_000)
    assert made.documents.counts[-1].sum() == 100_000
    assert len(made.box.toPlainText()) < 30_000
    assert made.box.isReadOnly()


def test_learnt_vectors_are_asked_for(
    panel: FoundationsPanel, open_: Open, engine: ExploreEngine, qtbot: QtBot
) -> None:
    made = documents(open_)
    made.choose_way("sentence")
    idle(panel, qtbot)
    assert isinstance(engine.asked[-1], AlikeRequest)
    assert "share no word" in made.pair.text()


def test_the_unrolled_net_is_stepped_through(open_: Open, qtbot: QtBot) -> None:
    made = open_("rnn")
    assert "It repeats: brown." in made.again.text()
    made.commands()["last"]()
    assert made.view.at == 3
    assert "says “runs”" in made.step_says.text()
    made.commands()["back"]()
    assert made.view.at == 2
    qtbot.mouseClick(made.view, Qt.MouseButton.LeftButton, pos=made.view.block(1).center().toPoint())
    assert made.view.at == 0


def test_stepping_through_ends_with_what_the_whole_shows(open_: Open, qtbot: QtBot) -> None:
    made = open_("rnn")
    made._stepping.setInterval(1)
    qtbot.waitUntil(lambda: "go into “brown”" in made.says.text())
    assert not made._stepping.isActive()


def test_a_size_that_is_refused_is_that_of_the_sliders(
    panel: FoundationsPanel, open_: Open, engine: ExploreEngine, qtbot: QtBot
) -> None:
    made = open_("mlp")
    made.side_knob.slider.setValue(3)
    made.enlarge()
    idle(panel, qtbot)
    last = engine.asked[-1]
    assert isinstance(last, ResizeRequest)
    assert last.width == last.side**2


def test_no_translation_is_asked_where_no_sentence_ships(open_: Open, engine: ExploreEngine) -> None:
    open_("rnn")
    assert not any(isinstance(one, TranslateRequest) for one in engine.requests)
