"""Models of one's own: named by an option or the environment, listed, used, and told which of one id is used."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from helpers.pictures import corners

import attnviewer
from attnviewer import api
from attnviewer.cli import VERBS, main
from attnviewer.core.paths import VARIABLE, models_dir

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A folder with a captioner without attention by another name, and a translator by the name of one that ships."""
    shutil.copytree(models_dir() / "caption-none", tmp_path / "own" / "mine")
    card = tmp_path / "own" / "mine" / "card.toml"
    text = card.read_text(encoding="utf-8")
    card.write_text(text.replace('id = "caption-none"', 'id = "mine"'), encoding="utf-8")
    shutil.copytree(models_dir() / "es-en-none", tmp_path / "own" / "es-en-none")
    return tmp_path / "own"


@pytest.mark.parametrize("option", ["--models", "--models-dir", VARIABLE])
def test_models_of_ones_own_are_listed_with_where_they_lie(
    option: str, own: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    if option == VARIABLE:
        monkeypatch.setenv(VARIABLE, str(own))
    assert main(["models", *([] if option == VARIABLE else [option, str(own)])]) == 0
    out, err = capsys.readouterr()
    rows = {line.split()[0]: line for line in out.splitlines() if line}
    assert rows["mine"].endswith(str(own))
    assert rows["encoder"].endswith("ships")
    assert f"es-en-none is taken from {own}; the one in {models_dir()} is not used" in err


def test_json_tells_where_each_model_lies(own: Path, capsys: Capture) -> None:
    assert main(["models", "--models", str(own), "--json"]) == 0
    listed = {card["id"]: card["folder"] for card in json.loads(capsys.readouterr().out)}
    assert listed["mine"] == str(own / "mine")
    assert listed["words"] == str(models_dir() / "words")


def test_a_model_of_ones_own_runs_on_the_encoder_that_ships(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "_engines", {})
    trace = attnviewer.caption(corners(), attention="none", model="mine", beam=1, models=own, device="cpu")
    assert (trace.model, bool(trace.words)) == ("mine", True)
    with pytest.raises(attnviewer.UserError, match="no captioner mine is installed"):
        attnviewer.caption(corners(), attention="none", model="mine", device="cpu")


def test_the_first_of_an_id_is_used_and_that_is_said(
    own: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(api, "_engines", {})
    assert main(["translate", "Hola.", "--attention", "none", "--beam", "1", "--models", str(own)]) == 0
    assert f"es-en-none is the one in {own}, which stands before" in capsys.readouterr().err


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_takes_a_folder_of_models_and_hides_the_older_name(verb: str, capsys: Capture) -> None:
    assert main([verb, "--help"]) == 0
    told = capsys.readouterr().out
    assert "--models DIR" in told
    assert "--models-dir" not in told


def test_a_folder_that_is_not_there_is_one_line(capsys: Capture) -> None:
    assert main(["models", "--models", "nowhere"]) == 2
    assert "--models names nowhere, which is no folder" in capsys.readouterr().err
