"""The command line and the Python API down to the real nets, with small random weights."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
import torch

import attnviewer
from attnviewer import api
from attnviewer.cli import main
from attnviewer.core.card import Data, ModelCard, Preprocessing, Training
from attnviewer.core.paths import resources_dir
from attnviewer.core.text import Vocabulary
from attnviewer.nets.captioner import Captioner, CaptionerConfig
from attnviewer.nets.vision import Encoder, fuse_batchnorm
from attnviewer.runs.engine import Engine
from attnviewer.zoo.files import publish

SAMPLES = resources_dir() / "images"
BEACH = str(SAMPLES / "beach.jpg")
WORDS = Vocabulary(("a", "dog", "runs", "on", "the", "grass", "man", "in", "red", "shirt"))
HALF = (0.5, 0.5, 0.5)


def card(name: str, task: str, attention: str, **more: Any) -> ModelCard:
    """A card of a model that was never trained."""
    return ModelCard(name, name, task, attention, "MIT", Data("none", "none"), Training("none", 0, 0.0), **more)


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an encoder and a captioner."""
    torch.manual_seed(0)
    folder = tmp_path_factory.mktemp("models")
    encoder = fuse_batchnorm(Encoder("efficientnet_lite0").eval())
    sizes = {"match": 8, "context": 16, "embedding": 8, "hidden": 16}
    net = Captioner(CaptionerConfig(len(WORDS), "soft", encoder.size, **sizes)).eval()
    about = {"net": "efficientnet_lite0"}
    seen = Preprocessing(96, HALF, HALF)
    publish(
        encoder, card("eye", "grounding", "content", kind="encoder", architecture=about, preprocessing=seen), folder
    )
    publish(net, card("tiny", "caption", "soft", architecture={"encoder": "eye", **sizes}), folder, WORDS)
    return folder


@pytest.fixture(autouse=True)
def random_engine(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Verbs and the Python API get an engine over those models."""
    monkeypatch.setattr(api, "make_engine", lambda device: Engine(models, device))
    monkeypatch.setattr(api, "_engines", {})


def test_traces_of_the_samples_follow_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    schema = json.loads((resources_dir() / "trace.schema.json").read_text("utf-8"))
    assert main(["caption", str(SAMPLES), "--json"]) == 0
    traces = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(traces) == len(list(SAMPLES.glob("*.jpg")))
    for trace in traces:
        jsonschema.validate(trace, schema)
        weights = np.array([step["weights"] for step in trace["steps"]])
        np.testing.assert_allclose(weights.sum(axis=2), 1, atol=1e-4)
        source = trace["source"]
        assert trace["locations"]["extent"] == [0, 0, source["width"], source["height"]]


def test_the_same_call_gives_the_same_trace(capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for _ in range(2):
        assert main(["caption", BEACH, "--json", "--beam", "3"]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]


def test_the_probabilities_of_a_given_caption_are_those_of_its_making() -> None:
    made = attnviewer.caption(BEACH)
    measured = attnviewer.caption(BEACH, words=list(made.words))
    assert measured.words == made.words
    np.testing.assert_allclose(measured.logprobs, made.logprobs, atol=1e-3)
    np.testing.assert_allclose(measured.weights, made.weights, atol=1e-4)


def test_uniform_attention_gives_every_location_the_same() -> None:
    weights = attnviewer.caption(BEACH, attention="uniform").weights
    np.testing.assert_allclose(weights, 1 / weights.shape[2], atol=1e-6)


def test_a_figure_is_drawn_from_a_real_run(tmp_path: Path) -> None:
    assert main(["caption", BEACH, "-o", str(tmp_path / "out.png")]) == 0
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("choice", [["--attention", "hard"], ["--model", "nothing"]])
def test_a_model_that_is_not_there_is_told_in_one_line(choice: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["caption", BEACH, *choice]) == 2
    said = capsys.readouterr().err
    assert said.startswith("attnviewer: ")
    assert said.count("\n") == 1
