"""Closed streams, terminals, interruptions and strange names: the command line stays quiet and in one line."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers.pictures import corners
from PIL import Image

from attnviewer.cli import main

Capture = pytest.CaptureFixture[str]
PROGRAM = [sys.executable, "-m", "attnviewer"]


@pytest.mark.parametrize("closed", ["2>&-", "2>&- <&-"])
def test_with_stderr_closed_a_fault_says_nothing_on_stdout(closed: str) -> None:
    call = subprocess.run(f"{' '.join(PROGRAM)} query x --lines nowhere.txt {closed}", shell=True, capture_output=True)
    assert (call.returncode, call.stdout) == (2, b"")


def test_with_stdout_closed_a_fault_is_told() -> None:
    line = f"{' '.join(PROGRAM)} query x --lines nowhere.txt >&-"
    call = subprocess.run(line, shell=True, capture_output=True)
    assert call.returncode == 2
    assert b"nowhere.txt" in call.stderr


@pytest.mark.parametrize("after", [0.1, 0.2, 0.3, 0.5])
def test_an_early_interruption_is_silent(after: float) -> None:
    program = subprocess.Popen([*PROGRAM, "models"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(after)
    program.send_signal(signal.SIGINT)
    _, err = program.communicate(timeout=60)
    if b"site" not in err and b"runpy" not in err:  # before our first line Python itself speaks
        assert err == b""
        early = -signal.SIGINT  # before Python listens, the kernel ends it; a shell calls that 130 too
        assert program.returncode in (130, early, 0)


@pytest.mark.usefixtures("engine")
def test_a_name_with_a_line_break_and_commands_stays_on_its_line(tmp_path: Path, capsys: Capture) -> None:
    names = ["two\nlines.png", "red\x1b[31m.png", "plain.png"]
    for name in names:
        Image.fromarray(corners()).save(tmp_path / name)
    assert main(["caption", *(str(tmp_path / name) for name in names)]) == 0
    out = capsys.readouterr().out
    assert len(out.splitlines()) == 3
    assert "\x1b" not in out


def test_a_text_with_commands_is_shown_harmless(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "log.txt").write_text("a \x1b[31mdog\x1b[0m runs\na cat\n")
    assert main(["query", "dog", "--lines", str(tmp_path / "log.txt"), "--keys", "bow"]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\\x1b[31mdog" in out


@pytest.mark.usefixtures("engine")
def test_the_longest_names_are_shortened_and_stay_apart(tmp_path: Path) -> None:
    names = [f"{'é' * 124}{end}.png" for end in ("a", "b")] + [f"{'x' * 251}.png"]
    for name in names:
        Image.fromarray(corners()).save(tmp_path / name)
    out = tmp_path / "out"
    assert main(["caption", *(str(tmp_path / name) for name in names), "-o", f"{out}/"]) == 0
    made = [path.name for path in out.glob("[!.]*")]
    assert len(made) == 3
    assert all(len(name.encode()) <= 255 and name.endswith(".json") for name in made)


@pytest.mark.usefixtures("engine")
def test_an_empty_folder_among_several_is_told_and_the_rest_done(photos: Path, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "empty").mkdir()
    assert main(["caption", str(tmp_path / "empty"), str(photos)]) == 2
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 3
    assert "empty holds no images" in said.err


@pytest.mark.parametrize("call", [["caption", ""], ["query", "dog", "--lines", ""], ["query", "dog", "--image", ""]])
def test_an_empty_name_is_said_to_be_one(call: list[str], capsys: Capture) -> None:
    assert main(call) == 2
    assert "an empty name" in capsys.readouterr().err


BYTES = [
    ["query", "caf\udce9", "--sentence", "a dog"],
    ["query", "dog", "--sentence", "caf\udce9"],
    ["translate", "Compr\udce9 un coche."],
    ["translate", "Hola.", "--words", "caf\udce9"],
]


@pytest.mark.parametrize("call", BYTES)
def test_bytes_that_are_no_letters_are_refused_in_one_line(call: list[str], capsys: Capture) -> None:
    assert main(call) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "no text in UTF-8" in err
    assert err.count("\n") == 1
