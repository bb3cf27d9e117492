"""`attnviewer explore`: every option has a default, and the numbers are those of the experiments."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from attnviewer.cli import main

Capture = pytest.CaptureFixture[str]


def numbers(call: list[str], capsys: Capture) -> dict[str, Any]:
    assert main(["explore", *call, "--json"]) == 0
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    found = json.loads(out)
    assert found["task"] == call[0]
    return dict(found)


def test_a_million_pixels_cost_a_trillion_weights_by_default(capsys: Capture) -> None:
    found = numbers(["mlp"], capsys)
    assert (found["side"], found["layers"], found["width"]) == (1000, 1, 10**6)
    assert found["weights"] == found["mlp"]["weights"] == 10**12
    assert found["convolution"]["weights"] == 9


def test_layers_and_width_of_the_mlp_can_be_chosen(capsys: Capture) -> None:
    found = numbers(["mlp", "--side", "28", "--layers", "3", "--width", "10"], capsys)
    assert found["parameters"] == 28**2 * 10 + 10 + 2 * (10 * 10 + 10)
    assert found["bytes"] == 4 * found["parameters"]


@pytest.mark.parametrize(
    ("options", "output"),
    [
        ([], [5, 5]),
        (["--padding", "none"], [3, 3]),
        (["--stride", "2"], [3, 3]),
        (["--padding", "reflect", "--dilation", "2"], [5, 5]),
        (["--kernel", "5", "--padding", "none"], [1, 1]),
    ],
)
def test_output_sizes_are_printed(options: list[str], output: list[int], photo: Path, capsys: Capture) -> None:
    found = numbers(["conv", str(photo), "--size", "5x5", *options], capsys)
    assert found["input"] == [5, 5]
    assert found["output"] == output
    assert found["parameters"] == found["kernel"] ** 2


def test_the_products_of_a_window_are_printed_with_their_sum(photo: Path, capsys: Capture) -> None:
    found = numbers(["conv", str(photo), "--weights", "blur", "--at", "0,0"], capsys)["window"]
    assert (found["row"], found["column"], found["top"], found["left"]) == (0, 0, -1, -1)
    assert sum(map(sum, found["products"])) == pytest.approx(found["sum"], rel=1e-5)
    assert found["values"][0] == [0, 0, 0]


def test_a_convolution_is_told_in_words(photo: Path, capsys: Capture) -> None:
    assert main(["explore", "conv", str(photo), "--size", "10x20"]) == 0
    out = capsys.readouterr().out
    assert "photo 10 x 20" in out
    assert "floor((20 + 2*1 - 1*(3 - 1) - 1) / 1) + 1 = 20" in out


def test_documents_by_default_are_texts_that_ship(capsys: Capture) -> None:
    found = numbers(["documents"], capsys)
    assert found["keys"] == "tfidf"
    the = found["words"].index("the")
    assert all(row[the] == 0 for row in found["matrix"])
    assert len(found["cosines"]) == len(found["documents"]) >= 4
    counted = numbers(["documents", "--keys", "bow"], capsys)
    assert all(lead[0] == "the" for lead in counted["leading"])


def test_files_are_documents(tmp_path: Path, capsys: Capture) -> None:
    for name, text in (("a.txt", "red red dog"), ("b.txt", "red cat")):
        (tmp_path / name).write_text(text)
    found = numbers(["documents", str(tmp_path / "a.txt"), str(tmp_path / "b.txt"), "--keys", "bow"], capsys)
    assert found["documents"] == ["a.txt", "b.txt"]
    assert found["words"] == ["cat", "dog", "red"]
    assert found["matrix"] == [[0, 1, 2], [1, 0, 1]]


def test_a_table_of_words_and_one_of_cosines_is_printed(capsys: Capture) -> None:
    assert main(["explore", "documents", "--top", "3"]) == 0
    out = capsys.readouterr().out
    assert "cosine between documents" in out
    assert "different words" in out


def test_fields_of_all_layers_and_of_one_unit_are_printed(photo: Path, capsys: Capture) -> None:
    found = numbers(["field", str(photo), "--layer", "stem"], capsys)
    assert found["layers"][0]["name"] == found["unit"]["layer"] == "stem"
    assert found["layers"][0]["field"] == found["layers"][0]["kernel"]
    left, _, right, _ = found["unit"]["box"]
    assert right - left == found["unit"]["field"]
    assert len(found["unit"]["gradient"]) == found["input"]
    heard = found["attention"]
    assert (heard["row"], heard["column"]) == (7, 7)
    assert sum(map(sum, heard["weights"])) == pytest.approx(1, abs=1e-5)
    assert sum(heard["by_distance"][2:]) == pytest.approx(heard["beyond"], abs=1e-5)


def test_the_captioner_without_attention_is_unrolled(photo: Path, capsys: Capture) -> None:
    found = numbers(["rnn", str(photo)], capsys)
    words = len(found["words"])
    assert len(found["states"]) == len(found["bits"]) == len(found["gradients"]) == words > 0


@pytest.mark.parametrize("experiment", ["field", "rnn"])
def test_tables_need_no_photo_of_ones_own(experiment: str, capsys: Capture) -> None:
    assert main(["explore", experiment]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 5


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ([], "attnviewer explore mlp"),
        (["magic"], "no task magic"),
        (["mlp", "--side", "0"], "side"),
        (["conv", "--size", "big"], "224x224"),
        (["conv", "--size", "0x5"], "224x224"),
        (["conv", "--size", "3x3", "--kernel", "5", "--padding", "none"], "smaller kernel"),
        (["conv", "--size", "1x1", "--padding", "reflect"], "reflected"),
        (["conv", "--size", "5x5", "--at", "9,0"], "outside"),
        (["conv", "--size", "5x5", "--at", "here"], "--at"),
        (["conv", "--kernel", "12"], "1 to 11"),
        (["conv", "missing.jpg"], "missing.jpg"),
        (["field", "--layer", "nowhere"], "no layer 'nowhere'"),
        (["documents", "missing.txt"], "missing.txt"),
        (["documents", "--keys", "words"], "--keys"),
    ],
)
def test_a_senseless_call_is_one_line_and_status_2(call: list[str], told: str, capsys: Capture) -> None:
    assert main(["explore", *call]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert told in err
    assert err.count("\n") == 1
