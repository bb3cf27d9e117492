"""Transformers learn to translate, stand on the words of another model, and are published as kinds of their own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from helpers.pairs import PAIRS, arguments, write

from attnviewer.core.errors import UserError
from attnviewer.core.jobs import outcome
from attnviewer.core.request import TranslateRequest
from attnviewer.runs.engine import Engine
from attnviewer.train.translate import command, task

TINY = ("--net", "transformer", "--width", "16", "--heads", "2", "--layers", "2", "--inner", "24", "--embedding", "8")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write(tmp_path, "train", PAIRS * 6)
    write(tmp_path, "dev", PAIRS[:5])
    return tmp_path


def train(data: Path, name: str, *given: str) -> None:
    options = ("--epochs", "1", "--publish", str(data / "models"), "--seed", "0", *TINY, *given)
    command.run(arguments("--data", str(data), "--out", str(data / name), *options))


def test_a_transformer_is_published_and_translates(data: Path) -> None:
    train(data, "out")
    engine = Engine(data / "models", "cpu")
    card = engine.zoo.cards["es-en-transformer"]
    assert (card.kind, card.attention) == ("transformer-translator", "soft")
    assert card.architecture["guided"] == [1, 0]
    trace = outcome(engine.run(TranslateRequest("El perro come.", model="es-en-transformer")))
    assert trace.heads == ("0.0", "0.1", "1.0", "1.1")
    np.testing.assert_allclose(trace.weights.sum(axis=-1), 1, atol=1e-5)


@pytest.mark.parametrize("order", ["none", "relative", "learnt"])
def test_lesson_nets_stand_on_the_words_of_a_model_and_are_marked(data: Path, order: str) -> None:
    train(data, "out")
    words = data / "models" / "es-en-words"
    before = (words / "weights.safetensors").read_bytes()
    train(data, "lesson", "--lesson", "--order", order, "--words", str(words))
    engine = Engine(data / "models", "cpu")
    card = engine.zoo.cards[f"es-en-lesson-{order}"]
    assert card.architecture["lesson"] is True
    assert (words / "weights.safetensors").read_bytes() == before
    assert outcome(engine.run(TranslateRequest("El gato.", model=card.id))).model == card.id


def test_one_head_makes_the_lesson_of_one_head(data: Path) -> None:
    train(data, "out", "--lesson", "--heads", "1")
    assert (data / "models" / "es-en-lesson-onehead" / "card.toml").is_file()


def test_a_transformer_learns(data: Path) -> None:
    torch.manual_seed(0)
    args = arguments("--data", str(data), *TINY, "--dropout", "0", "--forget", "0", "0")
    made = task.set_up(args)
    optimiser = torch.optim.Adam(made.modules.parameters(), 0.01)
    batch = made.corpus.collate(made.corpus.examples[: len(PAIRS)])
    losses = []
    for _ in range(40):
        loss, _ = made.loss(batch, 0)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < 0.3 * losses[0]


@pytest.mark.parametrize(
    ("given", "message"),
    [(("--attention", "none"), "by content at all times"), (("--width", "15"), "a multiple of --heads")],
)
def test_options_that_do_not_fit_are_refused(data: Path, given: tuple[str, ...], message: str) -> None:
    with pytest.raises(UserError, match=message):
        train(data, "out", *given)
