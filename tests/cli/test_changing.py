"""Options that change a Transformer inside, and traces that run again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.transformers import a_transformer
from helpers.translators import SENTENCE, SOURCE, TARGET, assert_equal

import attnviewer
from attnviewer.cli import main
from attnviewer.zoo.files import publish
from attnviewer.zoo.translators import publish_words

Capture = pytest.CaptureFixture[str]
OPTIONS = ["--no-head", "1.0", "--no-head", "encoder:0.1", "--uniform-head", "decoder:0.0", "--mask", "past"]


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """A folder with a small Transformer and the words it stands on."""
    model, folder = a_transformer(), tmp_path / "models"
    publish_words(model.words.net, model.words.card, SOURCE, TARGET, folder)
    publish(model.net, replace(model.card, kind="transformer-translator"), folder)
    return folder


def call(models: Path, *options: str) -> list[str]:
    return ["translate", SENTENCE, "--model", "es-en-transformer", "--models", str(models), *options]


def test_what_the_options_change_is_in_the_request(models: Path, capsys: Capture) -> None:
    assert main(call(models, *OPTIONS, "--no-positions", "--json")) == 0
    change = json.loads(capsys.readouterr().out)["request"]["change"]
    assert change["cross"]["off"] == [[1, 0]]
    assert (change["encoder"]["off"], change["encoder"]["mask"]) == ([[0, 1]], "past")
    assert (change["decoder"]["uniform"], change["decoder"]["positions"]) == ([[0, 0]], False)


def test_a_saved_trace_runs_again_from_python(models: Path, tmp_path: Path) -> None:
    assert main(call(models, *OPTIONS, "-o", str(tmp_path / "t.npz"))) == 0
    again = attnviewer.rerun(tmp_path / "t.npz", models=models)
    assert_equal(again, attnviewer.Trace.load(tmp_path / "t.npz"))
    assert again.request["change"]["encoder"]["mask"] == "past"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--no-head", "middle:1.0"], "no part middle"),
        (["--no-head", "seven"], "LAYER.HEAD"),
        (["--no-head", "encoder:2.0"], "no head 2.0; layers go from 0 to 1"),
    ],
)
def test_faults_of_the_call_are_one_line(models: Path, capsys: Capture, options: list[str], message: str) -> None:
    assert main(call(models, *options)) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_nets_without_such_layers_say_so(capsys: Capture) -> None:
    assert main(["translate", SENTENCE, "--no-head", "0.0"]) == 2
    assert "inside a Transformer" in capsys.readouterr().err
