"""Words and attention imposed from the command line, with the models that ship."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from attnviewer.cli import main
from attnviewer.core.paths import resources_dir

Capture = pytest.CaptureFixture[str]
PHOTO = str(resources_dir() / "images" / "retriever.jpg")
SENTENCE = "El perro duerme en la casa."


def trace(call: list[str], capsys: Capture) -> dict[str, Any]:
    assert main([*call, "--json"]) == 0
    return dict(json.loads(capsys.readouterr().out))


def test_a_forced_word_is_said_and_the_text_goes_on(capsys: Capture) -> None:
    found = trace(["caption", PHOTO, "--force-word", "0=two", "--force-word", "1=cats"], capsys)
    assert found["text"].startswith("two cats ")
    assert [step["forced"] for step in found["steps"][:3]] == [True, True, False]


def test_forcing_words_equals_giving_them(capsys: Capture) -> None:
    forced = trace(["caption", PHOTO, "--force-word", "0=two", "--force-word", "1=cats"], capsys)
    given = trace(["caption", PHOTO, "--words", "two cats"], capsys)
    for one, other in zip(forced["steps"][:2], given["steps"], strict=True):
        assert one["logprob"] == pytest.approx(other["logprob"], abs=1e-4)
        assert one["weights"][0] == pytest.approx(other["weights"][0], abs=1e-5)


def test_a_forced_cell_and_a_forced_box_are_obeyed_exactly(capsys: Capture) -> None:
    found = trace(["caption", PHOTO, "--force-gaze", "1=0,1", "--force-gaze", "2=0,0,0.5,1"], capsys)
    columns = found["locations"]["columns"]
    assert found["steps"][1]["weights"][0][1] == 1
    left = [weight for place, weight in enumerate(found["steps"][2]["weights"][0]) if place % columns < columns / 2]
    assert sum(left) == pytest.approx(1, abs=1e-4)
    assert found["steps"][0]["forced"] is False


def test_a_forced_source_word_is_obeyed(capsys: Capture) -> None:
    found = trace(["translate", SENTENCE, "--force-gaze", "1=3"], capsys)
    assert found["steps"][1]["weights"][0][3] == 1


def test_a_saved_trace_runs_again_to_equal_maps(tmp_path: Path, capsys: Capture) -> None:
    call = ["translate", SENTENCE, "--force-word", "0=A", "--force-gaze", "2=1"]
    assert main([*call, "-o", str(tmp_path / "t.json")]) == 0
    capsys.readouterr()
    again = trace(["translate", SENTENCE, "--intervention", str(tmp_path / "t.json")], capsys)
    saved = json.loads((tmp_path / "t.json").read_text())
    assert again["steps"] == saved["steps"]


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (["caption", PHOTO, "--force-word", "cat"], "--force-word 2=cat"),
        (["caption", PHOTO, "--force-gaze", "2=999,0"], "the grid has rows"),
        (["caption", PHOTO, "--force-gaze", "2=3"], "a cell"),
        (["caption", PHOTO, "--force-gaze", "2=0,0", "--attention", "none"], "no attention to impose"),
        (["caption", PHOTO, "--force-gaze", "2=0,0@9.9"], "no head 9.9"),
        (["translate", SENTENCE, "--force-gaze", "1=0", "--attention", "none"], "no attention to impose"),
        (["translate", SENTENCE, "--force-gaze", "1=99"], "no word 99"),
        (["translate", SENTENCE, "--intervention", "missing.json"], "missing.json"),
    ],
)
def test_what_cannot_be_imposed_is_one_line_and_status_2(call: list[str], told: str, capsys: Capture) -> None:
    assert main(call) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert told in err
    assert err.count("\n") == 1


def test_covers_of_a_photo_are_refused_by_a_translation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "covers.json"
    file.write_text('{"covers": [{"box": [0.1, 0.1, 0.4, 0.4]}]}')
    assert main(["translate", "La casa.", "--intervention", str(file)]) == 2
    told = "covers.json covers places of a photo, and a sentence has none; strike source word N out with --hide N."
    assert capsys.readouterr().err == f"attnviewer: {told}\n"
