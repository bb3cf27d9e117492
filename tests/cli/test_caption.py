"""`attnviewer caption` with a fake engine: what it asks for, prints, writes and returns."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from attnviewer.cli import main
from attnviewer.core.errors import UserError
from attnviewer.core.trace import Trace


def test_one_photo_prints_its_caption_alone(engine: Any, photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["caption", str(photo)]) == 0
    assert capsys.readouterr() == ("a dog runs\n", "")


def test_options_reach_the_request(engine: Any, photo: Path) -> None:
    given = ["--attention", "hard", "--beam", "3", "--seed", "7", "--model", "m", "--device", "cpu"]
    assert main(["caption", str(photo), *given]) == 0
    (request,) = engine.requests
    assert (request.attention, request.decoding.beam, request.decoding.seed) == ("hard", 3, 7)
    assert (request.model, request.device, engine.devices) == ("m", "cpu", ["cpu"])


def test_a_folder_is_a_set_in_natural_order_on_one_engine(
    engine: Any, photos: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["caption", str(photos)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [Path(line.split("\t")[0]).name for line in lines] == ["1.png", "2.png", "10.png"]
    assert len(engine.devices) == 1


def test_json_is_one_trace_a_line(engine: Any, photos: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["caption", str(photos), "--json"]) == 0
    traces = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [Path(trace["source"]["path"]).name for trace in traces] == ["1.png", "2.png", "10.png"]
    assert all(sum(step["weights"][0]) == pytest.approx(1, abs=1e-4) for t in traces for step in t["steps"])


def test_given_words_are_measured_in_a_table(engine: Any, photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["caption", str(photo), "--words", "A Dog, zyzzyva!"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert engine.requests[0].words == ("a", "dog", "zyzzyva")
    assert lines[0].split() == ["word", "log-probability", "probability"]
    values = [tuple(map(float, line.split()[-2:])) for line in lines[2:6]]
    assert all(math.exp(logprob) == pytest.approx(chance, abs=1e-4) for logprob, chance in values)
    assert values[3][0] == pytest.approx(sum(value[0] for value in values[:3]), abs=2e-4)
    assert lines[4].startswith("zyzzyva *")
    assert lines[-1] == "* a word that the model doesn't know; its number is that of any unknown word"


def test_empty_words_are_refused(engine: Any, photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["caption", str(photo), "--words", " ... "]) == 2
    assert "no words in --words" in capsys.readouterr().err


@pytest.mark.parametrize("suffix", ["json", "npz", "png", "svg", "pdf", "gif", "csv"])
def test_the_suffix_of_the_output_chooses_its_form(
    suffix: str, engine: Any, photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / f"out.{suffix}"
    assert main(["caption", str(photo), "-o", str(out), "--cells", "--per-word"]) == 0
    assert out.stat().st_size > 0
    assert capsys.readouterr() == ("a dog runs\n", f"wrote {out}\n")


def test_a_saved_trace_can_be_loaded_again(engine: Any, photo: Path, tmp_path: Path) -> None:
    assert main(["caption", str(photo), "-o", str(tmp_path / "out.json")]) == 0
    assert Trace.load(tmp_path / "out.json").text == "a dog runs"


def test_several_photos_go_into_a_folder_under_their_own_names(
    engine: Any, photos: Path, photo: Path, tmp_path: Path
) -> None:
    (tmp_path / "10.png").write_bytes(photo.read_bytes())
    out = tmp_path / "out"
    assert main(["caption", str(photos), str(tmp_path / "10.png"), "-o", f"{out}/", "--form", "csv"]) == 0
    assert sorted(path.name for path in out.glob("[!.]*")) == ["1.csv", "10-2.csv", "10.csv", "2.csv"]


@pytest.mark.parametrize(
    ("out", "complaint"),
    [("all.json", "give a folder: -o all/"), ("dog.png", "give a folder")],
)
def test_several_photos_do_not_fit_into_one_file(
    out: str, complaint: str, engine: Any, photos: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["caption", str(photos), "-o", out]) == 2
    assert complaint in capsys.readouterr().err
    assert engine.requests == []


def test_the_photo_itself_is_never_written_over(engine: Any, photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = photo.read_bytes()
    assert main(["caption", str(photo), "-o", str(photo)]) == 2
    assert main(["caption", str(photo), "-o", f"{photo.parent}/", "--form", "png"]) == 2
    assert "is one of the files that are read" in capsys.readouterr().err
    assert photo.read_bytes() == before


def test_an_output_of_unknown_form_is_refused_before_the_model_runs(engine: Any, photo: Path, tmp_path: Path) -> None:
    assert main(["caption", str(photo), "-o", str(tmp_path / "out.bmp")]) == 2
    assert engine.requests == []


def test_a_damaged_photo_in_a_set_is_reported_and_the_rest_go_on(
    engine: Any, photos: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (photos / "2.png").write_bytes(b"not a photo")
    assert main(["caption", str(photos)]) == 2
    said = capsys.readouterr()
    assert [Path(line.split("\t")[0]).name for line in said.out.splitlines()] == ["1.png", "10.png"]
    assert said.err.startswith(f"attnviewer: {photos / '2.png'} is no image")


def test_a_fault_of_the_request_is_one_line_and_status_2(
    engine: Any, photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine.fault = UserError("there is no model m; see `attnviewer models`.")
    assert main(["caption", str(photo)]) == 2
    assert capsys.readouterr() == ("", "attnviewer: there is no model m; see `attnviewer models`.\n")
