"""`attnviewer translate --lines` on subtitles: what stays as it is, and how a translation is laid out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.translators import publish_translators

from attnviewer import api
from attnviewer.cli import main
from attnviewer.runs.engine import Engine
from attnviewer.verbs import progress, translate
from attnviewer.verbs.cues import laid_out, parts_of

SRT = """1
00:00:01,000 --> 00:00:03,500
El perro negro
duerme en la casa.

2
00:00:04,000 --> 00:00:06,000
- La casa.
- Un gato.
"""
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def srt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    models = publish_translators(tmp_path / "models")
    monkeypatch.setattr(api, "make_engine", lambda device: Engine(models, device))
    monkeypatch.setattr(api, "_engines", {})
    (tmp_path / "sub.srt").write_text(SRT, encoding="utf-8")
    return tmp_path / "sub.srt"


def test_subtitles_keep_numbers_times_and_blank_lines(srt: Path, capsys: Capture) -> None:
    assert main(["translate", "--lines", str(srt)]) == 0
    out = capsys.readouterr().out.split("\n")
    kept = [row for row in SRT.split("\n") if not row or row.isdigit() or "-->" in row]
    assert [row for row in out if row in kept] == kept
    assert out[:2] == SRT.split("\n")[:2]


def test_a_cue_as_json_is_a_trace_for_each_sentence_in_order(srt: Path, capsys: Capture) -> None:
    assert main(["translate", "--lines", str(srt), "--json"]) == 0
    assert len([json.loads(row) for row in capsys.readouterr().out.splitlines()]) == 3


def test_a_sentence_over_two_lines_is_one_part_and_speakers_are_two() -> None:
    asked = [(part.number, part.text) for part in parts_of("a.srt", SRT.splitlines()) if not part.kept]
    assert asked == [(3, "El perro negro duerme en la casa."), (8, "- La casa."), (9, "- Un gato.")]


def test_a_number_that_is_said_is_text_and_notes_of_vtt_are_not() -> None:
    rows = [
        "WEBVTT",
        "",
        "NOTE hola",
        "adiós",
        "",
        "intro",
        "00:01.000 --> 00:02.000",
        "42",
        "",
        "00:03.000 --> 00:04.000",
        "Sí",
    ]
    assert [part.text for part in parts_of("a.vtt", rows) if not part.kept] == ["42", "Sí"]


def test_a_translation_has_as_many_lines_as_its_source() -> None:
    assert laid_out("The black dog sleeps in the house.", ["El perro negro", "duerme en la casa."]) == (
        "The black dog\nsleeps in the house."
    )
    assert laid_out("The dog.", ["El perro."]) == "The dog."


def test_lines_of_plain_text_stay_alone() -> None:
    assert [part.text for part in parts_of("a.txt", ["1", "", "el perro"])] == ["1", "", "el perro"]


def test_progress_goes_to_stderr_alone(srt: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr(progress, "QUIET", 0.0)
    monkeypatch.setattr(progress, "EVERY", {True: 0.0, False: 0.0})
    monkeypatch.setattr(translate, "TOGETHER", 1)
    assert main(["translate", "--lines", str(srt)]) == 0
    said = capsys.readouterr()
    assert "translated 2 of 3, about " in said.err
    assert "translated" not in said.out
