"""`attnviewer attend` and `attnviewer.attend`, with the encoder that ships."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from helpers.tiny_models import write_model

import attnviewer
from attnviewer.cli import main

TEXT = "he sat on the bank"


def test_each_token_is_printed_with_those_it_looks_at_most(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["attend", TEXT, "--layer", "3", "--head", "3.2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "[3.2]"
    assert len(lines) == 3 + 7
    assert lines[-1].startswith("6  [SEP]")


@pytest.mark.parametrize(("head", "tables"), [("mean", 1), ("max", 1), ("all", 12)])
def test_heads_are_shown_together_or_each(capsys: pytest.CaptureFixture[str], head: str, tables: int) -> None:
    assert main(["attend", TEXT, "--layer", "0", "--head", head]) == 0
    assert capsys.readouterr().out.count("looks most at") == tables


def test_what_the_options_change_is_in_the_request(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--no-head", "0.5", "--no-head", "3.2", "--uniform-head", "1.1", "--mask", "future", "--no-positions"]
    assert main(["attend", TEXT, *options, "--layer", "5", "--json"]) == 0
    trace = json.loads(capsys.readouterr().out)
    change = trace["request"]["change"]
    assert change["off"] == [[0, 5], [3, 2]]
    assert change["uniform"] == [[1, 1]]
    assert (change["mask"], change["positions"]) == ("future", False)
    assert trace["task"] == "attend"
    assert np.triu(np.array(trace["steps"][0]["weights"]), 1)[0, 1:].max() == 0


def test_from_python_the_same_trace_comes_back(capsys: pytest.CaptureFixture[str]) -> None:
    change = attnviewer.Ablation(off=((0, 5),))
    trace = attnviewer.attend(TEXT, layer=2, change=change)
    assert main(["attend", TEXT, "--layer", "2", "--no-head", "0.5", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert np.array_equal(np.array([s["weights"] for s in printed["steps"]], np.float32), trace.weights)


def test_figures_and_arrays_are_written(tmp_path: Path) -> None:
    for name in ("map.png", "map.npz", "map.csv"):
        assert main(["attend", TEXT, "--layer", "1", "-o", str(tmp_path / name)]) == 0
        assert (tmp_path / name).stat().st_size > 1000
    assert main(["attend", TEXT, "--head", "all", "-o", str(tmp_path / "all.png")]) == 0
    assert (tmp_path / "all.png").stat().st_size > (tmp_path / "map.png").stat().st_size
    assert attnviewer.Trace.load(tmp_path / "map.npz").heads[0] == "1.0"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (["attend"], "give a text or an image"),
        (["attend", TEXT, "--no-head", "7.0"], "no head 7.0; layers go from 0 to 5"),
        (["attend", TEXT, "--no-head", "seven"], "LAYER.HEAD"),
        (["attend", TEXT, "--head", "9.9"], "no head 9.9"),
        (["attend", "word " * 200, "--json"], "choose one --layer"),
        (["attend", TEXT, "--model", "nothing"], "no model nothing"),
    ],
)
def test_faults_of_the_call_are_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(call) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_word_pieces_can_be_joined(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["attend", "an unbelievably nice puppy", "--whole-words"]) == 0
    out, err = capsys.readouterr()
    assert "unbelievably" in out
    assert "##" not in out
    assert "joined" in err


def test_a_folder_of_ones_own_can_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_model("bert", tmp_path / "mine")
    assert main(["attend", TEXT, "--model", str(folder), "--no-head", "0.1", "--json"]) == 0
    trace = json.loads(capsys.readouterr().out)
    assert (trace["model"], trace["heads"]) == ("mine", ["0.0", "0.1", "1.0", "1.1"])
    assert main(["attend", TEXT, "--model", str(tmp_path / "none")]) == 2
    assert "there is no folder" in capsys.readouterr().err


def test_special_tokens_can_be_hidden(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["attend", TEXT, "--no-specials", "--layer", "0", "--json"]) == 0
    out, err = capsys.readouterr()
    trace = json.loads(out)
    assert trace["locations"]["tokens"] == TEXT.split()
    weights = np.array([step["weights"] for step in trace["steps"]])
    np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-4)
    assert "Special tokens are hidden" in err
    whole = attnviewer.attend(TEXT, layer=0).weights
    outside = np.array([step["outside"] for step in trace["steps"]])
    np.testing.assert_allclose(outside, whole[1:-1, :, 0] + whole[1:-1, :, -1], atol=1e-4)
    np.testing.assert_allclose(weights * (1 - outside[..., None]), whole[1:-1, :, 1:-1], atol=1e-4)


def test_the_lens_prints_a_line_a_layer_for_each_token(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["attend", TEXT, "--lens", "--model", str(write_model("gpt2", tmp_path / "mine"))]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "0  he"
    assert [line.split("\t")[0].strip() for line in lines[1:4]] == ["in", "0", "1"]
    assert len(lines) == 5 * (1 + 3)
    shares = [float(part.split()[-1]) for part in lines[3].split("\t")[1].split("  ")]
    assert shares == sorted(shares, reverse=True)
