"""A folder of photos: done side by side, taken up where it stopped, and shared among processes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from attnviewer.cli import main

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """Eleven photos, one of them broken."""
    folder = tmp_path / "many"
    folder.mkdir()
    random = np.random.default_rng(0)
    for number in range(11):
        pixels = random.integers(0, 256, (20, 30, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(folder / f"{number}.png")
    (folder / "4.png").write_bytes(b"broken")
    return folder


def test_a_folder_is_done_in_order_and_survives_a_broken_photo(
    many: Path, engine: Any, tmp_path: Path, capsys: Capture
) -> None:
    assert main(["caption", str(many), "-o", f"{tmp_path}/out/"]) == 2
    said = capsys.readouterr()
    assert [Path(line.split("\t")[0]).name for line in said.out.splitlines()] == [
        f"{n}.png" for n in range(11) if n != 4
    ]
    assert said.err.count("4.png is no image") == 1
    assert len(list((tmp_path / "out").glob("[!.]*"))) == 10


def test_what_is_done_is_left_out_and_said_again(many: Path, engine: Any, tmp_path: Path, capsys: Capture) -> None:
    call = ["caption", str(many), "-o", f"{tmp_path}/out/"]
    main(call)
    first, made = capsys.readouterr().out, len(engine.requests)
    main(call)
    said = capsys.readouterr()
    assert said.out == first
    assert "10 photos were done already" in said.err
    assert len(engine.requests) == made
    main([*call, "--again"])
    assert len(engine.requests) == 2 * made


def _photo(many: Path, out: Path) -> None:
    Image.new("RGB", (20, 30)).save(many / "2.png")


def _result(many: Path, out: Path) -> None:
    (out / "2.json").write_text("cut")


def _gone(many: Path, out: Path) -> None:
    (out / "2.json").unlink()


def _kept(many: Path, out: Path) -> None:
    os.utime(many / "2.png", (1, 1))


@pytest.mark.parametrize("change", [_photo, _result, _gone, _kept])
def test_a_photo_or_result_that_changed_is_done_anew(
    change: Callable[[Path, Path], None], many: Path, engine: Any, tmp_path: Path
) -> None:
    call = ["caption", str(many), "-o", f"{tmp_path}/out/"]
    main(call)
    made = len(engine.requests)
    change(many, tmp_path / "out")
    main(call)
    assert len(engine.requests) == made + 1


@pytest.mark.parametrize("more", [["--beam", "2"], ["--attention", "hard"], ["--seed", "3"], ["--cells"]])
def test_what_is_asked_for_otherwise_is_done_anew(more: list[str], many: Path, engine: Any, tmp_path: Path) -> None:
    call = ["caption", str(many), "-o", f"{tmp_path}/out/"]
    main(call)
    made = len(engine.requests)
    main([*call, *more])
    assert len(engine.requests) == 2 * made


def test_a_record_that_is_damaged_is_as_none(many: Path, engine: Any, tmp_path: Path) -> None:
    call = ["caption", str(many), "-o", f"{tmp_path}/out/"]
    main(call)
    made = len(engine.requests)
    for damage in ("{", "[1]", '{"1.json": 5}', '{"1.json": {"key": 1}}'):
        for record in (tmp_path / "out").glob(".attnviewer-done-*"):
            record.write_text(damage)
        main(call)
    assert len(engine.requests) == 5 * made


def test_processes_share_a_folder_and_write_the_same_files(
    many: Path, engine: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main(["caption", str(many), "-o", f"{tmp_path}/one/"])
    made = len(engine.requests)
    monkeypatch.setenv("WORLD_SIZE", "3")
    for rank in range(3):
        monkeypatch.setenv("RANK", str(rank))
        main(["caption", str(many), "-o", f"{tmp_path}/three/"])
    assert len(engine.requests) == 2 * made
    for path in (tmp_path / "one").glob("[!.]*"):
        assert (tmp_path / "three" / path.name).read_bytes() == path.read_bytes()
    monkeypatch.setenv("RANK", "0")
    monkeypatch.setenv("WORLD_SIZE", "1")
    main(["caption", str(many), "-o", f"{tmp_path}/three/"])  # one process knows what three have done
    assert len(engine.requests) == 2 * made
