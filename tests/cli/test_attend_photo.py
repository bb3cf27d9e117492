"""`attnviewer attend --image` with a captioning Transformer that was never trained, in a folder of models."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
import torch
from helpers.pictures import corners
from PIL import Image

import attnviewer
from attnviewer.cli import main
from attnviewer.core.card import Data, ModelCard, Preprocessing, Training
from attnviewer.core.images import load_picture
from attnviewer.core.text import Vocabulary
from attnviewer.nets.looker import Looker, LookerConfig
from attnviewer.nets.vision import Encoder, fuse_batchnorm
from attnviewer.runs.engine import Engine
from attnviewer.zoo.files import publish

WORDS = Vocabulary(("a", "dog", "runs", "grass"))
GIVEN = ("vocabulary", "attention", "annotation", "dropout")
CELLS = 36


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an encoder of 6 by 6 places and a Transformer that captions."""
    torch.manual_seed(0)
    folder, half = tmp_path_factory.mktemp("models"), (0.5, 0.5, 0.5)
    encoder = fuse_batchnorm(Encoder("efficientnet_lite0").eval())
    sizes = LookerConfig(len(WORDS), annotation=encoder.size, width=16, heads=2, inner=24, before=2)
    about = {key: value for key, value in asdict(sizes).items() if key not in GIVEN}
    seen = Preprocessing(96, half, half)
    publish(encoder, _card("eye", "encoder", architecture={"net": "efficientnet_lite0"}, preprocessing=seen), folder)
    net = Looker(sizes).eval()
    with torch.no_grad():
        for layer in net.encoder:
            layer.own.query.weight.mul_(40)  # type: ignore[union-attr]
    told = about | {"encoder": "eye", "annotation": encoder.size}
    publish(net, _card("looker", "transformer-captioner", architecture=told), folder, WORDS)
    return folder


def _card(name: str, kind: str, **more: object) -> ModelCard:
    task = "caption" if kind == "transformer-captioner" else "grounding"
    none, run = Data("none", "none"), Training("none", 0, 0.0)
    return ModelCard(name, name, task, "soft", "MIT", none, run, kind=kind, **more)  # type: ignore[arg-type]


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "photo.png"
    Image.fromarray(corners(60, 30)).save(path)
    return path


def test_every_place_looks_at_every_place(models: Path, photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["attend", "--image", str(photo), "--models", str(models), "--model", "looker", "--json"]) == 0
    trace = json.loads(capsys.readouterr().out)
    assert (trace["model"], trace["heads"]) == ("looker", ["0.0", "0.1", "1.0", "1.1"])
    assert trace["locations"] | {"rows": 6, "columns": 6, "extent": [0, 0, 60, 30]} == trace["locations"]
    weights = np.array([step["weights"] for step in trace["steps"]])
    assert weights.shape == (CELLS, 4, CELLS)
    np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-4)


def test_the_table_and_the_figure_name_rows_and_columns(
    models: Path, photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ["attend", "--image", str(photo), "--models", str(models), "--model", "looker"]
    assert main([*call, "--head", "1.1"]) == 0
    assert "5,5" in capsys.readouterr().out
    for head in ("all", "mean"):
        assert main([*call, "--head", head, "-o", str(tmp_path / f"{head}.png")]) == 0
    assert (tmp_path / "all.png").stat().st_size > 5000


def test_positions_left_out_make_a_turned_photo_turn_its_maps(models: Path) -> None:
    """Without positions, and with vectors handed over in another order, the same places look at the same places."""
    photo = corners(96, 96)
    engine = Engine(models, "cpu")
    net = engine.zoo.load(engine.zoo.cards["looker"]).net
    annotations = engine.annotations(load_picture(photo), engine.zoo.encoder("eye"))
    order = torch.randperm(CELLS, generator=torch.Generator().manual_seed(2))
    change = attnviewer.Ablation(positions=False)
    with torch.inference_mode():
        one = net.encode(annotations, change)[1][-1].out
        other = net.encode(annotations[:, order], change)[1][-1].out
        placed = net.encode(annotations[:, order], attnviewer.Ablation())[1][-1].out
        whole = net.encode(annotations, attnviewer.Ablation())[1][-1].out
    torch.testing.assert_close(other, one[:, order], atol=1e-5, rtol=1e-5)
    assert (placed - whole[:, order]).abs().max() > 1e-3
