"""The ask panel: queries answered while they are typed, over regions, words and lines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.query_engine import QueryEngine
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from attnviewer.core.events import Failed, Progress, Progressed
from attnviewer.ui.panels.query.items import stretch
from attnviewer.ui.panels.query.panel import QueryPanel
from attnviewer.ui.panels.query.state import FIRST, LINES, SECOND, WORDS
from attnviewer.ui.window import Window

FEW = ("apple pie", "banana", "cherry cake", "???")


@pytest.fixture
def engine() -> QueryEngine:
    return QueryEngine()


@pytest.fixture
def window(make_window: Callable[..., Window], engine: QueryEngine, photo: Path, qtbot: QtBot) -> Window:
    made = make_window(engine)
    made.opener.open_paths([photo])
    made.show_panel("query")
    rest(qtbot, made)
    return made


@pytest.fixture
def panel(window: Window) -> QueryPanel:
    found = window.panels["query"]
    assert isinstance(found, QueryPanel)
    return found


def rest(qtbot: QtBot, window: Window) -> None:
    qtbot.waitUntil(lambda: not window.desk.worker.busy)


def ask(qtbot: QtBot, panel: QueryPanel, text: str, lane: str = FIRST) -> None:
    panel.side.fields[lane].setText(text)
    qtbot.waitUntil(lambda: lane in panel.state.traces and panel.state.traces[lane].words == (text,), timeout=60_000)


def shown(panel: QueryPanel) -> list[str]:
    return [row.row.label for row in panel.side.items.rows if not row.isHidden() and row.row is not None]


@pytest.fixture
def lines(panel: QueryPanel, qtbot: QtBot, window: Window) -> QueryPanel:
    panel.choose_kind(LINES)
    panel.source.lines.setPlainText("\n".join(FEW))
    rest(qtbot, window)
    return panel


def test_every_letter_asks_and_the_best_comes_first(lines: QueryPanel, qtbot: QtBot, engine: QueryEngine) -> None:
    lines.side.fields[FIRST].clear()
    qtbot.keyClicks(lines.side.fields[FIRST], "ban")
    qtbot.waitUntil(lambda: lines.state.trace is not None and lines.state.trace.words == ("ban",))
    assert engine.asked[-1].text == "ban"
    assert shown(lines)[0] == "banana"
    assert sum(row.values[0] for row in lines.state.rows()) == pytest.approx(1, abs=1e-4)


def test_items_can_stand_in_the_order_of_the_source(lines: QueryPanel, qtbot: QtBot) -> None:
    ask(qtbot, lines, "banana")
    lines.choose("sort", False)
    assert shown(lines) == list(FEW)


def test_an_item_without_a_vector_is_marked(lines: QueryPanel, qtbot: QtBot) -> None:
    ask(qtbot, lines, "banana")
    assert [row.known for row in sorted(lines.state.rows(), key=lambda row: row.item)] == [True, True, True, False]


def test_a_stretched_item_draws_more_under_dot_and_no_more_under_cosine(lines: QueryPanel, qtbot: QtBot) -> None:
    def weight_of_cherry(score: str, scale: float) -> float:
        lines.choose("score", score)
        lines.stretch(2, scale)
        qtbot.waitUntil(lambda: not lines.desk.worker.busy)
        return float(lines.state.trace.weights[0, 0, 2])

    lines.choose("temperature", 5.0)
    ask(qtbot, lines, "banana rye")
    assert weight_of_cherry("dot", 5.0) > 2 * weight_of_cherry("dot", 1.0)
    assert weight_of_cherry("cosine", 5.0) == pytest.approx(weight_of_cherry("cosine", 1.0))


def test_the_slider_of_a_row_stretches_its_item(lines: QueryPanel, qtbot: QtBot, engine: QueryEngine) -> None:
    ask(qtbot, lines, "banana")
    lines.side.items.rows[0].slider.setValue(100)
    qtbot.waitUntil(lambda: engine.asked[-1].scales == (1, 5, 1, 1))
    assert not lines.side.unscale.isHidden()
    lines.side.unscale.click()
    qtbot.waitUntil(lambda: engine.asked[-1].scales is None)


def test_scales_reach_from_a_fifth_to_five() -> None:
    assert (stretch(-100), stretch(0), stretch(100)) == (0.2, 1.0, 5.0)


def test_two_queries_are_two_series(lines: QueryPanel, qtbot: QtBot) -> None:
    ask(qtbot, lines, "banana")
    ask(qtbot, lines, "cherry", SECOND)
    assert list(lines.state.series) == ["A: banana", "B: cherry"]
    assert len(lines.state.rows()[0].values) == 2
    lines.side.fields[SECOND].clear()
    assert list(lines.state.series) == ["A: banana"]


def test_each_of_two_queries_can_stand_in_front_with_its_own_numbers(lines: QueryPanel, qtbot: QtBot) -> None:
    ask(qtbot, lines, "banana")
    ask(qtbot, lines, "cherry", SECOND)
    assert not lines.side.front.isHidden()
    lines.side.front.buttons[SECOND].click()
    assert lines.state.trace is lines.state.traces[SECOND]
    first = lines.state.rows()[0]
    assert f"{first.weight:.4f}" in lines.side.steps[1].text()
    assert first.weight == first.values[1]
    lines.side.fields[SECOND].clear()
    assert lines.side.front.isHidden()
    assert lines.state.trace is lines.state.traces[FIRST]


def test_the_map_and_what_is_there_are_those_of_each_query(panel: QueryPanel, qtbot: QtBot) -> None:
    ask(qtbot, panel, "c")
    ask(qtbot, panel, "g", SECOND)
    assert panel.side.there.text() == "A: Probably there: 90%.\nB: Probably there: 90%."
    before = panel.source.stage.peak.getData()
    panel.side.front.buttons[SECOND].click()
    assert panel.source.stage.peak.getData() != before


def test_what_no_item_matches_is_told_of_the_second_query_too(lines: QueryPanel, qtbot: QtBot) -> None:
    ask(qtbot, lines, "banana")
    ask(qtbot, lines, "123", SECOND)
    assert lines.side.notes.text() == "B: All scores are equal."


def test_any_place_of_the_photo_shows_its_own_formula(panel: QueryPanel, qtbot: QtBot) -> None:
    ask(qtbot, panel, "c")
    last = len(panel.state.trace.locations) - 1
    assert panel.state.rows()[0].item != last
    panel.source.stage.hover(last)
    lowest = panel.state.trace.locations.rows - 1
    assert f"({lowest}, {lowest})" in panel.side.of.text()
    assert f"{panel.state.row(last).score:.4f}" in panel.side.steps[0].text()


def test_the_panel_opens_with_a_query_answered(panel: QueryPanel, qtbot: QtBot) -> None:
    assert panel.side.fields[FIRST].text() == "a person"
    assert panel.state.trace is not None
    panel.choose_kind(WORDS)
    assert panel.side.fields[FIRST].text() == "animal"
    qtbot.waitUntil(lambda: panel.state.trace is not None)


def test_a_query_of_ones_own_stays_when_other_items_are_asked(panel: QueryPanel, qtbot: QtBot) -> None:
    ask(qtbot, panel, "zebra")
    panel.choose_kind(WORDS)
    assert panel.side.fields[FIRST].text() == "zebra"


def test_what_is_going_on_is_told_and_what_was_typed_is_kept(panel: QueryPanel) -> None:
    panel.side.fields[FIRST].setText("dog")
    panel.state.traces.clear()
    panel.on_event(Progressed(1, FIRST, Progress("Loading the sentence encoder")))
    assert panel.side.items.empty.text().startswith("Loading the sentence encoder. What you typed is kept")
    assert panel.side.fields[FIRST].text() == "dog"


def test_a_query_that_failed_says_why(panel: QueryPanel) -> None:
    panel.on_event(Failed(1, FIRST, "the encoder is missing; install it."))
    assert panel.side.items.empty.text() == "the encoder is missing; install it."


def test_an_empty_field_asks_for_a_query(panel: QueryPanel) -> None:
    panel.side.fields[FIRST].clear()
    assert panel.side.items.empty.text() == "Type what you look for, or choose a query under Try."
    assert panel.state.trace is None


def test_the_sentence_encoder_is_loaded_while_nothing_is_done(
    panel: QueryPanel, qtbot: QtBot, engine: QueryEngine
) -> None:
    panel._warming.done = False
    panel.choose_kind(WORDS)
    qtbot.waitUntil(lambda: engine.asked[-1].keys == "sentence")
    assert panel._warming.done


def test_lines_keep_the_numbers_of_their_file_and_a_click_goes_to_the_line(
    panel: QueryPanel, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "gaps.txt"
    path.write_text("\n\nalpha\n" + "\n" * 200 + "zebra\n")
    panel.choose_kind(LINES)
    assert panel.source.open_file(path)
    ask(qtbot, panel, "zebra")
    row = panel.side.items.rows[0]
    assert (row.row.label, row.row.number) == ("zebra", 204)
    qtbot.mouseClick(row, Qt.MouseButton.LeftButton)
    assert panel.source.lines.textCursor().block().text() == "zebra"
    assert panel.source.lines.verticalScrollBar().value() > 100


def test_four_keys_are_four_series(lines: QueryPanel, qtbot: QtBot) -> None:
    ask(qtbot, lines, "banana")
    lines.choose("keys", "all")
    qtbot.waitUntil(lambda: len(lines.state.series) == 4)
    assert len(lines.state.rows()[0].values) == 4


def test_the_formula_shows_the_numbers_of_the_item_under_the_pointer(lines: QueryPanel, qtbot: QtBot) -> None:
    ask(qtbot, lines, "banana")
    row = next(row for row in lines.state.rows() if row.label == "cherry cake")
    lines.side.items.hovered.emit(row.item)
    assert lines.side.of.text() == "For “cherry cake”:"
    assert f"{row.score:.4f}" in lines.side.steps[0].text()
    assert f"{row.values[0]:.4f}" in lines.side.steps[1].text()
