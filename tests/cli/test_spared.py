"""No verb writes over what it reads, whatever name it goes by."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from attnviewer.cli import main

Capture = pytest.CaptureFixture[str]


def _itself(file: Path, suffix: str) -> Path:
    return file


def _soft(file: Path, suffix: str) -> Path:
    os.symlink(file, file.with_name(f"soft{suffix}"))
    return file.with_name(f"soft{suffix}")


def _hard(file: Path, suffix: str) -> Path:
    os.link(file, file.with_name(f"hard{suffix}"))
    return file.with_name(f"hard{suffix}")


@pytest.fixture(params=[_itself, _soft, _hard])
def named(request: pytest.FixtureRequest) -> Callable[[Path, str], Path]:
    """A way to name the same file."""
    return request.param


@pytest.mark.parametrize("call", [["caption", "{}"], ["query", "dog", "--image", "{}"]])
@pytest.mark.usefixtures("engine")
def test_the_photo_that_is_asked_stays(
    call: list[str], named: Callable[[Path, str], Path], photo: Path, capsys: Capture
) -> None:
    before, out = photo.read_bytes(), named(photo, ".png")
    assert main([*(part.format(photo) for part in call), "-o", str(out)]) == 2
    assert photo.read_bytes() == out.read_bytes() == before
    assert "one of the files that are read" in capsys.readouterr().err


@pytest.mark.parametrize("call", [["query", "dog", "--lines", "{}"], ["translate", "--lines", "{}"]])
@pytest.mark.usefixtures("engine")
def test_the_lines_that_are_read_stay(
    call: list[str], named: Callable[[Path, str], Path], tmp_path: Path, capsys: Capture
) -> None:
    notes = tmp_path / "notes.csv"
    notes.write_text("un perro\n")
    out = named(notes, ".csv")
    assert main([*(part.format(notes) for part in call), "-o", str(out)]) == 2
    assert notes.read_text() == out.read_text() == "un perro\n"
    assert "one of the files that are read" in capsys.readouterr().err


@pytest.mark.parametrize("verb", [["evaluate", "bottleneck", "--data"], ["evaluate", "translate", "--data"]])
def test_what_a_measure_reads_stays(verb: list[str], photo: Path, capsys: Capture) -> None:
    before = photo.read_bytes()
    assert main([*verb, str(photo), "-o", str(photo)]) == 2
    assert photo.read_bytes() == before
    assert "one of the files that are read" in capsys.readouterr().err
