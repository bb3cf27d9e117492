"""A captioner of the user's own in the image panel: its folder is opened, and it is one of the models from then on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.fake_engine import FakeEngine
from helpers.tiny_models import write_model
from pytestqt.qtbot import QtBot

from attnviewer.core.added import Added
from attnviewer.runs.engine import Engine
from attnviewer.ui.installed import by_attention, look_around
from attnviewer.ui.window import Window

Make = Callable[..., Window]


def a_folder(tmp_path: Path, kind: str = "blip") -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "config.json").write_text(f'{{"model_type": "{kind}"}}')
    return folder


def settled(window: Window) -> bool:
    return not window.panel.state.missing and not window.desk.worker.busy


def test_the_folder_of_a_captioner_is_opened_and_offered(
    make_window: Make, photo: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    window = make_window(engine := FakeEngine())
    window.opener.open_paths([photo])
    qtbot.waitUntil(lambda: settled(window))
    window.panel.choose_mode("none")
    folder = a_folder(tmp_path)
    window.opener.open_paths([folder])
    qtbot.waitUntil(lambda: settled(window))
    assert window.panel.state.mode == "soft"
    assert str(folder) in [request.model for request in engine.requests]
    chooser = window.panel.tools().model
    assert [chooser.itemText(at) for at in range(chooser.count())] == ["caption-soft", "mine"]
    assert (chooser.currentText(), chooser.isVisible()) == ("mine", True)
    window.panel.choose_mode("none")
    assert not chooser.isVisible()


def test_in_a_comparison_it_stands_beside_ours_and_is_no_control(
    make_window: Make, photo: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    window = make_window(engine := FakeEngine())
    window.opener.open_paths([photo])
    window.panel.choose_mode("compare")
    folder = a_folder(tmp_path)
    window.opener.open_paths([folder])
    qtbot.waitUntil(lambda: settled(window))
    asked = {request.attention: request.model for request in engine.requests}
    assert asked == {"soft": str(folder), "none": None, "hard": None, "uniform": None}


def test_a_model_that_writes_no_captions_is_looked_into_and_captions_stay_as_they_are(
    window: Window, tmp_path: Path
) -> None:
    image, asked = window.panel, []
    window.desk.reader_opened.connect(asked.append)
    assert window.opener.open_paths([a_folder(tmp_path, "bert")])
    assert asked == [str(tmp_path / "mine")]
    assert window.panel is window.panels["transformer"]
    assert image.state.opened == ()


def test_a_model_that_was_fetched_is_offered_with_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("blip", "bert"):
        folder = tmp_path / f"us--{kind}"
        folder.mkdir()
        Added(f"us/{kind}", kind, "MIT", 5, "main").save(folder)
    monkeypatch.setenv("ATTNVIEWER_MODELS", str(tmp_path))
    found = look_around()
    assert found.models["soft"][-1] == "us/blip"
    assert all("us/bert" not in ids for ids in found.models.values())
    assert found.models["none"] == by_attention(list(found.cards.values()), "caption")["none"]


def test_a_real_one_captions_word_by_word_with_all_its_heads(
    make_window: Make, photo: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    folder = write_model("blip", tmp_path / "tiny")
    window = make_window(Engine(device="cpu"))
    window.panel.state.mode = "soft"
    window.opener.open_paths([folder])
    window.opener.open_paths([photo])
    qtbot.waitUntil(lambda: settled(window) and window.panel.state.trace is not None, timeout=60_000)
    trace = window.panel.state.trace
    assert (trace.model, trace.heads) == ("tiny", ("0.0", "0.1", "1.0", "1.1"))
    assert window.panel.player.count == len(trace.words) > 0
    assert window.panel.foot.heads.isVisible()
