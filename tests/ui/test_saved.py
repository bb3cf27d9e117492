"""A saved trace opens in the panel of its task, every view reads it, and no model runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from helpers.fake_engine import FakeEngine
from PIL import Image
from PySide6.QtCore import QMimeData, QUrl
from pytestqt.qtbot import QtBot

from attnviewer.core.trace import Trace
from attnviewer.core.tracefiles import save_trace
from attnviewer.ui.panels.query.state import FIRST
from attnviewer.ui.settings import FIELDS, Settings
from attnviewer.ui.window import Window

OLD = Path(__file__).resolve().parents[1] / "fixtures" / "v01"


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def fresh(make_window: Callable[..., Window], engine: FakeEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
          ) -> Window:  # fmt: skip
    """A window in which nothing has been opened, away from the photos that the old traces name."""
    monkeypatch.chdir(tmp_path)
    return make_window(engine)


@pytest.mark.parametrize(
    ("name", "mode", "text"),
    [
        ("caption-soft.json", "soft", "a man is playing at a guitar"),
        ("caption-hard.npz", "hard", "a man is sitting on a guitar at a fire"),
        ("caption-none.json", "none", "a group of people are sitting on a street"),
    ],
)
def test_a_caption_that_version_0_1_saved_is_shown_without_a_model(
    fresh: Window, engine: FakeEngine, name: str, mode: str, text: str
) -> None:
    assert fresh.opener.open_paths([OLD / name])
    panel = fresh.panels["image"]
    assert (fresh.panel is panel, panel.state.mode) == (True, mode)
    assert panel.state.trace.text == text
    assert panel.player.count == len(text.split())
    assert panel.result()[0].text == text
    for word in range(panel.player.count):
        panel.player.go(word)
    assert not panel.missing.isHidden()
    assert "isn't at hand: resources/images/band.jpg" in panel.missing.told.text()
    assert "no model runs" in fresh.status.message.text()
    assert engine.requests == []


def test_the_photo_that_is_missing_can_be_found(fresh: Window, tmp_path: Path) -> None:
    fresh.opener.open_paths([OLD / "caption-soft.json"])
    panel = fresh.panels["image"]
    for name, size in (("small", (40, 30)), ("right", (800, 325))):
        Image.new("RGB", size, (0, 90, 0)).save(tmp_path / f"{name}.png")
    panel.missing.choose = lambda: str(tmp_path / "small.png")
    panel.missing.search.click()
    assert "40 × 30 pixels" in panel.missing.told.text()
    panel.missing.choose = lambda: str(tmp_path / "right.png")
    panel.missing.search.click()
    assert panel.missing.isHidden()
    assert panel.state.picture.pixels[0, 0].tolist() == [0, 90, 0]
    assert panel.result()[1] is panel.state.picture


def test_an_npz_trace_brings_its_photo(window: Window, photo: Path, tmp_path: Path, engine: FakeEngine) -> None:
    trace, picture = window.panel.result()
    save_trace(trace, tmp_path / "a.npz", picture)
    photo.unlink()
    window.opener.open_paths([tmp_path / "a.npz"])
    assert window.panel.missing.isHidden()
    found = window.panel.state.picture
    assert found.pixels.shape == picture.pixels.shape
    assert np.abs(found.pixels.astype(int) - picture.pixels).mean() < 6


def test_a_photo_that_is_opened_afterwards_runs_the_model(
    fresh: Window, engine: FakeEngine, photo: Path, qtbot: QtBot
) -> None:
    fresh.opener.open_paths([OLD / "caption-soft.json"])
    fresh.opener.open_paths([photo])
    qtbot.waitUntil(lambda: fresh.panel.state.done == {"soft"} and not fresh.desk.worker.busy)
    assert len(engine.requests) > 0
    assert fresh.panel.missing.isHidden()


@pytest.mark.parametrize(("name", "mode"), [("translate-soft.npz", "soft"), ("translate-none.json", "none")])
def test_a_translation_that_was_saved_is_shown_without_a_model(
    fresh: Window, engine: FakeEngine, name: str, mode: str
) -> None:
    fresh.opener.open_paths([OLD / name])
    panel = fresh.panels["translate"]
    assert (fresh.panel is panel, panel.state.mode) == (True, mode)
    assert panel.result()[0].text == Trace.load(OLD / name).text
    assert panel.head.field.text() == Trace.load(OLD / name).source.text
    assert engine.requests == []


@pytest.mark.parametrize(
    ("name", "kind", "query"),
    [
        ("query-regions.npz", "regions", "dog"),
        ("query-words.json", "words", "dog"),
        ("query-lines.npz", "lines", "music"),
    ],
)
def test_a_query_that_was_saved_is_shown_without_a_model(
    fresh: Window, engine: FakeEngine, name: str, kind: str, query: str
) -> None:
    fresh.opener.open_paths([OLD / name])
    panel = fresh.panels["query"]
    assert (fresh.panel is panel, panel.state.kind) == (True, kind)
    assert panel.side.fields[FIRST].text() == query
    assert panel.state.rows()
    assert panel.source.missing.isHidden() == (kind != "regions")
    panel.side.item = 0
    panel.side.show_formula(panel.state)
    assert engine.requests == []


def test_a_trace_can_be_dropped(fresh: Window) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(OLD / "translate-soft.npz"))])
    fresh._take(data)
    assert fresh.panel is fresh.panels["translate"]


def test_a_file_that_holds_no_trace_is_told_and_nothing_changes(fresh: Window, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}")
    assert not fresh.opener.open_paths([tmp_path / "a.json"])
    assert "a.json: this is no trace" in fresh.status.message.text()


def test_settings_that_version_0_1_wrote_are_kept(tmp_path: Path) -> None:
    (tmp_path / "a.ini").write_bytes((OLD / "settings.ini").read_bytes())
    settings = Settings(tmp_path / "a.ini")
    wanted = {
        "panel": "query", "query": "lines", "queries": ("music", "dog"), "attention": "hard", "model": "caption-hard",
        "table": "viridis", "theme": "dark", "smooth": False, "per_word": True, "under": False, "pick": "argmax",
        "opacity": 0.4, "speed": 2.0, "loop": False, "folder": "/a/folder", "export": ".gif", "translate": "compare",
        "translated": ("El perro corre.",), "source": "sample:band.jpg",
    }  # fmt: skip
    assert set(wanted) <= set(FIELDS)
    assert {name: settings[name] for name in wanted} == wanted
