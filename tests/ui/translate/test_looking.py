"""What the translate panel shows of a translation: chips, lines, matrix, bars, all on one clock."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from helpers.translate_engine import TranslateEngine
from helpers.translating import ENGLISH, click, rest, say
from PySide6.QtCore import QPointF
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from attnviewer.ui.panels.translate.panel import TranslatePanel
from attnviewer.ui.panels.translate.state import TranslateState, lane_of
from attnviewer.ui.window import Window


def test_one_clock_moves_chips_lines_matrix_and_bars(done: TranslatePanel) -> None:
    done.player.go(1)
    links, matrix = done.stage.columns["soft"].links, done.stage.matrix
    assert (links.word, matrix.word) == (1, 1)
    assert next(bar.label for bar in done.side.bars.bars if bar.chosen) == "white"
    assert done.side.looked.text() == "blanca 87%"
    assert links.accessibleDescription() == "white: blanca 87%"


def test_a_click_on_a_word_moves_the_clock(done: TranslatePanel, qtbot: QtBot) -> None:
    links = done.stage.columns["soft"].links
    click(links, links.target.box(3).center() + links._shift, qtbot)
    assert done.player.word == 3
    click(links, links.source.box(6).center() + links._shift, qtbot)
    assert done.state.trace.words[done.player.word] == "red"


def test_a_click_on_a_row_of_the_matrix_moves_the_clock(done: TranslatePanel, qtbot: QtBot) -> None:
    matrix = done.stage.matrix
    click(matrix, matrix.grid.box(2, 0, matrix.shift).center(), qtbot)
    assert done.player.word == 2


def test_pointing_at_a_source_word_shows_who_looked_at_it(done: TranslatePanel, qtbot: QtBot) -> None:
    links = done.stage.columns["soft"].links
    place = links.source.box(1).center() + links._shift
    qtbot.mouseMove(links.viewport(), place.toPoint())
    qtbot.waitUntil(lambda: links.pointed == 1)
    assert done.stage.matrix.pointed == 1
    assert links._target_chip(2).wash > 0.9 > links._target_chip(0).wash
    assert links.tip_at(place) == "casa, word 2 of 8. Looked at by: house 87%."
    done.stage.hovered.emit(-1)
    assert links.pointed == -1


def test_a_cell_tells_its_value(done: TranslatePanel) -> None:
    matrix = done.stage.matrix
    told = "“white” gave 87% of its attention to “blanca”. Click: make this word look there and nowhere else."
    assert matrix.tip_at(matrix.grid.box(1, 2, matrix.shift).center()) == told
    assert matrix.tip_at(QPointF(-5, -5)) == ""
    row = QPointF(matrix.grid.indent + 2, matrix.grid.box(0, 0, matrix.shift).center().y())
    assert matrix.tip_at(row).startswith("the: La 87%.")


def test_adjectives_and_nouns_cross(done: TranslatePanel) -> None:
    peaks = done.stage.matrix.maps.argmax(axis=1).tolist()
    assert peaks == [0, 2, 1, 3, 4, 6, 5, 7]


def test_the_colour_range_is_one_and_its_uniform_level_is_marked(done: TranslatePanel) -> None:
    assert done.legend.top == pytest.approx(done.state.trace.weights.max())
    assert done.legend.uniform == 1 / 8
    done.choose_mode("none")
    assert done.legend.top == 0


def test_a_uniform_map_never_looks_like_a_peak() -> None:
    state = TranslateState(("soft",), sentence="uno dos tres cuatro cinco seis siete.")
    engine = TranslateEngine()
    trace = list(engine.run(state.request(lane_of("soft"))))[-1]
    flat = tuple(replace(step, weights=step.weights * 0 + 1 / 8) for step in trace.steps)
    state.traces[lane_of("soft")] = replace(trace, steps=flat)
    assert state.top == pytest.approx(4 / 8)


def test_unknown_words_are_underlined_and_told(panel: TranslatePanel, qtbot: QtBot) -> None:
    say(panel, "mi hermana zyzzyva", qtbot)
    links = panel.stage.columns["soft"].links
    assert [links._target_chip(word).under for word in range(3)] == [False, False, True]
    assert "copied from the source word" in links.tip_at(links.target.box(2).center() + links._shift)
    panel.player.go(2)
    assert "copied" in panel.side.note.text()
    trace = panel.state.traces[lane_of("soft")]
    steps = (*trace.steps[:2], replace(trace.steps[2], word="answer"))
    panel.state.traces[lane_of("soft")] = replace(trace, steps=steps)
    panel._show()
    assert "glossary" in panel.side.note.text()
    assert "glossary" in links.tip_at(links.target.box(2).center() + links._shift)
    panel.choose_mode("none")
    rest(panel, qtbot)
    panel.player.go(2)
    assert "doesn't know" in panel.side.note.text()


def test_the_translation_can_be_exported_and_copied(done: TranslatePanel) -> None:
    trace, picture = done.result() or (None, None)
    assert trace is done.state.trace
    assert picture is None
    done.side.copy.click()
    assert QGuiApplication.clipboard().text() == ENGLISH


def test_presenter_mode_leaves_the_words_the_matrix_and_five_bars_all_large(done: TranslatePanel) -> None:
    small = done.stage.columns["soft"].links.font().pixelSize()
    done.set_presenter(True)
    assert all(part.isHidden() for part in (done.head, done.foot, done.stage.bar, done.side.pages, done.side.note))
    assert len(done.side.bars.shown()) <= 5
    assert done.side.bars.font().pixelSize() > 20
    assert done.story.isVisible()
    assert done.stage.columns["soft"].links.font().pixelSize() > 1.5 * small
    done.player.go(3)
    assert done.stage.bar.isHidden()
    done.set_presenter(False)
    assert not done.stage.bar.isHidden()
    assert not done.side.pages.isHidden()
    assert done.side.bars.font().pixelSize() < 20


def test_every_control_has_a_name_and_a_tooltip(done: TranslatePanel) -> None:
    for root in (done, done.tools()):
        for control in root.findChildren(QAbstractButton):
            assert control.accessibleName()
            assert control.toolTip()


def test_two_hundred_words_scroll_and_stay_fluid(panel: TranslatePanel, window: Window, qtbot: QtBot) -> None:
    window.resize(960, 640)
    say(panel, "la casa blanca tiene una puerta roja y un perro " * 20, qtbot)
    links, matrix = panel.stage.columns["soft"].links, panel.stage.matrix
    began = time.process_time()
    for word in range(0, 200, 10):
        panel.player.go(word)
        links.viewport().repaint()
        matrix.viewport().repaint()
        assert links.viewport().rect().contains((links.target.box(word).center() + links._shift).toPoint())
        assert (
            matrix.viewport()
            .rect()
            .contains(matrix.grid.box(word, links.maps[word].argmax(), matrix.shift).center().toPoint())
        )
    assert (time.process_time() - began) / 20 < 0.1
    seen = links.source.seen(-links._shift.x(), links.viewport().width() - links._shift.x())
    assert len(seen) < 15


def test_a_note_of_the_run_stands_beside_its_words(panel: TranslatePanel, qtbot: QtBot) -> None:
    say(panel, "la casa", qtbot)
    assert panel.side.warning.isHidden()
    panel.side.show_trace(replace(panel.state.trace, notes=("A full stop was added.",)))
    assert panel.side.warning.text() == "A full stop was added."
    assert not panel.side.warning.isHidden()
