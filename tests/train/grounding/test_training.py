"""Training a grounder from a data folder to a published model, resuming it, and measuring what was published."""

from __future__ import annotations

import csv
import gzip
import json
from argparse import ArgumentParser
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from attnviewer.data import phrases
from attnviewer.measure import grounding
from attnviewer.measure.options.grounding import add_arguments as measure_options
from attnviewer.nets.vision import Encoder, fuse_batchnorm
from attnviewer.train.caption.publish import publish_encoder
from attnviewer.train.grounding import command as training
from attnviewer.train.journal import load_checkpoint
from attnviewer.train.options.grounding import add_arguments as training_options
from attnviewer.zoo.store import Zoo

SPLITS = ("train",) * 4 + ("dev",) * 2 + ("test",) * 2


class FakeSentences:
    """A vector for each text by its letters."""

    def many(self, texts: Any) -> Any:
        yield from ()
        return np.stack([np.random.default_rng(len(text)).normal(size=384) for text in texts]).astype(np.float32)


def record(number: int, split: str) -> dict[str, Any]:
    left = [0.0, 0.0, 0.5, 1.0]
    said = [{"start": 0, "end": 2, "boxes": [left]}, {"start": 3, "end": 5, "boxes": [[0.5, 0.0, 1.0, 1.0]]}]
    words = ["A", "dog", "and", "the", "grass"]
    return {"file": f"{number}.jpg", "split": split, "captions": [{"text": "", "words": words, "phrases": said}]}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "images").mkdir()
    random = np.random.default_rng(0)
    with gzip.open(tmp_path / "annotations.jsonl.gz", "wt") as file:
        for number, split in enumerate(SPLITS):
            file.write(json.dumps(record(number, split)) + "\n")
            pixels = random.integers(0, 255, (32, 32, 3), dtype=np.uint8)
            Image.fromarray(pixels).save(tmp_path / "images" / f"{number}.jpg")
    return tmp_path


OPTIONS = {grounding: measure_options, training: training_options}


@pytest.fixture
def run(data: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    torch.manual_seed(0)
    publish_encoder(fuse_batchnorm(Encoder().eval()), "efficientnet_lite0", 0.0, data / "models")
    for module in (phrases, grounding):
        monkeypatch.setattr(module, "SentenceEncoder", FakeSentences)

    def call(module: ModuleType, *given: str) -> int:
        parser = ArgumentParser()
        OPTIONS[module](parser)
        args = parser.parse_args(["--data", str(data), *given])
        args.models_dir = data / "models"
        return int(module.run(args))

    return call


def test_training_publishes_a_model_that_can_be_resumed_and_measured(
    run: Any, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = ("--out", str(data / "out"), "--cache", str(data / "cache"), "--batch", "2")
    assert run(training, *places, "--epochs", "1") == 0
    assert load_checkpoint(data / "out" / "last.pt")["done"] == 2
    assert run(training, *places, "--epochs", "2") == 0
    with (data / "out" / "log.csv").open() as file:
        assert [row["epoch"] for row in csv.DictReader(file)] == ["1", "2"]
    found = Zoo(data / "models").grounder()
    assert found.encoder == "encoder"
    assert found.card.figures["phrases"] == 4
    assert found.card.figures["area"] == pytest.approx(0.5, abs=0.01)
    capsys.readouterr()
    assert run(grounding, "--no-captioner", "--json") == 0
    measured = json.loads(capsys.readouterr().out)
    assert measured["temperature"] == found.temperature
    assert measured["figures"]["inside"] == pytest.approx(found.card.figures["inside"], abs=0.02)


def test_the_measures_are_printed_beside_their_baselines(
    run: Any, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(training, "--out", str(data / "out"), "--cache", str(data / "cache"), "--epochs", "1")
    capsys.readouterr()
    assert run(grounding, "--no-captioner", "--split", "dev") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["measure", "grounder", "baseline", "captioner"]
    assert [line.split("  ")[0] for line in lines[2:5]] == [
        "pointing accuracy",
        "attention inside the boxes",
        "is it there (AUC)",
    ]
    assert "4 phrases with boxes on 2 photos of the dev split" in "\n".join(lines)
