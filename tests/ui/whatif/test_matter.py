"""The page Does it matter?, over an engine without a network."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.matter_engine import MatterEngine
from helpers.translating import SENTENCE, say
from pytestqt.qtbot import QtBot

from attnviewer.core.explore.requests import MatterRequest, SourceMatterRequest
from attnviewer.ui.window import Window


@pytest.fixture
def engine() -> MatterEngine:
    return MatterEngine()


@pytest.fixture
def seen(make_window: Callable[..., Window], engine: MatterEngine, photo: Path, qtbot: QtBot) -> Window:
    """A window on a caption that is whole, resting on its third word."""
    made = make_window(engine)
    made.opener.open_paths([photo])
    qtbot.waitUntil(lambda: "soft" in made.panel.state.done and not made.desk.worker.busy)
    made.panel.player.go(2)
    return made


def rest(window: Window, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.desk.worker.busy)


def test_the_button_asks_about_the_word_on_the_clock(seen: Window, engine: MatterEngine, qtbot: QtBot) -> None:
    seen.panel.side.doubt.click()
    rest(seen, qtbot)
    asked = engine.explored[-1]
    assert isinstance(asked, MatterRequest)
    assert (asked.word, asked.words) == (2, seen.panel.state.trace.words)
    matter = seen.panel.matter
    assert matter.isVisible()
    assert "“dog” has a probability of" in matter.says.text()
    assert [line.name for line in matter.deletion.lines] == ["Attention", "Gradient", "Covered alone", "At random"]
    assert not matter.places.isVisible()
    assert not matter.stop.isVisible()


def test_another_word_is_asked_about_by_a_click(seen: Window, engine: MatterEngine, qtbot: QtBot) -> None:
    seen.panel.doubt()
    rest(seen, qtbot)
    seen.panel.player.go(3)
    matter = seen.panel.matter
    assert matter.finding is None
    assert "runs" in matter.go.text()
    matter.go.click()
    rest(seen, qtbot)
    assert engine.explored[-1].word == 3
    seen.panel.player.go(2)
    assert matter.finding is not None  # what was asked before is still known


def test_stop_keeps_the_curves_so_far(seen: Window, engine: MatterEngine, qtbot: QtBot) -> None:
    engine.hold.clear()
    seen.panel.doubt()
    matter = seen.panel.matter
    qtbot.waitUntil(lambda: matter.finding is not None)
    assert matter.stop.isVisible()
    matter.stop.click()
    engine.hold.set()
    rest(seen, qtbot)
    assert not matter.stop.isVisible()
    assert [line.name for line in matter.deletion.lines] == ["Attention"]
    assert matter.go.isVisible()


def test_esc_closes_the_page_before_anything_else(seen: Window, qtbot: QtBot) -> None:
    seen.panel.doubt()
    rest(seen, qtbot)
    seen.escape()
    assert not seen.panel.matter.isVisible()


def test_the_page_exports_its_figure_and_numbers(seen: Window, qtbot: QtBot) -> None:
    assert seen.panel.makes() is None
    seen.panel.doubt()
    rest(seen, qtbot)
    made = seen.panel.makes()
    assert made is not None
    assert made.name == "matter-dog"
    starts = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF", ".json": b'{"schema"', ".csv": b"order,"}
    assert {suffix: made.forms[suffix]()[: len(start)] for suffix, start in starts.items()} == starts
    assert "dog" in seen.panel.words()


def test_a_model_without_attention_has_nothing_to_doubt(seen: Window, qtbot: QtBot) -> None:
    seen.panel.choose_mode("none")
    rest(seen, qtbot)
    seen.panel.doubt()
    assert not seen.panel.matter.isVisible()
    assert "no attention" in seen.desk.board.notice.message


def test_a_fault_is_told_on_the_page(seen: Window, engine: MatterEngine, qtbot: QtBot) -> None:
    engine.fault = "the memory is full; close something."
    seen.panel.doubt()
    rest(seen, qtbot)
    assert seen.panel.matter.says.text() == "⚠ The memory is full; close something."


def test_another_photo_forgets_the_answers(seen: Window, photo: Path, qtbot: QtBot) -> None:
    seen.panel.doubt()
    rest(seen, qtbot)
    seen.opener.open_paths([photo])
    rest(seen, qtbot)
    assert seen.panel.matter.found == {}


def test_a_translated_word_shows_what_each_source_word_counts(
    make_window: Callable[..., Window], engine: MatterEngine, qtbot: QtBot
) -> None:
    window = make_window(engine)
    window.show_panel("translate")
    say(window.panel, SENTENCE, qtbot)
    window.panel.player.go(1)
    window.panel.side.doubt.click()
    rest(window, qtbot)
    asked = engine.explored[-1]
    assert isinstance(asked, SourceMatterRequest)
    assert (asked.word, asked.asked.sentence) == (1, SENTENCE)
    assert window.panel.matter.places.isVisible()
    assert window.panel.matter.places.columns == ("La", "casa", "blanca")


@pytest.mark.parametrize("size", [(960, 640), (1440, 900)])
def test_the_page_lies_above_the_foot(seen: Window, size: tuple[int, int], qtbot: QtBot) -> None:
    seen.resize(*size)
    seen.panel.doubt()
    rest(seen, qtbot)
    matter, foot = seen.panel.matter, seen.panel.foot
    qtbot.waitUntil(lambda: matter.geometry().bottom() < foot.y())
    assert matter.width() == seen.panel.width()


def test_what_was_stopped_from_elsewhere_no_longer_looks_as_if_it_ran(
    seen: Window, engine: MatterEngine, qtbot: QtBot
) -> None:
    engine.hold.clear()
    seen.panel.doubt()
    matter = seen.panel.matter
    qtbot.waitUntil(lambda: matter.finding is not None)
    seen.show_panel("translate")
    seen.desk.worker.cancel()
    engine.hold.set()
    rest(seen, qtbot)
    seen.show_panel("image")
    assert not matter.stop.isVisible()
    assert matter.go.isVisible()
