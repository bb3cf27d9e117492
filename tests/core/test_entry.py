"""An entry in the start menu, written into a folder of its own."""

from __future__ import annotations

import configparser
import os
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from attnviewer import cli
from attnviewer.core.entry import ENTRY, ICON, command, entry_text, install_entry, quoted, remove_entry
from attnviewer.core.errors import UserError


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data home"))
    return tmp_path / "data home"


def read(home: Path) -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string((home / ENTRY).read_text("utf-8"))
    return parser["Desktop Entry"]


def test_the_verb_writes_entry_and_icon_and_names_them(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["install-entry"]) == 0
    assert capsys.readouterr().out.split("\n")[:2] == [str(home / ENTRY), str(home / ICON)]
    assert (home / ICON).read_text("utf-8").startswith("<svg")


def test_the_entry_says_what_a_desktop_asks(home: Path) -> None:
    install_entry()
    found = read(home)
    assert (found["Type"], found["Name"], found["Icon"], found["Terminal"]) == (
        "Application", "attnviewer", ICON.stem, "false",
    )  # fmt: skip
    assert {"image/jpeg", "image/png", "image/heic"} <= set(found["MimeType"].split(";"))
    assert found["Categories"].endswith(";")


def test_the_entry_starts_a_program_that_is_there(home: Path) -> None:
    install_entry()
    program, *rest = shlex.split(read(home)["Exec"])
    assert os.access(program, os.X_OK)
    assert rest[-1] == "%f"


def test_without_an_installed_command_this_python_starts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_: None)
    assert command() == [sys.executable, "-m", "attnviewer"]
    assert "-m" in entry_text()


@pytest.mark.parametrize(
    ("part", "stands"), [("/a b/c", '"/a b/c"'), ('a"b', r'"a\\"b"'), ("50%", '"50%%"'), ("a$b", r'"a\\$b"')]
)
def test_strange_paths_are_quoted_as_the_specification_has_it(part: str, stands: str) -> None:
    assert quoted(part) == stands


def test_it_goes_away_again_and_twice_is_no_fault(home: Path) -> None:
    install_entry()
    assert cli.main(["install-entry", "--remove"]) == 0
    assert not (home / ENTRY).exists()
    assert not (home / ICON).exists()
    assert remove_entry() == []


def test_installing_twice_leaves_one_entry(home: Path) -> None:
    assert install_entry() == install_entry()
    assert [path.name for path in (home / ENTRY).parent.iterdir()] == [ENTRY.name]


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    with pytest.raises(UserError, match="can't be written"):
        install_entry()


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_other_systems_are_told_what_to_do(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    monkeypatch.setattr(sys, "platform", system)
    with pytest.raises(UserError, match="pin the program"):
        install_entry()
