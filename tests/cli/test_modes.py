"""A row more is a choice of the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from attnviewer.cli import main
from attnviewer.core.modes import Mode, help_of


def test_a_new_row_is_seen_in_the_help(dream: Mode, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["caption", "--help"]) == 0
    assert "dream: it looks at what isn't there" in " ".join(capsys.readouterr().out.split())
    assert help_of("caption").endswith("dream: it looks at what isn't there")


def test_a_new_row_is_a_choice_of_the_command_line_and_part_of_its_comparison(
    dream: Mode, engine: Any, photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["caption", str(photo), "--attention", "dream"]) == 0
    assert engine.requests[-1].attention == "dream"
    assert main(["caption", str(photo), "--compare"]) == 0
    rows = [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()]
    assert rows[-2:] == ["dream", "caption-transformer"]
