"""The ask panel: queries answered while they are typed, over regions, words and lines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from helpers.query_engine import QueryEngine
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from attnviewer.ui.desk import Desk
from attnviewer.ui.installed import Installed
from attnviewer.ui.panels.query.panel import QueryPanel
from attnviewer.ui.panels.query.side import step_of, temperature_at
from attnviewer.ui.panels.query.state import FIRST, LINES, MOST_SHOWN, REGIONS, WORDS
from attnviewer.ui.settings import Settings
from attnviewer.ui.window import Window
from attnviewer.ui.worker import Worker

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


@pytest.mark.parametrize("score", ["dot", "scaled", "cosine"])
def test_the_formula_adds_up(lines: QueryPanel, qtbot: QtBot, score: str) -> None:
    lines.choose("score", score)
    ask(qtbot, lines, "banana")
    trace, row = lines.state.trace, lines.state.rows()[0]
    assert np.exp(row.score / trace.temperature - trace.lookups[0].total) == pytest.approx(row.values[0], rel=1e-3)


def test_a_hundred_thousand_lines_show_the_best_and_count_the_rest(
    panel: QueryPanel, qtbot: QtBot, window: Window, tmp_path: Path
) -> None:
    path = tmp_path / "many.txt"
    path.write_text("\n".join(f"line {i}" for i in range(99_999)) + "\nzebra\n")
    panel.choose_kind(LINES)
    assert panel.source.open_file(path)
    ask(qtbot, panel, "zebra")
    assert shown(panel)[0] == "zebra"
    assert len(shown(panel)) == MOST_SHOWN
    assert panel.side.items.more.text() == f"and {100_000 - MOST_SHOWN:,} more, each with less weight"
    assert panel.source.lines.isReadOnly()


def test_a_file_that_is_no_text_is_told_and_the_last_lines_stay(
    lines: QueryPanel, window: Window, tmp_path: Path
) -> None:
    path = tmp_path / "sound.txt"
    path.write_bytes(b"RIFF\x00\x01\x02")
    assert not lines.source.open_file(path)
    assert "is not text" in window.status.message.text()
    assert lines.state.lines == FEW


def test_a_dropped_text_file_becomes_lines(panel: QueryPanel, qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text("first\nsecond\n")
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    panel.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, mime, buttons, keys))
    rest(qtbot, window)
    assert panel.state.kind == LINES
    assert panel.state.lines == ("first", "second")
    nothing = QMimeData()
    panel.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, nothing, buttons, keys))
    assert panel.state.lines == ("first", "second")


def test_no_lines_ask_for_some(lines: QueryPanel, qtbot: QtBot) -> None:
    lines.source.lines.setPlainText("\n \n")
    assert shown(lines) == []
    assert "drop a text file" in lines.side.items.empty.text()


def test_the_words_of_a_sentence_are_items(panel: QueryPanel, qtbot: QtBot) -> None:
    panel.choose_kind(WORDS)
    panel.source.sentence.setPlainText("Bananas, please!")
    ask(qtbot, panel, "banana")
    assert shown(panel) == ["Bananas", "please"]
    assert panel.source.words.words == ("Bananas", "please")
    assert panel.source.words.word_at(QPointF(10, 10)) == 0


def test_regions_are_shown_over_the_photo_and_as_a_mask(panel: QueryPanel, qtbot: QtBot) -> None:
    ask(qtbot, panel, "c")
    assert panel.source.stage.overlay.isVisible()
    assert not panel.source.cutout.pixmap().isNull()
    assert panel.side.there.text() == "Probably there: 90%."
    assert "(0, 2)" in shown(panel)[0]
    panel.side.items.hovered.emit(2)
    assert panel.source.stage.location == 2


def test_another_photo_is_asked_at_once(panel: QueryPanel, window: Window, qtbot: QtBot, engine: QueryEngine) -> None:
    ask(qtbot, panel, "dog")
    before = len(engine.asked)
    window.opener.open_sample(window.desk.installed.samples[0])
    qtbot.waitUntil(lambda: len(engine.asked) > before and engine.asked[-1].text == "dog")
    rest(qtbot, window)
    assert panel.state.trace is not None


def test_nothing_is_asked_while_another_panel_is_in_sight(window: Window, qtbot: QtBot, engine: QueryEngine) -> None:
    window.show_panel("image")
    before = len(engine.asked)
    window.opener.open_sample(window.desk.installed.samples[0])
    rest(qtbot, window)
    assert len(engine.asked) == before


def test_choices_reach_the_request(lines: QueryPanel, qtbot: QtBot, engine: QueryEngine, window: Window) -> None:
    lines.side.fields[FIRST].setText("dog")
    lines.side.score.buttons["scaled"].click()
    lines.side.weights.buttons["hard"].click()
    lines.side.heat.setValue(step_of(2.0))
    rest(qtbot, window)
    asked = engine.asked[-1]
    assert (asked.score, asked.hard) == ("scaled", True)
    assert asked.temperature == pytest.approx(2.0, rel=0.05)
    lines.side.heat_reset.click()
    rest(qtbot, window)
    assert engine.asked[-1].temperature is None


def test_the_slider_and_the_temperature_agree() -> None:
    for step in (0, 50, 120, 200):
        assert abs(step_of(temperature_at(step)) - step) <= 1


def test_finished_queries_are_remembered(lines: QueryPanel, settings: Settings, qtbot: QtBot) -> None:
    for text in ("banana", "cherry", "banana"):
        lines.side.fields[FIRST].setText(text)
        lines.side.fields[FIRST].editingFinished.emit()
    assert lines.state.history == ("banana", "cherry")
    assert settings["queries"] == ("banana", "cherry")
    assert lines.side.fields[FIRST].completer().model().rowCount() == 2


def test_a_sample_query_is_a_click_away(lines: QueryPanel, qtbot: QtBot, engine: QueryEngine) -> None:
    lines.side.samples.menu().actions()[0].trigger()
    qtbot.waitUntil(lambda: engine.asked[-1].text == "puppy")
    assert lines.side.fields[FIRST].text() == "puppy"


def test_the_answer_can_be_exported(panel: QueryPanel, qtbot: QtBot) -> None:
    ask(qtbot, panel, "dog")
    trace, picture = panel.result() or (None, None)
    assert trace is panel.state.trace
    assert picture is panel.state.picture


def test_without_a_grounder_regions_are_not_offered(qtbot: QtBot, settings: Settings) -> None:
    settings["query"] = REGIONS
    worker = Worker(QueryEngine)
    made = QueryPanel(Desk(worker, settings, Installed(regions=False)))
    qtbot.addWidget(made)
    assert made.state.kind == WORDS
    assert "Regions" not in [button.text() for button in made.tools().findChildren(QAbstractButton)]
    assert worker.close()


def test_the_kind_of_items_comes_back_next_time(panel: QueryPanel, settings: Settings) -> None:
    assert panel.state.kind == REGIONS
    panel.choose_kind(WORDS)
    assert settings["query"] == WORDS


def test_the_side_gives_way_in_a_narrow_window(panel: QueryPanel, window: Window) -> None:
    panel.choose_kind(LINES)
    window.resize(960, 640)
    panel.resize(880, 560)
    assert panel.side.width() <= 440
    assert panel.source.rect().contains(QPoint(300, 100))


def test_in_a_narrow_window_the_controls_of_the_map_stand_in_two_rows(
    panel: QueryPanel, window: Window, qtbot: QtBot
) -> None:
    window.resize(960, 640)
    assert panel.source._cut.isHidden()
    qtbot.waitUntil(lambda: panel.source.lookbar.key.y() > panel.source.lookbar.y())
    window.resize(1440, 900)
    assert not panel.source._cut.isHidden()
