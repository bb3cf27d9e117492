"""`attnviewer caption --compare` and `--pick` with a fake engine."""

import json
from pathlib import Path
from typing import Any

import pytest

import attnviewer
from attnviewer.cli import main
from attnviewer.core.errors import UserError

MODES = ["none", "soft", "hard", "uniform"]
TRANSFORMER = "caption-transformer"


def test_each_way_to_attend_gets_a_line(engine: Any, photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["caption", str(photo), "--compare", "--seed", "5"]) == 0
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [(mode, text) for mode, text, _ in lines] == [(mode, "a dog runs") for mode in [*MODES, TRANSFORMER]]
    assert [request.attention for request in engine.requests] == [*MODES, "soft"]
    assert {request.decoding.seed for request in engine.requests} == {5}
    assert len({id(request.picture) for request in engine.requests}) == 1


def test_the_traces_come_as_json_in_the_same_order(
    engine: Any, photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["caption", str(photo), "--compare", "--json"]) == 0
    traces = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [trace["request"]["attention"] for trace in traces] == [*MODES, "soft"]
    assert [trace["request"]["model"] for trace in traces] == [None] * 4 + [TRANSFORMER]


def test_the_transformer_comes_last_where_it_is_installed(
    engine: Any, photo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own" / "caption-transformer").mkdir(parents=True)
    (tmp_path / "own" / "caption-transformer" / "card.toml").touch()
    monkeypatch.setenv("ATTNVIEWER_MODELS", str(tmp_path / "own"))
    out = tmp_path / "rows.png"
    assert main(["caption", str(photo), "--compare"]) == 0
    rows = [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()]
    assert rows == [*MODES, "caption-transformer"]
    assert [request.model for request in engine.requests] == [None] * 4 + ["caption-transformer"]
    assert main(["caption", str(photo), "--compare", "-o", str(out)]) == 0
    assert out.stat().st_size > 1000


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_the_rows_are_drawn(
    suffix: str, engine: Any, photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / f"figure.{suffix}"
    assert main(["caption", str(photo), "--compare", "-o", str(out)]) == 0
    assert out.stat().st_size > 1000
    assert capsys.readouterr().err == f"wrote {out}\n"


def test_several_photos_give_several_figures(engine: Any, photos: Path, tmp_path: Path) -> None:
    assert main(["caption", str(photos), "--compare", "-o", f"{tmp_path / 'out'}/", "--form", "png"]) == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["1.png", "10.png", "2.png"]


@pytest.mark.parametrize(
    ("more", "complaint"), [(["-o", "out.json"], "is a figure"), (["--model", "mine"], "leave out --model")]
)
def test_what_cannot_be_compared_is_refused_before_any_model_runs(
    more: list[str], complaint: str, engine: Any, photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["caption", str(photo), "--compare", *more]) == 2
    assert complaint in capsys.readouterr().err
    assert engine.requests == []


def test_how_hard_attention_picks_reaches_the_request(engine: Any, photo: Path) -> None:
    assert main(["caption", str(photo), "--attention", "hard", "--pick", "argmax"]) == 0
    attnviewer.caption(photo, attention="hard", pick="argmax")
    attnviewer.caption(photo, attention="hard")
    assert [request.decoding.pick for request in engine.requests] == ["argmax", "argmax", "sample"]


def test_an_unknown_way_to_pick_is_refused(engine: Any, photo: Path) -> None:
    with pytest.raises(UserError, match="choose sample or argmax"):
        attnviewer.caption(photo, pick="best")
