"""The panel: every experiment opens with something, leads to the next, can be saved, and fails with a sentence."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from helpers.explore_engine import ExploreEngine
from PIL import Image
from PySide6.QtWidgets import QAbstractButton, QComboBox, QPlainTextEdit, QSlider, QWidget
from pytestqt.qtbot import QtBot

from attnviewer.ui.panels.foundations import experiments
from attnviewer.ui.panels.foundations.base import Experiment
from attnviewer.ui.panels.foundations.panel import FoundationsPanel
from attnviewer.ui.panels.foundations.unrolled import UnrolledView
from attnviewer.ui.widgets.heat import HeatTable
from attnviewer.ui.widgets.plot import Plot
from attnviewer.ui.widgets.raster import Raster
from attnviewer.ui.window import Window

KEYS = [spec.key for spec in experiments()]
Open = Callable[[str], Experiment]


def window_of(panel: FoundationsPanel) -> Window:
    window = panel.window()
    assert isinstance(window, Window)
    return window


@pytest.mark.parametrize("key", KEYS)
def test_an_experiment_opens_with_something_that_has_happened(open_: Open, key: str) -> None:
    made = open_(key)
    assert made.says.text()
    assert made.numbers()
    assert len(made.table()) > 1


def test_nothing_is_asked_before_the_panel_is_looked_at(
    make_window: Callable[..., Window], engine: ExploreEngine, photo: Path, qtbot: QtBot
) -> None:
    window = make_window(engine)
    window.opener.open_paths([photo])
    qtbot.waitUntil(lambda: not window.desk.worker.busy)
    assert engine.asked == []
    assert window.panels["foundations"].made == {}


def test_each_question_leads_to_the_next_and_the_last_to_the_image(panel: FoundationsPanel, qtbot: QtBot) -> None:
    questions = []
    for key in KEYS:
        assert panel.chosen == key
        questions.append(panel.question.text())
        panel.further.click()
    assert window_of(panel).desk.settings["panel"] == "image"
    assert window_of(panel).desk.settings["attention"] == "soft"
    assert len(set(questions)) == len(KEYS)
    assert all(text.endswith("?") for text in questions)


def test_the_keys_go_from_experiment_to_experiment(panel: FoundationsPanel) -> None:
    panel.commands()["further"]()
    assert panel.chosen == KEYS[1]
    panel.commands()["nearer"]()
    assert panel.chosen == KEYS[0]
    panel.commands()["nearer"]()
    assert panel.chosen == KEYS[0]


def test_the_experiment_comes_back_at_the_next_start(
    panel: FoundationsPanel, make_window: Callable[..., Window], engine: ExploreEngine
) -> None:
    panel.choose("documents")
    again = make_window(engine).panels["foundations"]
    assert again.chosen == "documents"


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf", ".html", ".json", ".csv"])
def test_an_experiment_is_saved_as_figure_and_as_data(
    panel: FoundationsPanel, open_: Open, tmp_path: Path, key: str, suffix: str
) -> None:
    open_(key)
    target = tmp_path / f"out{suffix}"
    window = window_of(panel)
    window.exporter.ask = lambda *_: str(target)
    window.export(suffix)
    assert "Saved" in window.status.message.text()
    _READ[suffix](target)


def _svg(path: Path) -> None:
    assert "<svg" in path.read_text("utf-8")


def _png(path: Path) -> None:
    assert np.ptp(np.asarray(Image.open(path))) > 50


def _json(path: Path) -> None:
    assert json.loads(path.read_text("utf-8"))["schema"] == "attnviewer/finding/1"


def _csv(path: Path) -> None:
    assert len(list(csv.reader(path.open(encoding="utf-8", newline="")))) > 1


_READ: dict[str, Callable[[Path], object]] = {
    ".png": _png,
    ".svg": _svg,
    ".pdf": lambda path: path.read_bytes().index(b"%PDF"),
    ".html": lambda path: path.read_text("utf-8").index("data:image/png;base64,"),
    ".json": _json,
    ".csv": _csv,
}


def test_a_form_that_an_experiment_has_not_is_told(panel: FoundationsPanel) -> None:
    window_of(panel).export(".gif")
    assert ".png .svg .pdf .html .json .csv" in window_of(panel).status.message.text()


def test_a_place_that_cannot_be_written_is_told(panel: FoundationsPanel, tmp_path: Path) -> None:
    window = window_of(panel)
    window.exporter.ask = lambda *_: str(tmp_path / "nowhere" / "out.json")
    window.export(".json")
    assert "could not be saved" in window.status.message.text()


def test_the_photo_in_hand_is_not_written_over(panel: FoundationsPanel, photo: Path) -> None:
    before, window = photo.read_bytes(), window_of(panel)
    window.exporter.ask = lambda *_: str(photo)
    window.export(".png")
    assert "one of the files that are read" in window.status.message.text()
    assert photo.read_bytes() == before


@pytest.mark.parametrize("key", ["conv", "field", "rnn"])
def test_a_fault_of_the_model_is_told_above_the_stage(
    panel: FoundationsPanel, engine: ExploreEngine, key: str, qtbot: QtBot
) -> None:
    engine.fault = "the encoder is broken; install attnviewer again."
    panel.choose(key)
    qtbot.waitUntil(lambda: "⚠" in panel.experiment.says.text())
    assert "install attnviewer again" in panel.experiment.says.text()


@pytest.mark.parametrize("key", KEYS)
def test_every_control_and_view_has_a_name_and_a_tooltip(open_: Open, key: str) -> None:
    made = open_(key)
    kinds = (QAbstractButton, QSlider, QComboBox, QPlainTextEdit, Raster, Plot, HeatTable, UnrolledView)
    found = [part for kind in kinds for part in made.findChildren(kind) if not part.objectName().startswith("qt_")]
    assert len(found) > 3
    corner = [part for part in found if isinstance(part.parent(), QWidget) and "Corner" in type(part).__name__]
    for part in found:
        assert part in corner or (part.accessibleName() and part.toolTip()), part


@pytest.mark.parametrize("key", KEYS)
def test_presenter_mode_shows_the_stage_alone(panel: FoundationsPanel, open_: Open, key: str) -> None:
    made = open_(key)
    panel.set_presenter(True)
    assert not made.side.isVisible()
    assert made.stage.isVisible()
    panel.set_presenter(False)
    assert made.side.isVisible()


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_experiment_is_painted_in_both_themes(panel: FoundationsPanel, open_: Open, key: str, theme: str) -> None:
    made = open_(key)
    panel.desk.set_theme(theme)
    image = made.stage.grab().toImage()
    assert len({image.pixelColor(x, y).name() for x in range(0, image.width(), 9) for y in range(0, 400, 9)}) > 3


@pytest.mark.parametrize("key", ["conv", "field", "rnn"])
def test_another_photo_is_taken_at_once_or_when_it_is_looked_at(
    panel: FoundationsPanel, open_: Open, engine: ExploreEngine, tmp_path: Path, qtbot: QtBot, key: str
) -> None:
    open_(key)
    count = len(engine.asked)
    Image.new("RGB", (30, 50), "red").save(tmp_path / "other.png")
    window_of(panel).opener.open_paths([tmp_path / "other.png"])
    qtbot.waitUntil(lambda: len(engine.asked) > count and not panel.desk.worker.busy)
    assert engine.asked[-1].picture.width == 30


@pytest.mark.parametrize("key", ["conv", "field", "rnn"])
def test_a_photo_of_one_pixel_breaks_nothing(panel: FoundationsPanel, tmp_path: Path, qtbot: QtBot, key: str) -> None:
    Image.new("RGB", (1, 1), "red").save(tmp_path / "dot.png")
    window_of(panel).opener.open_paths([tmp_path / "dot.png"])
    panel.choose(key)
    qtbot.waitUntil(lambda: not panel.desk.worker.busy)
    assert panel.experiment.says.text()
    panel.experiment.grab()
