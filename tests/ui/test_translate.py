"""The translate panel: a sentence, its words one by one, lines, matrix, comparison, and the shuffled source."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from helpers.translate_engine import TranslateEngine
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from attnviewer.core.errors import UserError
from attnviewer.ui.desk import Desk
from attnviewer.ui.installed import Installed, Sentence
from attnviewer.ui.panels.translate import TranslatePanel
from attnviewer.ui.panels.translate_state import HISTORY, TranslateState, lane_of
from attnviewer.ui.settings import Settings
from attnviewer.ui.window import Window
from attnviewer.ui.worker import Worker

SENTENCE = "La casa blanca tiene una puerta roja."
ENGLISH = "the white house has a red door."
Make = Callable[..., Window]


@pytest.fixture
def engine() -> TranslateEngine:
    return TranslateEngine()


@pytest.fixture
def window(make_window: Make, engine: TranslateEngine, qtbot: QtBot) -> Window:
    made = make_window(engine)
    made.show_panel("translate")
    return made


@pytest.fixture
def panel(window: Window) -> TranslatePanel:
    found = window.panels["translate"]
    assert isinstance(found, TranslatePanel)
    return found


@pytest.fixture
def done(panel: TranslatePanel, qtbot: QtBot) -> TranslatePanel:
    """A panel whose translation is whole, resting on the first word."""
    say(panel, SENTENCE, qtbot)
    panel.player.go(0)
    return panel


def rest(panel: TranslatePanel, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not panel.desk.worker.busy and not panel.state.missing, timeout=60_000)


def say(panel: TranslatePanel, text: str, qtbot: QtBot) -> None:
    panel.head.pick(text)
    rest(panel, qtbot)


def test_it_is_the_second_panel_of_three(window: Window, qtbot: QtBot) -> None:
    assert list(window.panels) == ["image", "translate", "ask"]
    for key, name in (("3", "ask"), ("2", "translate")):
        qtbot.keyClick(window, key, Qt.KeyboardModifier.ControlModifier)
        assert window.panel is window.panels[name]


def test_enter_translates(panel: TranslatePanel, qtbot: QtBot, engine: TranslateEngine) -> None:
    qtbot.keyClicks(panel.head.field, SENTENCE)
    assert engine.asked == []
    qtbot.keyClick(panel.head.field, Qt.Key.Key_Return)
    rest(panel, qtbot)
    assert [request.sentence for request in engine.asked] == [SENTENCE]
    assert panel.side.text.text() == ENGLISH


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\u0007"])
def test_without_a_word_there_is_nothing_to_press(
    panel: TranslatePanel, engine: TranslateEngine, qtbot: QtBot, text: str
) -> None:
    panel.head.field.setText(text)
    assert not panel.head.go.isEnabled()
    qtbot.keyClick(panel.head.field, Qt.Key.Key_Return)
    assert engine.asked == []


@pytest.mark.parametrize(
    "text",
    ["...", "¿?¡!", "🐕🐕 perro", "שלום עולם", "123 4,5", "uno\ndos\r\ntres", "<end> <b>casa</b> &amp;", "a" * 3000,
     "CASA " * 200],
)  # fmt: skip
def test_any_text_is_translated_as_plain_text(panel: TranslatePanel, qtbot: QtBot, text: str) -> None:
    say(panel, text, qtbot)
    trace = panel.state.trace
    assert trace is not None
    assert panel.head.fault.isHidden()
    assert panel.stage.columns["soft"].links.source.words == panel.state.words
    assert not panel.window().grab().isNull()
    assert panel.side.text.textFormat() == Qt.TextFormat.PlainText


def test_markup_is_shown_letter_by_letter(panel: TranslatePanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr("attnviewer.ui.views.wordscroll.QToolTip.showText", lambda _where, text, _on: told.append(text))
    say(panel, "<b>casa</b>", qtbot)
    links = panel.stage.columns["soft"].links
    links.tell(QPoint(0, 0), (links.target.box(0).center() + links._shift).toPoint())
    assert told[0].startswith("<span>&lt;: &lt; ")
    assert panel.side.text.text() == panel.state.trace.text


def test_too_many_words_are_told_in_a_line_and_not_remembered(
    panel: TranslatePanel, qtbot: QtBot, engine: TranslateEngine, settings: Settings
) -> None:
    say(panel, "casa " * 501, qtbot)
    assert "501 words" in panel.head.fault.text()
    assert engine.asked == []
    assert settings["translated"] == ()
    say(panel, "la casa", qtbot)
    assert panel.head.fault.isHidden()


def test_what_the_engine_refuses_is_told_in_a_line(
    panel: TranslatePanel, qtbot: QtBot, engine: TranslateEngine
) -> None:
    def refuse(word: int) -> None:
        if word == 2:
            raise UserError("the memory of the device is full; choose the CPU.")

    engine.before = refuse
    say(panel, SENTENCE, qtbot)
    assert panel.head.fault.text() == "⚠ The memory of the device is full; choose the CPU."
    assert len(panel.state.trace.steps) == 2


def test_the_newest_sentence_wins(panel: TranslatePanel, qtbot: QtBot, engine: TranslateEngine) -> None:
    gate = threading.Event()
    engine.before = lambda _: gate.wait(5)
    panel.head.pick("el perro duerme")
    qtbot.waitUntil(lambda: len(engine.asked) == 1)
    panel.head.pick("la casa")
    gate.set()
    rest(panel, qtbot)
    assert panel.state.trace.words == ("the", "house")


def test_words_come_while_the_model_still_writes(panel: TranslatePanel, qtbot: QtBot, engine: TranslateEngine) -> None:
    gate = threading.Event()
    engine.before = lambda word: gate.wait(5) if word == 3 else None
    panel.head.pick(SENTENCE)
    links = panel.stage.columns["soft"].links
    qtbot.waitUntil(lambda: links.target.words == ("the", "white", "house"))
    assert links.source.words == panel.state.words
    assert panel.player.word == 2
    gate.set()
    rest(panel, qtbot)


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


def click(view: object, place: QPointF, qtbot: QtBot) -> None:
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place.toPoint())


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
    assert (
        matrix.tip_at(matrix.grid.box(1, 2, matrix.shift).center()) == "“white” gave 87% of its attention to “blanca”."
    )
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
    state = TranslateState(("soft",), sentence="uno dos tres cuatro cinco seis siete ocho")
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
    panel.choose_mode("none")
    rest(panel, qtbot)
    panel.player.go(2)
    assert "doesn't know" in panel.side.note.text()


@pytest.mark.parametrize("mode", ["location", "none"])
def test_a_mode_is_run_once_and_remembered(
    done: TranslatePanel, qtbot: QtBot, engine: TranslateEngine, settings: Settings, mode: str
) -> None:
    done._tools.modes.buttons[mode].click()
    rest(done, qtbot)
    assert settings["translate"] == mode
    assert [request.attention for request in engine.asked] == ["soft", mode]
    done.choose_mode("soft")
    done.choose_mode(mode)
    rest(done, qtbot)
    assert len(engine.asked) == 2


def test_without_attention_there_are_words_and_no_matrix(done: TranslatePanel, qtbot: QtBot) -> None:
    done.choose_mode("none")
    rest(done, qtbot)
    assert done.stage.matrix.isHidden()
    assert done.stage.bar.isHidden()
    assert "no weights" in done.stage.columns["none"].links.empty
    assert done.side.text.text() == ENGLISH


def test_two_columns_follow_one_clock(done: TranslatePanel, qtbot: QtBot) -> None:
    done.choose_mode("compare")
    rest(done, qtbot)
    done.player.go(4)
    shown = {mode: one.links.word for mode, one in done.stage.columns.items() if not one.isHidden()}
    assert shown == {"soft": 4, "none": 4}
    assert done.state.main == "soft"
    done.stage.columns["none"].links.chosen.emit(2)
    assert (done.state.main, done.player.word) == ("none", 2)


def test_columns_that_are_too_wide_stand_one_above_the_other(
    done: TranslatePanel, window: Window, qtbot: QtBot
) -> None:
    done.choose_mode("compare")
    say(done, "la casa", qtbot)
    tops = [done.stage.columns[mode].y() for mode in ("soft", "none")]
    assert tops[0] == tops[1]
    say(done, f"{SENTENCE} {SENTENCE}", qtbot)
    qtbot.waitUntil(lambda: done.stage.columns["none"].y() > done.stage.columns["soft"].y())


@pytest.mark.parametrize(("mode", "seen"), [("soft", "followed the words"), ("location", "stayed at the places")])
def test_shuffling_tells_what_was_measured(
    done: TranslatePanel, qtbot: QtBot, engine: TranslateEngine, mode: str, seen: str
) -> None:
    done.choose_mode(mode)
    done.stage.shuffle.click()
    rest(done, qtbot)
    assert seen in done.stage.seen.text()
    assert sorted(request.shuffle is None for request in engine.asked if request.attention == mode) == [False, True]
    assert done.stage.columns[mode].links.source.words == done.state.trace.locations.tokens != done.state.words


def test_a_seed_is_used_once(done: TranslatePanel, qtbot: QtBot, engine: TranslateEngine) -> None:
    for _ in range(2):
        done.shuffle(True)
        rest(done, qtbot)
        done.shuffle(False)
        assert done.state.trace.locations.tokens == done.state.words
    seeds = [request.shuffle for request in engine.asked if request.shuffle is not None]
    assert len(set(seeds)) == len(seeds) == 2


def test_a_single_word_cant_be_shuffled(panel: TranslatePanel, qtbot: QtBot, engine: TranslateEngine) -> None:
    say(panel, "casa", qtbot)
    panel.shuffle(True)
    rest(panel, qtbot)
    assert [request.shuffle for request in engine.asked] == [None]
    assert "Location or content?" in panel.stage.seen.text()


def test_recent_sentences_come_back(
    done: TranslatePanel, qtbot: QtBot, settings: Settings, engine: TranslateEngine
) -> None:
    for text in ('el perro, "mi" <b>perro</b>', "la casa", SENTENCE):
        say(done, text, qtbot)
    assert settings["translated"] == (SENTENCE, "la casa", 'el perro, "mi" <b>perro</b>')
    worker = Worker(lambda: engine)
    again = TranslatePanel(Desk(worker, settings, Installed()))
    qtbot.addWidget(again)
    assert again.head.field.text() == SENTENCE
    assert [action.text() for action in again.head.menu.actions()][-2] == "la casa"
    assert worker.close()


def test_only_so_many_sentences_are_remembered() -> None:
    state = TranslateState(("soft",))
    for number in range(HISTORY + 5):
        state.take(f"frase {number}")
        state.remember()
    assert len(state.history) == HISTORY
    assert state.history[0] == f"frase {HISTORY + 4}"


def test_a_sample_is_a_click_away_and_the_first_is_there_at_once(
    settings: Settings, qtbot: QtBot, engine: TranslateEngine
) -> None:
    worker = Worker(lambda: engine)
    samples = (Sentence("la casa & el perro", "an ampersand"), Sentence("el perro", "two words"))
    panel = TranslatePanel(Desk(worker, settings, Installed(sentences=samples)))
    qtbot.addWidget(panel)
    panel.show()
    rest(panel, qtbot)
    assert engine.asked[0].sentence == samples[0].text
    assert panel.head.menu.actions()[0].text() == "la casa && el perro\tan ampersand"
    panel.head.menu.actions()[1].trigger()
    rest(panel, qtbot)
    assert panel.side.text.text() == "the dog"
    assert worker.close()


def test_nothing_is_asked_while_another_panel_is_in_sight(
    settings: Settings, qtbot: QtBot, engine: TranslateEngine
) -> None:
    worker = Worker(lambda: engine)
    panel = TranslatePanel(Desk(worker, settings, Installed(sentences=(Sentence("la casa", ""),))))
    qtbot.addWidget(panel)
    panel.choose_mode("none")
    assert not worker.busy
    assert worker.close()


def test_only_what_is_installed_is_offered(settings: Settings, qtbot: QtBot) -> None:
    settings["translate"] = "compare"
    worker = Worker(TranslateEngine)
    made = TranslatePanel(Desk(worker, settings, Installed(translators={"soft": ("a",), "location": ("b",)})))
    qtbot.addWidget(made)
    assert list(made._tools.modes.buttons) == ["soft", "location"]
    assert made.state.mode == "soft"
    assert made._tools.info.isHidden()
    assert worker.close()


def test_the_curve_shows_what_the_cards_say(settings: Settings, qtbot: QtBot) -> None:
    worker = Worker(TranslateEngine)
    curves = {"soft": (66.0, 58.0, 47.0, 42.0), "none": (64.0, 49.0, 33.0, 20.0)}
    made = TranslatePanel(Desk(worker, settings, Installed(curves=curves)))
    qtbot.addWidget(made)
    curve = made._tools.curve
    assert not made._tools.info.isHidden()
    assert curve.top == 80
    assert "no attention: 1–5 words 64.0" in curve.accessibleDescription()
    assert all(high.y() < low.y() for high, low in zip(curve.points("soft"), curve.points("none"), strict=True))
    assert not curve.grab().isNull()
    assert worker.close()


def test_the_translation_can_be_exported_and_copied(done: TranslatePanel) -> None:
    trace, picture = done.result() or (None, None)
    assert trace is done.state.trace
    assert picture is None
    done.side.copy.click()
    assert QGuiApplication.clipboard().text() == ENGLISH


def test_presenter_mode_leaves_only_the_words_and_the_matrix(done: TranslatePanel) -> None:
    small = done.stage.columns["soft"].links.font().pixelSize()
    done.set_presenter(True)
    assert all(part.isHidden() for part in (done.head, done.side, done.foot, done.stage.bar))
    assert done.stage.columns["soft"].links.font().pixelSize() > 1.5 * small
    done.player.go(3)
    assert done.stage.bar.isHidden()
    done.set_presenter(False)
    assert not done.stage.bar.isHidden()


def test_keys_choose_modes_and_shuffle(done: TranslatePanel, window: Window, qtbot: QtBot) -> None:
    window.setFocus()
    for key, mode in (
        (Qt.Key.Key_L, "location"),
        (Qt.Key.Key_C, "compare"),
        (Qt.Key.Key_N, "none"),
        (Qt.Key.Key_S, "soft"),
    ):
        qtbot.keyClick(window, key)
        assert done.state.mode == mode
    qtbot.keyClick(window, Qt.Key.Key_X)
    assert done.state.shuffling
    qtbot.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    assert window.focusWidget() is done.head.field


def test_letters_typed_in_the_field_are_no_shortcuts(panel: TranslatePanel, qtbot: QtBot) -> None:
    panel.head.field.setFocus()
    qtbot.keyClicks(panel.head.field, "nlcsx ")
    assert panel.head.field.text() == "nlcsx "
    assert panel.state.mode == "soft"
    assert not panel.state.shuffling


def test_what_runs_already_is_not_asked_again(
    panel: TranslatePanel, window: Window, qtbot: QtBot, engine: TranslateEngine
) -> None:
    gate = threading.Event()
    engine.before = lambda _: gate.wait(5)
    panel.head.pick(SENTENCE)
    qtbot.waitUntil(lambda: len(engine.asked) == 1)
    window.show_panel("image")
    window.show_panel("translate")
    panel.choose_mode("compare")
    gate.set()
    rest(panel, qtbot)
    assert [request.attention for request in engine.asked] == ["soft", "none"]


def test_after_a_stop_a_mode_can_be_chosen_again(panel: TranslatePanel, qtbot: QtBot, engine: TranslateEngine) -> None:
    gate = threading.Event()
    engine.before = lambda _: gate.wait(5)
    panel.head.pick(SENTENCE)
    qtbot.waitUntil(lambda: len(engine.asked) == 1)
    panel.desk.worker.cancel()
    gate.set()
    panel.choose_mode("none")
    panel.choose_mode("soft")
    rest(panel, qtbot)
    assert panel.side.text.text() == ENGLISH


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
