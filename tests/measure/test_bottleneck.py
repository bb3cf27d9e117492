"""`attnviewer evaluate bottleneck` on small random models: the averages, the table, the plot."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from helpers.nets import a_data_folder

from attnviewer.cli import main
from attnviewer.core.card import Data, ModelCard, Preprocessing, Training
from attnviewer.core.images import load_picture
from attnviewer.core.text import Vocabulary
from attnviewer.measure.bottleneck import bits_of, curve, plot
from attnviewer.nets.captioner import Captioner, CaptionerConfig
from attnviewer.nets.vision import Encoder, fuse_batchnorm
from attnviewer.runs import engine
from attnviewer.runs.caption import encode
from attnviewer.train.caption.publish import publish_mean
from attnviewer.zoo.files import publish

SIZES = {"match": 8, "context": 16, "embedding": 8, "hidden": 16}
WORDS = Vocabulary(("a", "red", "blue", "square", "is", "on", "the", "left", "right"))


def card(name: str, task: str, attention: str, **more: object) -> ModelCard:
    about = (Data("none", "none"), Training("none", 0, 0.0))
    return ModelCard(name, name, task, attention, "MIT", *about, **more)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An encoder with a mean photo, and a captioner for each way to attend."""
    torch.manual_seed(0)
    folder = tmp_path_factory.mktemp("models")
    encoder = fuse_batchnorm(Encoder("efficientnet_lite0").eval())
    seen = Preprocessing(96, (0.5,) * 3, (0.5,) * 3)
    publish(encoder, card("encoder", "encode", "none", architecture={"net": "efficientnet_lite0"}, preprocessing=seen),
            folder)  # fmt: skip
    publish_mean(torch.randn(1, 36, encoder.size), folder)
    for attention in ("none", "soft", "hard"):
        net = Captioner(CaptionerConfig(len(WORDS), attention, encoder.size, **SIZES)).eval()
        about = card(attention, "caption", attention, architecture={"encoder": "encoder", **SIZES})
        publish(net, about, folder, WORDS)
    return folder


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return a_data_folder(tmp_path_factory.mktemp("data") / "flickr")


def test_captions_are_averaged_position_by_position() -> None:
    found = curve([(1.0, 2.0, 3.0), (3.0, 4.0), (2.0,)])
    assert found.bits == pytest.approx((2.0, 3.0, 3.0))
    assert found.captions == (3, 2, 1)
    assert found.error == pytest.approx((1 / 3**0.5, 2**0.5 / 2**0.5, 0.0))
    assert found.mean == pytest.approx(15 / 6)


def test_positions_that_few_captions_reach_are_left_out() -> None:
    rows = [(1.0,) * 3] * 19 + [(1.0,) * 9]
    assert len(curve(rows).bits) == 3


def test_the_table_has_a_row_for_each_position_and_the_mean(
    models: Path, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "plot.svg"
    call = ["evaluate", "bottleneck", "--data", str(data), "--models-dir", str(models), "--photos", "2"]
    assert main([*call, "-o", str(out)]) == 0
    said = capsys.readouterr()
    lines = said.out.splitlines()
    assert lines[0].split() == ["word", "none", "soft", "hard", "captions"]
    assert lines[2].split()[0] == "1"
    assert any(line.startswith("all") for line in lines)
    assert "2 photos of the test split" in said.out
    assert out.read_bytes().startswith(b"<?xml")


def test_figures_as_json(models: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["evaluate", "bottleneck", "--data", str(data), "--models-dir", str(models), "--photos", "2", "--json"]
    assert main([*call, "--attention", "soft"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["photos"], list(found["figures"])) == (2, ["soft"])
    assert all(bits >= 0 for bits in found["figures"]["soft"]["bits"])
    assert found["figures"]["soft"]["captions"][0] == 2


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (["--attention", "soft,best"], "no attention best"),
        (["-o", "plot.txt"], "end the name plot.txt in .png"),
        (["-o", "nowhere/plot.png"], "the folder nowhere doesn't exist"),
        (["--photos", "0"], "at least 1"),
    ],
)
def test_a_call_at_fault_is_told_in_one_line(
    models: Path, data: Path, more: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ["evaluate", "bottleneck", "--data", str(data), "--models-dir", str(models)]
    assert main([*call, *more]) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert said.count("\n") == 1


def test_a_missing_mean_photo_is_told_before_measuring(
    models: Path, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for model in ("encoder", "soft"):
        (tmp_path / model).mkdir()
        for file in (models / model).iterdir():
            if file.name != "mean.safetensors":
                (tmp_path / model / file.name).write_bytes(file.read_bytes())
    call = ["evaluate", "bottleneck", "--data", str(data), "--models-dir", str(tmp_path), "--attention", "soft"]
    assert main(call) == 2
    assert "mean.safetensors" in capsys.readouterr().err


def test_a_photo_is_encoded_once_for_all_ways_to_attend(
    models: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded: list[object] = []
    monkeypatch.setattr(engine, "encode", lambda picture, *rest: encoded.append(picture) or encode(picture, *rest))
    running = engine.Engine(models, "cpu")
    picture = load_picture(data / "images" / "0.jpg")
    for mode in ("soft", "hard", "none", "uniform", "soft"):
        bits_of(running, picture, mode)
    assert encoded == [picture]


def test_the_curves_are_told_apart_without_colour() -> None:
    made = plot({mode: curve([(1.0, 2.0), (2.0, 3.0)]) for mode in ("none", "soft", "hard")}, 2)
    lines = made.axes[0].lines
    assert len({(line.get_linestyle(), line.get_marker()) for line in lines}) == 3
    assert np.allclose(lines[0].get_ydata(), [1.5, 2.5])
