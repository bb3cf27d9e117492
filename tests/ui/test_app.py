from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from attnviewer.ui.start.preflight import NO_SCREEN, missing_library, trouble

ROOT = Path(__file__).parents[2]
START = """
import contextlib, sys, types
from helpers.fake_engine import FakeEngine
import attnviewer.app as app
fake = types.ModuleType("attnviewer.runs.engine")
fake.Engine = lambda *_, **_kw: FakeEngine({engine})
sys.modules["attnviewer.runs.engine"] = fake
app.model_thread = contextlib.nullcontext
status = app.run_app({arguments})
assert "torch" not in sys.modules, "the window's side imported torch"
sys.exit(status)
"""


def run(tmp_path: Path, arguments: str, engine: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
    """Start the program in a process of its own, with a home of its own."""
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    home = {
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path),
        "PYTHONPATH": paths,
        "QT_QPA_PLATFORM": "offscreen",
    }
    code = START.format(arguments=arguments, engine=engine)
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, **home, **environ},
    )  # fmt: skip


def milestones(stderr: str) -> list[str]:
    lines = [json.loads(line) for line in stderr.splitlines() if line.startswith("{")]
    assert [line["seconds"] for line in lines] == sorted(line["seconds"] for line in lines)
    return [line["milestone"] for line in lines]


def quiet(stderr: str) -> bool:
    """Nothing but milestones, and what the platform without a screen says of itself."""
    return all(line.startswith("{") or "propagateSizeHints" in line for line in stderr.splitlines())


def test_the_start_reports_its_milestones_in_order(tmp_path: Path, photo: Path) -> None:
    ended = run(tmp_path, f"{str(photo)!r}, timings=True, quit_when_done=True")
    assert ended.returncode == 0, ended.stderr
    assert milestones(ended.stderr) == ["window", "model", "word", "done"]
    assert quiet(ended.stderr)


def test_without_an_image_the_sample_is_captioned(tmp_path: Path) -> None:
    ended = run(tmp_path, "timings=True, quit_when_done=True")
    assert (ended.returncode, milestones(ended.stderr)[-1]) == (0, "done")


def test_an_image_that_cannot_be_read_gives_the_sample(tmp_path: Path) -> None:
    ended = run(tmp_path, "'/nowhere/x.jpg', timings=True, quit_when_done=True")
    assert (ended.returncode, milestones(ended.stderr)[-1]) == (0, "done")


def test_a_caption_that_fails_is_told_when_the_window_closes_by_itself(tmp_path: Path) -> None:
    ended = run(tmp_path, "quit_when_done=True", engine="fail_at=1")
    assert ended.returncode == 2
    assert "memory of the device" in ended.stderr.splitlines()[-1]


@pytest.mark.parametrize("after", [0, 40, 200])
def test_closing_at_any_moment_ends_silently_with_status_0(tmp_path: Path, after: int) -> None:
    closing = (
        "(__import__('PySide6.QtCore').QtCore.QTimer.singleShot("
        f"{after}, lambda: __import__('PySide6.QtWidgets').QtWidgets.QApplication.closeAllWindows())"
    )
    code = f"""
import attnviewer.ui.window as w
shown = w.Window.showEvent
def show(self, event):
    shown(self, event)
    {closing})
w.Window.showEvent = show
"""
    ended = run(tmp_path, f"*(exec({code!r}), None)[1:]", engine="delay=0.05")
    assert (ended.returncode, quiet(ended.stderr)) == (0, True), ended.stderr


@pytest.mark.parametrize("display", ["", ":4711", "no display", "localhost:4711"])
def test_without_a_screen_one_line_names_the_verbs_that_need_none(tmp_path: Path, display: str) -> None:
    ended = run(tmp_path, "", DISPLAY=display, WAYLAND_DISPLAY="", QT_QPA_PLATFORM="")
    assert (ended.returncode, ended.stderr) == (2, f"attnviewer: {NO_SCREEN}\n")
    assert "caption" in NO_SCREEN
    assert "models" in NO_SCREEN


def test_a_screen_that_answers_is_taken(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "wayland-9"))
        server.listen()
        environ = {"WAYLAND_DISPLAY": "wayland-9", "XDG_RUNTIME_DIR": str(tmp_path)}
        assert trouble(environ, "linux") == ""


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_other_systems_always_have_a_screen(platform: str) -> None:
    assert trouble({}, platform) == ""


@pytest.mark.parametrize(
    ("error", "package"),
    [
        ("libEGL.so.1: cannot open shared object file: No such file or directory", "libegl1"),
        ("libxcb-cursor.so.0: cannot open shared object file: No such file", "libxcb-cursor0"),
        ("libnew.so.9: cannot open shared object file: No such file", "libnew.so.9"),
    ],
)
def test_a_missing_library_is_named_with_its_package(error: str, package: str) -> None:
    line = missing_library(error)
    assert package in line
    assert "install" in line
    assert "\n" not in line


def test_another_import_error_is_no_missing_library() -> None:
    assert missing_library("No module named 'nothing'") == ""
