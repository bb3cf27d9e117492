"""The comparison: columns that can be hidden, one clock, one colour range, and the lines below the filmstrip."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.fake_engine import CELLS, WORDS, FakeEngine
from helpers.pictures import corners
from PIL import Image
from PySide6.QtCore import QSize, Qt
from pytestqt.qtbot import QtBot

from attnviewer.core.errors import UserError
from attnviewer.ui.panels.image.bitsline import number
from attnviewer.ui.panels.image.stages import Stages
from attnviewer.ui.window import Window

Make = Callable[..., Window]
Bits = tuple[float | None, ...]
ALL = ("none", "soft", "hard", "uniform")


def settled(window: Window) -> bool:
    panel = window.panel
    return not panel.state.missing and not window.desk.worker.busy and not panel.state.unheard


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def compared(make_window: Make, engine: FakeEngine, photo: Path, qtbot: QtBot) -> Window:
    window = make_window(engine)
    window.opener.open_paths([photo])
    window.panel.choose_mode("compare")
    qtbot.waitUntil(lambda: settled(window))
    window.panel.player.go(1)
    return window


def visible(window: Window) -> list[str]:
    columns = window.panel.stages.columns
    row = window.panel.stages.widget().layout()
    order = [row.itemAt(place).widget() for place in range(row.count())]
    return [one.mode for one in order if one in columns.values() and one.isVisible()]


def test_the_columns_stand_from_none_to_the_control(compared: Window) -> None:
    assert visible(compared) == list(ALL)


def test_each_column_has_its_caption_and_its_score(compared: Window) -> None:
    for mode, one in compared.panel.stages.columns.items():
        assert " ".join(WORDS) in one.text.text(), mode
        assert "log-probability" in one.text.text()
    assert "the photo is seen once" in compared.panel.stages.columns["none"].text.text()


def test_all_columns_follow_one_clock_and_share_one_range(compared: Window) -> None:
    stages = {mode: one.stage for mode, one in compared.panel.stages.columns.items()}
    assert len({tuple(stages[mode].span) for mode in ("soft", "hard", "uniform")}) == 1
    assert not stages["none"].overlay.isVisible()


def test_a_uniform_map_has_no_peak_to_mark(compared: Window) -> None:
    stages = compared.panel.stages.columns
    assert stages["soft"].stage.peak.isVisible()
    assert not stages["uniform"].stage.peak.isVisible()


def test_the_control_is_asked_of_the_soft_model(compared: Window) -> None:
    compared.panel.state.model["soft"] = "mine"
    request = compared.panel.state.request("uniform")
    assert (request.attention, request.model) == ("uniform", "mine")


@pytest.mark.parametrize("mode", ALL)
def test_a_column_can_be_hidden_and_shown_again(compared: Window, qtbot: QtBot, mode: str) -> None:
    button = compared.panel.modes.bar.columns[mode]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert visible(compared) == [other for other in ALL if other != mode]
    assert not button.isChecked()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert visible(compared) == list(ALL)
    assert not compared.desk.worker.busy


def test_the_last_column_stays(compared: Window) -> None:
    for mode in ALL:
        compared.panel.modes.toggle_column(mode)
    assert visible(compared) == ["uniform"]
    assert compared.panel.modes.bar.columns["uniform"].isChecked()


def test_a_column_that_is_hidden_from_the_start_is_not_run(
    make_window: Make, engine: FakeEngine, photo: Path, qtbot: QtBot
) -> None:
    window = make_window(engine)
    window.panel.state.hidden.update({"hard", "uniform"})
    window.panel.choose_mode("compare")
    window.opener.open_paths([photo])
    qtbot.waitUntil(lambda: settled(window))
    assert {request.attention for request in engine.requests} == {"none", "soft"}


def test_a_click_on_a_title_shows_the_words_and_facts_of_that_column(compared: Window, qtbot: QtBot) -> None:
    columns = compared.panel.stages.columns
    assert "taken" not in compared.panel.side.facts.rows or not compared.panel.side.facts.rows["taken"].isVisible()
    qtbot.mouseClick(columns["hard"].title, Qt.MouseButton.LeftButton)
    assert compared.panel.state.main == "hard"
    assert compared.panel.side.facts.values["taken"].text().startswith("row")
    assert [mode for mode, one in columns.items() if one.title.isChecked()] == ["hard"]


def test_modes_that_are_known_switch_at_once_and_the_clock_stays(compared: Window) -> None:
    for mode in ("soft", "hard", "none", "compare"):
        compared.panel.choose_mode(mode)
        assert compared.panel.player.word == 1
        assert compared.panel.player.count == len(WORDS)


def test_quick_switches_during_a_run_leave_no_stale_picture(
    make_window: Make, photo: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    window = make_window(FakeEngine(delay=0.004))
    other = tmp_path / "tall.png"
    Image.fromarray(corners(30, 60)).save(other)
    for path in (photo, other, photo, other):
        window.opener.open_paths([path])
        for mode in ("soft", "hard", "compare", "none", "compare", "hard", "compare"):
            window.panel.choose_mode(mode)
            qtbot.wait(7)
    qtbot.waitUntil(lambda: settled(window), timeout=20_000)
    assert visible(window) == list(ALL)
    for mode, trace in window.panel.state.traces.items():
        assert (trace.source.width, trace.request["attention"], trace.words) == (30, mode, WORDS)


def test_a_column_that_fails_does_not_hold_up_the_others(make_window: Make, photo: Path, qtbot: QtBot) -> None:
    class Broken(FakeEngine):
        def run(self, request):  # type: ignore[no-untyped-def]
            if request.attention == "none":
                raise UserError("no captioner with none attention is installed.")
            return (yield from super().run(request))

    window = make_window(Broken())
    window.panel.choose_mode("compare")
    window.opener.open_paths([photo])
    qtbot.waitUntil(lambda: {"soft", "hard", "uniform"} <= window.panel.state.done and not window.desk.worker.busy)
    assert window.panel.player.playing
    assert "none attention" in window.status.message.text()


def test_the_comparison_is_exported_as_rows(compared: Window, tmp_path: Path, qtbot: QtBot) -> None:
    compared.exporter.ask = lambda *_: str(tmp_path / "rows.svg")
    compared.export(".svg")
    qtbot.waitUntil(lambda: "Saved" in compared.status.message.text(), timeout=60_000)
    assert (tmp_path / "rows.svg").read_bytes().count(b"<image") == 3 * len(WORDS) + 2
    assert list(compared.panel.comparison()) == list(ALL)


def test_one_mode_alone_is_no_comparison(window: Window) -> None:
    assert window.panel.comparison() is None


@pytest.mark.parametrize("size", [(960, 640), (3840, 2160)])
def test_five_columns_fit(compared: Window, size: tuple[int, int]) -> None:
    compared.panel.modes.show_draws(True)
    compared.resize(*size)
    assert (compared.width(), compared.height()) == size
    stages = [one.stage for one in compared.panel.stages.columns.values()]
    assert all(stage.width() >= 90 and stage.height() >= 90 for stage in stages)


def test_the_lines_tell_how_much_of_the_photo_is_left(window: Window, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: settled(window))
    foot = window.panel.foot
    assert list(foot.bits.lines) == ["none", "soft"]
    assert foot.bits.lines["none"] == pytest.approx(tuple(2 / (index + 1) for index in range(len(WORDS))))
    assert foot.bits.isVisible()
    window.panel.player.go(1)
    assert foot.key.rows() == ["no attention  1.00 bits", "soft attention  2.00 bits"]


def test_the_other_model_reads_the_words_that_are_shown(
    make_window: Make, engine: FakeEngine, photo: Path, qtbot: QtBot
) -> None:
    window = make_window(engine)
    window.opener.open_paths([photo])
    qtbot.waitUntil(lambda: settled(window))
    assert [(request.attention, request.words) for request in engine.requests] == [("soft", None), ("none", WORDS)]
    window.panel.hands.measure("a red cat")
    qtbot.waitUntil(lambda: settled(window))
    assert engine.requests[-1].attention == "none"
    assert engine.requests[-1].words == ("a", "red", "cat")
    assert len(window.panel.foot.bits.lines["none"]) == 3


def test_each_point_stands_below_its_word_and_more_bits_stand_higher(window: Window, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: settled(window))
    line, strip = window.panel.foot.bits, window.panel.strip.strip
    points = line.points("none")
    assert [point.x() for point in points] == [strip.box(word).center().x() for word in range(len(WORDS))]
    assert [point.y() for point in points] == sorted(point.y() for point in points)
    assert 0 <= points[0].y() < points[-1].y() <= line.height()


def test_without_a_measure_the_line_takes_no_room(make_window: Make, photo: Path, qtbot: QtBot) -> None:
    class Plain(FakeEngine):
        def run(self, request):  # type: ignore[no-untyped-def]
            from dataclasses import replace

            for step in (run := super().run(request)):
                if hasattr(step, "steps"):
                    step = replace(step, steps=tuple(replace(one, bits=None) for one in step.steps))
                yield step
            run.close()
            return step

    window = make_window(engine := Plain())
    window.opener.open_paths([photo])
    qtbot.waitUntil(lambda: "soft" in window.panel.state.done)
    assert not window.panel.foot.bits.isVisible()
    assert len(engine.requests) == 1


def test_a_new_photo_drops_what_others_read(make_window: Make, photo: Path, tmp_path: Path, qtbot: QtBot) -> None:
    hold = threading.Event()
    engine = FakeEngine(before=lambda index: hold.wait(5) if engine.requests[-1].words and index == 1 else None)
    window = make_window(engine)
    window.opener.open_paths([photo])
    qtbot.waitUntil(lambda: len(engine.requests) == 2)
    other = tmp_path / "tall.png"
    Image.fromarray(corners(30, 60)).save(other)
    window.opener.open_paths([other])
    assert window.panel.state.echoes == {}
    hold.set()
    qtbot.waitUntil(lambda: settled(window))
    assert window.panel.state.trace.source.width == 30


@pytest.mark.parametrize(("bits", "text"), [(0.4321, "0.43"), (None, "?"), (12.0, "12.00")])
def test_bits_are_written_short(bits: float | None, text: str) -> None:
    assert number(bits) == text


def test_the_uniform_control_looks_everywhere_alike(compared: Window) -> None:
    weights = compared.panel.state.traces["uniform"].weights
    assert weights == pytest.approx(1 / CELLS**2)


def test_photos_in_two_rows_are_of_one_size(compared: Window, qtbot: QtBot) -> None:
    stages = compared.findChild(Stages)
    stages.columns["none"].stage.sizeHint = lambda: QSize(3000, 3000)  # whatever one of them would like to have
    compared.resize(3840, 2160)
    qtbot.waitUntil(lambda: stages._across == 2)
    qtbot.wait(50)
    heights = [column.stage.height() for column in stages.columns.values() if not column.isHidden()]
    assert len(heights) == 4
    assert max(heights) - min(heights) <= 2
    assert min(heights) > 300


def test_captions_stand_right_below_photos_of_a_good_size(compared: Window, qtbot: QtBot) -> None:
    compared.resize(1440, 900)
    qtbot.wait(100)
    for one in compared.panel.stages.columns.values():
        assert one.text.y() >= one.stage.y() + one.stage.height()
        assert one.stage.width() >= 250


@pytest.mark.parametrize(("wide", "high"), [(1440, 900), (960, 640)])
def test_compared_photos_can_be_read_and_their_captions_stand_right_below(
    window: Window, qtbot: QtBot, wide: int, high: int
) -> None:
    window.resize(wide, high)
    window.panel.choose_mode("compare")
    qtbot.waitUntil(lambda: not window.desk.worker.busy)
    stages = window.panel.stages
    shown = [one for one in stages.columns.values() if not one.isHidden()]
    page, story = stages.widget(), window.panel.story
    assert page is not None

    def stands() -> None:
        assert all(one.stage.width() >= 250 for one in shown)
        assert all(0 <= one.text.y() - one.stage.geometry().bottom() <= 4 for one in shown)
        assert all(one.rect().contains(one.text.geometry()) for one in shown)
        assert page.height() <= stages.viewport().height() or stages.verticalScrollBar().maximum() > 0
        assert story.isVisible() == (high > 700)

    qtbot.waitUntil(stands)
