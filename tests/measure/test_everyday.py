"""`attnviewer evaluate everyday`: exact matches and chrF by kind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.translators import publish_translators

from attnviewer.cli import main
from attnviewer.measure.everyday import Item, Said, bare, figures, load_items

DEV = Path(__file__).parents[1] / "data" / "everyday_dev.tsv"


def test_capitals_final_marks_and_the_form_of_quotes_count_for_nothing() -> None:
    assert bare("“It’s  Fine.” ") == bare('"it\'s fine."')
    item = Item("noun", "gato", ("cat", "a cat"))
    assert [Said(item, text).exact for text in ("Cat!", "a cat", "the cat")] == [True, True, False]


def test_figures_are_by_kind_and_for_all() -> None:
    noun, word = Item("noun", "gato", ("cat",)), Item("word", "sí", ("yes", "indeed"))
    rows = figures([Said(noun, "cat"), Said(word, "no"), Said(word, "Yes.")])
    assert [(row["kind"], row["inputs"], row["exact"]) for row in rows] == [
        ("noun", 1, 1.0), ("word", 2, 0.5), ("all", 3, 0.667),
    ]  # fmt: skip
    assert rows[0]["chrf"] == 100


def test_the_dev_inputs_are_of_twelve_kinds() -> None:
    items = load_items(DEV)
    assert len(items) >= 300
    assert len({item.kind for item in items}) == 12
    assert len({item.text for item in items}) == len(items)


def test_figures_are_printed_as_a_table_and_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = publish_translators(tmp_path / "models", ["soft"])
    (tmp_path / "a.tsv").write_text("noun\tperro\tdog|hound\nnoun\tcasa\thouse\n", encoding="utf-8")
    call = ["evaluate", "everyday", str(tmp_path / "a.tsv"), "--models", str(folder)]
    assert main([*call, "--show"]) == 0
    said = capsys.readouterr()
    assert "translated 2/2" in said.err
    assert [line.split()[:2] for line in said.out.splitlines() if line.startswith("all")] == [["all", "2"]]
    assert main([*call, "--json"]) == 0
    assert [row["kind"] for row in json.loads(capsys.readouterr().out)["kinds"]] == ["noun", "all"]


@pytest.mark.parametrize(("text", "fault"), [("noun\tgato", "line 1: give a kind"), ("\n", "holds no inputs")])
def test_a_file_of_another_form_is_one_line(
    text: str, fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.tsv").write_text(text, encoding="utf-8")
    assert main(["evaluate", "everyday", str(tmp_path / "a.tsv")]) == 2
    assert fault in capsys.readouterr().err
