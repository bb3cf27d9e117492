from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from helpers.blocked import QT, ROOT, loaded_by
from helpers.fake_engine import FakeEngine
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from attnviewer.ui.desk import Desk
from attnviewer.ui.fields import Field, yes
from attnviewer.ui.installed import Installed
from attnviewer.ui.panels import PANELS, PanelSpec
from attnviewer.ui.panels.base import Panel
from attnviewer.ui.settings import FIELDS, Settings
from attnviewer.ui.shortcuts import Key
from attnviewer.ui.window import Window
from attnviewer.ui.worker import Worker


class NewPanel(Panel):
    """A panel that counts how often it was called."""

    calls = 0

    def commands(self) -> dict[str, object]:
        return {"knock": self.knock}

    def knock(self) -> None:
        self.calls += 1
        self.desk.settings["knocked"] = True


FRESH = PanelSpec(
    "new",
    "New",
    "info",
    "A panel of tomorrow",
    f"{__name__}:NewPanel",
    keys=(Key("knock", ("K",), "Knock"),),
    fields={"knocked": Field(False, yes)},
)


def test_a_new_panel_needs_one_row(tmp_path: Path, qtbot: QtBot) -> None:
    settings = Settings(tmp_path / "a.ini", fields=FIELDS | dict(FRESH.fields))
    worker = Worker(FakeEngine)
    window = Window(Desk(worker, settings, Installed({"soft": ("caption-soft",)}, ())), (*PANELS, FRESH))
    qtbot.addWidget(window)
    window.show_panel("new")
    window.commands()["knock"]()
    window.sheet.toggle()
    assert window.rail.panels["new"].toolTip() == f"<span>A panel of tomorrow (Ctrl+{len(PANELS) + 1})</span>"
    assert window.panels["new"].calls == 1
    assert settings["knocked"] is True
    assert "Knock" in [child.text() for child in window.sheet.findChildren(QLabel)]
    assert worker.close()


def test_panels_differ_in_key_name_home_and_what_they_remember() -> None:
    named = [(spec.key, spec.name, spec.home) for spec in PANELS]
    remembered = Counter(name for spec in PANELS for name in spec.fields)
    assert all(len(set(column)) == len(PANELS) for column in zip(*named, strict=True))
    assert max(remembered.values()) == 1


@pytest.mark.parametrize("spec", PANELS, ids=lambda spec: spec.key)
def test_in_a_panel_each_key_does_one_thing(spec: PanelSpec) -> None:
    used = Counter(sequence for key in spec.keys for sequence in key.keys)
    assert [sequence for sequence, count in used.items() if count > 1] == []


def test_what_panels_know_loads_no_qt() -> None:
    states = sorted((ROOT / "attnviewer" / "ui" / "panels").glob("*/state.py"))
    assert len(states) >= 3
    for path in states:
        assert loaded_by(f"attnviewer.ui.panels.{path.parent.name}.state", QT) == []


def test_settings_under_their_old_names_are_read(tmp_path: Path) -> None:
    store = QSettings(str(tmp_path / "a.ini"), QSettings.Format.IniFormat)
    for name, value in (("panel", "ask"), ("ask", "words"), ("asked", ["dog", "cat"])):
        store.setValue(name, value)
    store.sync()
    settings = Settings(tmp_path / "a.ini")
    assert (settings["panel"], settings["query"], settings["queries"]) == ("query", "words", ("dog", "cat"))


def test_no_panel_imports_another() -> None:
    rooms = [folder for folder in (ROOT / "attnviewer" / "ui" / "panels").iterdir() if (folder / "panel.py").is_file()]
    assert len(rooms) >= 3
    for room in rooms:
        text = "".join(path.read_text("utf-8") for path in room.rglob("*.py"))
        others = set(re.findall(r"from attnviewer\.ui\.panels\.(\w+)", text))
        assert others <= {room.name, "base"}, room.name
