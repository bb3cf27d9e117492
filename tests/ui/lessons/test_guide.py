"""A lesson leads through the window: it asks, shows, measures and tells, on the learner's own material too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.pictures import corners
from helpers.translate_engine import TranslateEngine
from PIL import Image
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from attnviewer.core.lessons.stops import Lesson, read_lesson, shipped
from attnviewer.ui.lessons.places import PLACES, find
from attnviewer.ui.window import Window

LESSON = """title = "Ours"

[[stop]]
title = "Weights"
text = "A net."
asks = "How many?"
answers = ["few", "many"]
right = 1
reveal = "It has {count.first} weights."
look = "mlp.count"

[stop.state]
panel = "foundations"
experiment = "mlp"
side = 100
learning = false

[stop.shown]
side = 200

[[stop.claim]]
name = "count"
measure = "weights"
sign = ">"
first = { side = 200 }
second = { side = 100 }

[[stop]]
title = "Maps"
text = "A photo."
asks = "Where?"
answers = ["here", "there"]
right = 0
reveal = "Its peak is {peak.first}, and {peak.second}."
look = "image.stage"

[stop.state]
panel = "image"
photo = "PHOTO"
mode = "none"

[stop.shown]
mode = "soft"
word = 1

[[stop.claim]]
name = "peak"
measure = "peak"
sign = ">"
first = { mode = "soft" }
second = { mode = "none" }
"""


@pytest.fixture
def file(tmp_path: Path, photo: Path) -> Path:
    path = tmp_path / "ours.toml"
    path.write_text(LESSON.replace("PHOTO", photo.name), "utf-8")
    return path


@pytest.fixture
def lesson(file: Path) -> Lesson:
    return read_lesson(file)


def _settled(window: Window, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.desk.worker.busy)
    qtbot.wait(50)


def test_a_stop_asks_before_it_shows_and_tells_what_was_measured(window: Window, lesson: Lesson, qtbot: QtBot) -> None:
    window.guide.start(lesson)
    assert window.panel.key == "foundations"
    assert window.panel.experiment.side_knob.value == 100
    bar = window.guide.bar
    assert [made.text() for made in bar.answers] == ["few", "many"]
    bar.answers[1].click()
    qtbot.waitUntil(lambda: bar.text.text() == "It has 1,600,000,000 weights.")
    assert bar.verdict.text() == "✓ You predicted it: many"
    assert window.panel.experiment.side_knob.value == 200
    qtbot.waitUntil(window.guide.halo.isVisible)
    assert window.guide.halo.target is window.panel.experiment.dense_count


def test_a_wrong_prediction_is_told_with_what_came(window: Window, lesson: Lesson, qtbot: QtBot) -> None:
    window.guide.start(lesson)
    window.guide.bar.answers[0].click()
    qtbot.waitUntil(lambda: window.guide.bar.verdict.text().startswith("✗ You said “few”."))
    assert window.guide.bar.verdict.text().endswith("many")


def test_the_bar_stays_across_panels_and_the_lesson_ends_where_it_began(
    window: Window, lesson: Lesson, qtbot: QtBot
) -> None:
    window.guide.start(lesson)
    window.guide.bar.next.click()
    assert window.panel.key == "image"
    assert window.guide.bar.isVisible()
    assert window.guide.bar.next.text() == "Finish"
    _settled(window, qtbot)
    window.guide.bar.answers[0].click()
    _settled(window, qtbot)
    assert window.panel.state.mode == "soft"
    qtbot.waitUntil(lambda: window.panel.player.word == 1)
    window.guide.bar.next.click()
    assert window.panel.key == "learn"
    assert not window.guide.bar.isVisible()
    assert window.panels["learn"].figures.keys() == {"Maps"}


def test_a_photo_of_ones_own_is_what_the_stop_runs_on(
    window: Window, lesson: Lesson, qtbot: QtBot, tmp_path: Path
) -> None:
    window.guide.start(lesson, 1)
    _settled(window, qtbot)
    own = tmp_path / "own.png"
    Image.fromarray(corners(90, 90)).save(own)
    window.opener.open_paths([own])
    assert "own photo" in window.guide.bar.own.text()
    window.guide.answer(0)
    _settled(window, qtbot)
    assert window.desk.picture is not None
    assert window.desk.picture.path == str(own)


def test_a_lesson_file_opens_by_drop_and_is_listed_under_learn(window: Window, file: Path, qtbot: QtBot) -> None:
    window.opener.open_paths([file])
    assert window.guide.lesson is not None
    assert window.guide.lesson.title == "Ours"
    window.guide.leave()
    assert window.panels["learn"].state.lesson.title == "Ours"
    assert len(window.panels["learn"].rows) == 2


def test_a_lesson_with_a_fault_is_told_by_line_and_starts_nothing(window: Window, file: Path) -> None:
    file.write_text(LESSON.replace('sign = ">"', 'sign = "?"'), "utf-8")
    window.opener.open_paths([file])
    assert window.guide.lesson is None
    assert "ours.toml, line 24:" in window.desk.board.notice.message


def test_progress_is_remembered(window: Window, qtbot: QtBot) -> None:
    learn = window.panels["learn"]
    window.show_panel("learn")
    learn.begin.click()
    assert window.guide.at == 0
    window.guide.answer(0)
    window.guide.go(4)
    window.guide.leave()
    assert (window.desk.settings["stop"], window.desk.settings["learnt"]) == (4, ("0",))
    assert learn.begin.text() == "Go on at stop 5"
    assert learn.rows[0].text().startswith("✓")
    _settled(window, qtbot)


def test_the_first_launch_offers_the_short_tour_once(make_window: Callable[..., Window], qtbot: QtBot) -> None:
    first = make_window()
    assert first.guide.offer.isVisible()
    first.guide.offer.close_.click()
    assert not first.guide.offer.isVisible()
    assert not make_window().guide.offer.isVisible()


def test_the_offer_starts_the_short_tour(make_window: Callable[..., Window], qtbot: QtBot) -> None:
    window = make_window()
    window.guide.offer.start.click()
    assert window.guide.lesson is not None
    assert len(window.guide.lesson.stops) == 3
    assert not window.guide.offer.isVisible()
    _settled(window, qtbot)


def test_a_copied_state_is_pasted_back(window: Window, qtbot: QtBot) -> None:
    window.panel.player.go(2)
    window.guide.states.copy_state()
    text = QGuiApplication.clipboard().text()
    assert "word = 2" in text
    window.show_panel("translate")
    _settled(window, qtbot)
    assert window.guide.states.paste(text)
    qtbot.waitUntil(lambda: window.panel.key == "image" and window.panel.player.word == 2)


def test_a_saved_state_names_a_photo_beside_it_without_its_folder(
    window: Window, tmp_path: Path, photo: Path, qtbot: QtBot
) -> None:
    window.guide.states.ask = lambda _: str(tmp_path / "mine")
    window.guide.states.save_state()
    assert f'photo = "{photo.name}"' in (tmp_path / "mine.toml").read_text("utf-8")
    window.show_panel("query")
    window.opener.open_paths([tmp_path / "mine.toml"])
    assert window.panel.key == "image"
    _settled(window, qtbot)


def test_presenter_mode_shows_the_stop_large(window: Window, lesson: Lesson, qtbot: QtBot) -> None:
    window.guide.start(lesson)
    window.toggle_presenter()
    assert window.guide.bar.isVisible()
    assert window.guide.bar.text.property("grown") == "true"
    window.toggle_presenter()
    assert window.guide.bar.text.property("grown") == ""
    _settled(window, qtbot)


def test_each_stop_that_ships_points_at_a_widget_that_there_is(window: Window, qtbot: QtBot) -> None:
    for lesson in shipped():
        for at, stop in enumerate(lesson.stops):
            window.guide.start(lesson, at)
            window.guide.answer(0)
            assert stop.look in PLACES
            assert find(window.panel, stop.look) is not None, stop.title
            _settled(window, qtbot)
    window.guide.leave()


def test_a_name_that_is_in_no_table_is_looked_for_among_object_names(window: Window) -> None:
    assert find(window.panel, "side") is not None
    assert find(window.panel, "nowhere") is None


def test_what_is_imposed_and_covered_is_kept_in_a_state_and_comes_back(window: Window, qtbot: QtBot) -> None:
    text = (
        'schema = "attnviewer/state/1"\npanel = "image"\nmode = "soft"\n'
        'covers = [{ box = [0.1, 0.1, 0.4, 0.4], how = "blur" }]\n\n[[intervention]]\nat = 1\nword = "cat"\n'
    )
    assert window.guide.states.paste(text)
    _settled(window, qtbot)
    now = window.panel.state.edits.now
    assert [(one.at, one.word) for one in now.interventions] == [(1, "cat")]
    assert now.covers[0].how == "blur"
    window.guide.states.copy_state()
    kept = QGuiApplication.clipboard().text()
    assert 'word = "cat"' in kept
    assert "box" in kept
    window.panel.commands()["undo"]()
    _settled(window, qtbot)
    assert window.guide.states.paste(kept)
    _settled(window, qtbot)
    assert window.panel.state.edits.now == now


def test_what_is_said_and_struck_out_in_translate_comes_back(make_window: Callable[..., Window], qtbot: QtBot) -> None:
    window = make_window(TranslateEngine())
    text = (
        'schema = "attnviewer/state/1"\npanel = "translate"\ntext = "Mi hermana vive."\nhidden = [2]\n\n'
        '[[intervention]]\nat = 1\nword = "brother"\n'
    )
    assert window.guide.states.paste(text)
    _settled(window, qtbot)
    now = window.panel.state.edits.now
    assert [(one.at, one.word) for one in now.interventions] == [(1, "brother")]
    assert now.hidden == (2,)
    window.guide.states.copy_state()
    kept = QGuiApplication.clipboard().text()
    window.panel.commands()["undo"]()
    _settled(window, qtbot)
    assert window.guide.states.paste(kept)
    _settled(window, qtbot)
    assert window.panel.state.edits.now == now
