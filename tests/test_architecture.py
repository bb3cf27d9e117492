"""The structure holds: layers, style, types, sizes, and who loads what."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.blocked import QT, ROOT, TORCH, imports_without, loaded_by

LONGEST = 300  # lines of a file
HEAVIEST = 95_000_000  # bytes of all files together
MODEL_SIDE = ("core", "nets", "zoo", "runs", "data", "measure", "train")
WINDOW_SIDE = ("core", "export", "ui")
CHECKS = {
    "layers": ["-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
    "lint": ["-m", "ruff", "check", "attnviewer", "tests"],
    "format": ["-m", "ruff", "format", "--check", "attnviewer", "tests"],
    "types": ["-m", "mypy"],
}


def tracked() -> list[Path]:
    """The files of the project that are kept in version control (or are about to be)."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


@pytest.mark.parametrize("check", CHECKS)
def test_the_checkers_are_content(check: str) -> None:
    run = subprocess.run([sys.executable, *CHECKS[check]], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_no_source_file_is_too_long() -> None:
    sources = [path for path in tracked() if path.suffix == ".py"]
    long = {path.name: lines for path in sources if (lines := len(path.read_text("utf-8").splitlines())) > LONGEST}
    assert len(sources) > 20
    assert long == {}


def test_all_files_together_are_not_too_heavy() -> None:
    assert sum(path.stat().st_size for path in tracked()) < HEAVIEST


@pytest.mark.parametrize(
    ("module", "unwanted"),
    [
        ("attnviewer", (*QT, *TORCH, "numpy", "PIL", "matplotlib")),
        ("attnviewer.cli", (*QT, *TORCH, "matplotlib")),
        ("attnviewer.app", TORCH),
    ],
)
def test_an_import_loads_no_more_than_it_needs(module: str, unwanted: tuple[str, ...]) -> None:
    assert loaded_by(module, unwanted) == []


@pytest.mark.parametrize(
    ("side", "blocked"), [(MODEL_SIDE, QT), (WINDOW_SIDE, TORCH), (("core", "export"), (*QT, *TORCH))]
)
def test_each_side_imports_without_the_other(side: tuple[str, ...], blocked: tuple[str, ...]) -> None:
    run = imports_without(blocked, [f"attnviewer.{part}" for part in side])
    assert run.returncode == 0, run.stderr
    assert len(json.loads(run.stdout)) > len(side)


def test_a_blocked_package_is_really_blocked() -> None:
    run = imports_without(TORCH, ["attnviewer.nets"])
    assert run.returncode != 0
    assert "torch is blocked here" in run.stderr


def test_every_package_has_its_marker_for_types_and_its_licence() -> None:
    assert (ROOT / "attnviewer" / "py.typed").is_file()
    assert "MIT License" in (ROOT / "LICENSE").read_text("utf-8")
