"""`--head` of caption and translate."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.headed import HeadedEngine

from attnviewer import api
from attnviewer.cli import main


@pytest.fixture
def headed(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine whose nets have three heads."""
    monkeypatch.setattr(api, "make_engine", lambda *_: HeadedEngine())
    monkeypatch.setattr(api, "_engines", {})


@pytest.mark.parametrize("head", ["mean", "max", "0.1", "all"])
@pytest.mark.parametrize("task", ["caption", "translate"])
def test_each_way_is_drawn(headed: None, task: str, head: str, photo: Path, tmp_path: Path) -> None:
    what = {"caption": str(photo), "translate": "El perro corre"}[task]
    assert main([task, what, "--head", head, "-o", str(tmp_path / f"{head}.png")]) == 0
    assert (tmp_path / f"{head}.png").stat().st_size > 5000


@pytest.mark.parametrize("task", ["caption", "translate"])
def test_a_head_that_is_not_there_is_one_line(
    headed: None, task: str, photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    what = {"caption": str(photo), "translate": "El perro corre"}[task]
    assert main([task, what, "--head", "9.9", "-o", str(tmp_path / "a.png")]) == 2
    assert "there is no head 9.9; choose 0.0 to 1.0, or mean, max, all." in capsys.readouterr().err


def test_a_net_of_one_head_has_none_to_choose(engine: object, photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["caption", str(photo), "--head", "max"]) == 2
    assert capsys.readouterr().err == "attnviewer: fake has no heads to choose from; leave --head out.\n"
