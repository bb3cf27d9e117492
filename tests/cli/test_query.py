"""`attnviewer query`: what it asks for, prints, writes and returns."""

import json
from pathlib import Path
from typing import Any

import pytest

from attnviewer.cli import main

LINES = "the dog runs on the grass\n\nthe puppy sleeps\nthe guitar is loud\n"
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "lines.txt").write_text(LINES)
    return str(tmp_path / "lines.txt")


def test_the_items_with_the_most_weight_come_first(file: str, capsys: Capture) -> None:
    assert main(["query", "guitar", "--lines", file, "--keys", "bow"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["weight", "score", "line", "item"]
    weights = [float(line.split()[0]) for line in lines[2:]]
    assert lines[2].endswith("the guitar is loud")
    assert weights == sorted(weights, reverse=True)
    assert sum(weights) == pytest.approx(1, abs=1e-3)


def test_what_is_not_shown_is_counted(file: str, capsys: Capture) -> None:
    assert main(["query", "guitar", "--lines", file, "--keys", "bow", "--top", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "... and 2 more, of 3"


def test_json_holds_scores_and_weights_of_all(file: str, capsys: Capture) -> None:
    assert main(["query", "guitar", "--lines", file, "--keys", "tfidf", "--temperature", "0.5", "--json"]) == 0
    trace = json.loads(capsys.readouterr().out)
    (step,) = trace["steps"]
    assert trace["locations"]["tokens"] == [line for line in LINES.splitlines() if line]
    assert trace["locations"]["numbers"] == [1, 3, 4]
    assert len(step["scores"][0]) == len(step["weights"][0]) == 3
    assert trace["request"]["temperature"] == 0.5


def test_each_item_has_the_number_of_its_line(file: str, capsys: Capture) -> None:
    assert main(["query", "puppy", "--lines", file, "--keys", "bow", "--top", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[2].split(maxsplit=3)[2:] == ["3", "the puppy sleeps"]


def test_a_hit_inside_a_long_line_is_shown(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "long.txt").write_text(
        "it will be cloudy " * 30 + "and a guitar is played " + "in the rain " * 20 + "\nx\n"
    )
    assert main(["query", "guitar", "--lines", str(tmp_path / "long.txt"), "--keys", "tfidf"]) == 0
    shown = capsys.readouterr().out.splitlines()[2]
    assert "a guitar is played" in shown
    assert shown.count("…") == 2


def test_what_was_done_with_a_table_is_told(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "notes.csv").write_text('id,note\n1,"a dog\nand a guitar"\n2,hello\n')
    assert main(["query", "guitar", "--lines", str(tmp_path / "notes.csv"), "--keys", "bow"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[2].endswith("2  1 a dog and a guitar")
    assert err == "The first row is taken for the names of the columns: id, note.\n"


def test_several_keys_are_printed_one_below_the_other(file: str, capsys: Capture) -> None:
    assert main(["query", "dog", "--lines", file, "--keys", "bow,words"]) == 0
    out = capsys.readouterr().out
    assert out.index("[bow]") < out.index("[words]")


def test_a_word_without_a_vector_is_marked(capsys: Capture) -> None:
    assert main(["query", "dog", "--sentence", "a puppy named Xqzt"]) == 0
    out = capsys.readouterr().out
    assert "Xqzt (no vector)" in out
    assert "puppy" in out.splitlines()[2]


def test_a_word_that_matches_nothing_is_told_beside_the_result(file: str, capsys: Capture) -> None:
    assert main(["query", "unicorn", "--lines", file, "--keys", "bow"]) == 0
    assert "No item holds unicorn." in capsys.readouterr().err


def test_the_trace_can_be_written(file: str, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "trace.json"
    assert main(["query", "dog", "--lines", file, "--keys", "bow", "-o", str(out)]) == 0
    assert json.loads(out.read_text())["task"] == "query"
    assert capsys.readouterr().err == f"wrote {out}\n"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (["query"], "QUERY"),
        (["query", "dog"], "--image --sentence --lines"),
        (["query", "dog", "--sentence", "x", "--lines", "y"], "not allowed with"),
        (["query", "dog", "--lines", "missing.txt"], "missing.txt"),
        (["query", "dog", "--image", "missing.jpg"], "missing.jpg"),
        (["query", "dog", "--sentence", "a b", "--keys", "glove"], "choose from"),
        (["query", "dog", "--sentence", "a b", "--temperature", "0"], "temperature"),
        (["query", "dog", "--sentence", "a b", "-o", "x.doc"], "x.doc"),
    ],
)
def test_a_senseless_call_is_one_line_and_status_2(call: list[str], words: str, capsys: Any) -> None:
    assert main(call) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.count("\n") == 1
