"""Models of the user's own in the Transformer panel: opened, dropped or chosen; what they can't show is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.inside_engine import InsideEngine
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from attnviewer.cli import main
from attnviewer.core.ablation import Ablation
from attnviewer.core.transformer.requests import LensRequest
from attnviewer.ui.panels.transformer.head import OWN
from attnviewer.ui.panels.transformer.panel import TransformerPanel
from attnviewer.ui.window import Window


def folder_of(kind: str, where: Path) -> Path:
    folder = where / f"my-{kind}"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"model_type": kind}))
    return folder


def settle(panel: TransformerPanel, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: panel.state.plain is not None and not panel.desk.worker.busy)


def test_the_bare_command_takes_the_folder_of_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, opened = folder_of("gpt2", tmp_path), []
    monkeypatch.setattr("attnviewer.app.run_app", lambda image, **_: opened.append(image) or 0)
    assert main([str(folder)]) == 0
    assert opened == [folder]


@pytest.mark.parametrize("file", ["", "config.json"])
def test_a_folder_or_its_config_opens_in_the_panel(
    file: str, panel: TransformerPanel, engine: InsideEngine, tmp_path: Path, qtbot: QtBot
) -> None:
    folder, window = folder_of("gpt2", tmp_path), panel.window()
    assert isinstance(window, Window)
    window.show_panel("image")
    assert window.opener.open_paths([folder / file])
    assert window.panel is panel
    settle(panel, qtbot)
    assert engine.requests[-1].model == str(folder)
    assert panel.head.models.currentText() == "my-gpt2"


def test_a_folder_is_chosen_as_your_own(
    panel: TransformerPanel, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_of("bert", tmp_path)
    chosen = [str(tmp_path), str(folder)]
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: chosen.pop(0))
    own = panel.head.models.findData(OWN)
    assert own == panel.head.models.count() - 1
    panel.head.models.setCurrentIndex(own)
    panel.head.models.activated.emit(own)
    assert "holds no model" in panel.head.fault.text()
    assert panel.head.models.currentData() == ""
    panel.head.models.setCurrentIndex(own)
    panel.head.models.activated.emit(own)
    settle(panel, qtbot)
    assert panel.state.model == str(folder)


def test_a_model_that_reads_photos_gets_the_photo_and_no_text(
    panel: TransformerPanel, engine: InsideEngine, tmp_path: Path, qtbot: QtBot, photo: Path
) -> None:
    window = panel.window()
    assert isinstance(window, Window)
    window.opener.open_paths([folder_of("vit", tmp_path)])
    assert not panel.head.field.isEnabled()
    assert panel.stack.currentWidget() is panel.views["glance"]
    window.opener.open_paths([photo])
    window.show_panel("transformer")
    settle(panel, qtbot)
    asked = [one for one in engine.requests if one.model]
    assert asked
    assert all(one.text is None and one.picture is not None for one in asked)
    panel.choose_model("")
    assert panel.head.field.isEnabled()
    assert panel.head.field.text() == panel.state.text


def test_what_adapters_cannot_change_is_left_alone_and_said(
    panel: TransformerPanel, tmp_path: Path, qtbot: QtBot
) -> None:
    window = panel.window()
    assert isinstance(window, Window)
    window.opener.open_paths([folder_of("bert", tmp_path)])
    panel.choose_view("change")
    panel.alter(Ablation(off=((0, 1),), mask="future"))
    assert panel.state.change == Ablation(off=((0, 1),))
    settle(panel, qtbot)
    assert "heads can be switched off" in panel.views["change"].hint.text()


@pytest.mark.parametrize(("kind", "asked"), [("gpt2", True), ("bert", False)])
def test_the_lens_looks_through_what_says_words(
    kind: str, asked: bool, panel: TransformerPanel, tmp_path: Path, qtbot: QtBot
) -> None:
    window, wanted = panel.window(), []
    assert isinstance(window, Window)
    window.opener.open_paths([folder_of(kind, tmp_path)])
    settle(panel, qtbot)
    panel.choose_view("layer")
    view = panel.views["layer"]
    view.wanted.connect(lambda _, request: wanted.append(request))
    view.choose_page("lens")
    assert [isinstance(one, LensRequest) and one.model for one in wanted] == [str(tmp_path / "my-gpt2")] * asked
    assert ("says no next word" in view.hint.text()) is not asked
