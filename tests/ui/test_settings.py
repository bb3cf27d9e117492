from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from attnviewer.ui.settings import FIELDS, Settings


def test_first_values_are_the_defaults(settings: Settings) -> None:
    assert {name: settings[name] for name in FIELDS} == {name: field.default for name, field in FIELDS.items()}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("opacity", 0.4),
        ("smooth", False),
        ("speed", 2.0),
        ("theme", "dark"),
        ("source", "file:/a/ü.jpg"),
        ("loop", False),
    ],
)
def test_values_come_back_in_the_next_run(tmp_path: Path, name: str, value: object) -> None:
    first = Settings(tmp_path / "a.ini")
    first[name] = value
    first.sync()
    assert Settings(tmp_path / "a.ini")[name] == value


@pytest.mark.parametrize(("name", "junk"), [("opacity", "much"), ("opacity", "7"), ("theme", "pink"), ("speed", "-1")])
def test_junk_falls_back_to_the_default(tmp_path: Path, name: str, junk: str) -> None:
    store = QSettings(str(tmp_path / "a.ini"), QSettings.Format.IniFormat)
    store.setValue(name, junk)
    store.sync()
    assert Settings(tmp_path / "a.ini")[name] == FIELDS[name].default
