"""`attnviewer explore matter`, with the models that ship."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from attnviewer.cli import main


def test_a_sentence_is_told_with_what_each_word_counts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "matter.svg"
    assert main(["explore", "matter", "--sentence", "El perro duerme.", "--word", "1", "-o", str(out)]) == 0
    told = capsys.readouterr().out
    assert "[dog]" in told
    assert "perro" in told
    assert "Kendall's tau" in told
    assert out.read_text(encoding="utf-8").startswith("<?xml")


def test_json_is_a_finding(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explore", "matter", "--sentence", "El perro duerme.", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["schema"], found["task"]) == ("attnviewer/finding/1", "matter")
    assert found["places"] == ["El", "perro", "duerme", "."]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["x.png", "--sentence", "Hola"], "one thing at a time"),
        (["--sentence", "Hola", "-o", "x.mp4"], "can't be saved"),
        (["--sentence", "El perro duerme.", "--word", "77"], "words 0 to"),
    ],
)
def test_what_cannot_be_asked_is_told_in_one_line(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explore", "matter", *arguments]) == 2
    assert told in capsys.readouterr().err
