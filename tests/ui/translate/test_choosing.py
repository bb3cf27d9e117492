"""What can be chosen in the translate panel: the way to attend, the comparison, the shuffled source."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from helpers.translate_engine import TranslateEngine
from helpers.translating import ENGLISH, SENTENCE, rest, say
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from attnviewer.core.errors import UserError
from attnviewer.ui.desk import Desk
from attnviewer.ui.installed import Installed
from attnviewer.ui.panels.translate.panel import TranslatePanel
from attnviewer.ui.panels.translate.stage import ABOUT
from attnviewer.ui.settings import Settings
from attnviewer.ui.window import Window
from attnviewer.ui.worker import Worker


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


def test_where_one_side_fails_the_other_is_played(done: TranslatePanel, qtbot: QtBot, engine: TranslateEngine) -> None:
    def fail(_: int) -> None:
        if engine.asked[-1].attention == "none":
            raise UserError("the memory of the device is full; choose the CPU.")

    engine.before = fail
    done.choose_mode("compare")
    rest(done, qtbot)
    assert "memory of the device" in done.head.fault.text()
    assert done.player.count == len(done.state.traces["translate-soft"].steps)


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


def test_stopping_a_comparison_says_so(done: TranslatePanel, window: Window, engine: TranslateEngine) -> None:
    gate = threading.Event()
    engine.before = lambda _: gate.wait(10)
    done.shuffle(True)
    assert done.stage.seen.text() == "Comparing…"
    window.escape()
    gate.set()
    assert "Stopped" in window.status.message.text()
    assert done.stage.seen.text() == ABOUT
    window.desk.worker.submit("export", lambda: iter(()))
    assert done.stage.seen.text() == ABOUT  # what runs now is something else


def test_data_of_a_comparison_say_whose_they_are(
    done: TranslatePanel, window: Window, tmp_path: Path, qtbot: QtBot
) -> None:
    done.choose_mode("compare")
    rest(done, qtbot)
    for suffix, alone in ((".json", True), (".png", False)):
        window.exporter.ask = lambda *_, suffix=suffix: str(tmp_path / f"out{suffix}")
        window.export(suffix)
        qtbot.waitUntil(lambda suffix=suffix: f"Saved out{suffix}" in window.status.message.text(), timeout=30_000)
        assert ("at the side alone" in window.status.message.text()) is alone


def test_a_seed_is_used_once(done: TranslatePanel, qtbot: QtBot, engine: TranslateEngine) -> None:
    for _ in range(2):
        done.shuffle(True)
        rest(done, qtbot)
        done.shuffle(False)
        assert done.state.trace.locations.tokens == done.state.words
    seeds = [request.shuffle for request in engine.asked if request.shuffle is not None]
    assert len(set(seeds)) == len(seeds) == 2


def test_a_single_word_cant_be_shuffled(panel: TranslatePanel, qtbot: QtBot, engine: TranslateEngine) -> None:
    say(panel, "?", qtbot)
    panel.shuffle(True)
    rest(panel, qtbot)
    assert [request.shuffle for request in engine.asked] == [None]
    assert "Location or content?" in panel.stage.seen.text()


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
