"""Training translators from a data folder to published models, resuming, and standing on words learnt before."""

from __future__ import annotations

import csv
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from helpers.pairs import PAIRS, arguments, write

from attnviewer.core.errors import UserError
from attnviewer.core.jobs import outcome
from attnviewer.core.request import TranslateRequest
from attnviewer.data.pairs import Pair
from attnviewer.runs.engine import Engine
from attnviewer.runs.reading import read
from attnviewer.train.journal import load_checkpoint, save_checkpoint
from attnviewer.train.learner import Learner, Rule
from attnviewer.train.translate import command, task
from attnviewer.train.translate.losses import loss_of
from attnviewer.zoo.store import Zoo

RULE = Rule(0.02, {"net": 1.0, "words": 1.0})
Train = Callable[..., int]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write(tmp_path, "train", PAIRS * 6)
    write(tmp_path, "dev", PAIRS[:5])
    return tmp_path


@pytest.fixture
def train(data: Path) -> Train:
    def call(name: str, *given: str) -> int:
        return command.run(arguments("--data", str(data), "--out", str(data / name), *given))

    return call


def rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "log.csv").open() as file:
        return list(csv.DictReader(file))


def loss(args: Namespace, checkpoint: Path | None) -> float:
    """Mean nats a word of the training pairs, from the checkpoint's averaged weights or from the start."""
    torch.manual_seed(0)
    session = task.set_up(args)
    if checkpoint:
        session.modules.load_state_dict(load_checkpoint(checkpoint)["average"])
    session.net.eval()
    batch = session.corpus.collate(session.corpus.examples[: len(PAIRS)])
    with torch.no_grad():
        return loss_of(session.net, batch, args)[1]


def test_training_lowers_the_loss(train: Train, data: Path) -> None:
    args = arguments("--data", str(data), "--forget", "0", "0")
    train("out", "--epochs", "6")
    assert loss(args, data / "out" / "last.pt") < 0.5 * loss(args, None)


def test_training_goes_on_where_it_stopped_and_publishes_what_was_best(train: Train, data: Path) -> None:
    train("out", "--epochs", "1")
    assert load_checkpoint(data / "out" / "last.pt")["done"] == 3
    train("out", "--epochs", "2", "--publish", str(data / "models"))
    assert [row["epoch"] for row in rows(data / "out")] == ["1", "2"]
    assert load_checkpoint(data / "out" / "last.pt")["done"] == 6
    found = Zoo(data / "models").translator()
    best = load_checkpoint(data / "out" / "best.pt")["modules"]
    torch.testing.assert_close(found.net.bias, best["net.bias"].half().float())
    assert "eflomal" not in " ".join(found.card.notes)
    trace = outcome(Engine(data / "models").run(TranslateRequest("El perro come.")))
    assert trace.locations.tokens == ("El", "perro", "come", ".")


def test_a_finished_training_is_not_trained_further(train: Train, data: Path) -> None:
    train("out", "--epochs", "1")
    before = load_checkpoint(data / "out" / "last.pt")["modules"]
    train("out", "--epochs", "1")
    after = load_checkpoint(data / "out" / "last.pt")["modules"]
    assert all(torch.equal(before[name], after[name]) for name in before)
    assert len(rows(data / "out")) == 1


def test_a_critic_goes_on_from_what_was_learnt(train: Train, data: Path) -> None:
    train("out", "--epochs", "1")
    train("more", "--start", str(data / "out" / "best.pt"), "--critic", "--epochs", "1", "--steps", "2")
    before, after = (load_checkpoint(data / name / "best.pt")["modules"] for name in ("out", "more"))
    moved = (before["net.bias"] - after["net.bias"]).abs().max()
    assert 0 < moved < 0.1
    assert [row["epoch"] for row in rows(data / "more")] == ["1"]


def test_training_goes_on_from_a_published_model(train: Train, data: Path) -> None:
    train("out", "--epochs", "1", "--publish", str(data / "models"))
    models = data / "models"
    train(
        "more", "--start", str(models / "es-en-attention"), "--words", str(models / "es-en-words"), "--rate", "0",
        "--epochs", "1",
    )  # fmt: skip
    before, after = (load_checkpoint(data / name / "best.pt")["modules"] for name in ("out", "more"))
    assert all(torch.equal(before[name].half().float(), after[name]) for name in before)


def test_pairs_made_by_rule_join_those_of_the_data_and_leave_the_vocabulary_alone(data: Path) -> None:
    without = task.set_up(arguments("--data", str(data)))
    pairs, links = without.pairs, [frozenset({(0, 0)})] * len(without.pairs)
    more, linked = task.with_composed(pairs, links, Namespace(composed=0.5, seed=0))
    assert more[: len(pairs)] == pairs
    assert len(more) == len(linked) == len(pairs) + len(pairs) // 2
    assert all(links for links in linked)
    assert task.with_composed(pairs, links, Namespace(composed=0.0, seed=0)) == (pairs, links)


@pytest.mark.parametrize(
    ("name", "hidden", "match"), [("no.pt", "10", "no checkpoint"), ("out/best.pt", "12", "another")]
)
def test_a_start_that_does_not_fit_is_refused(train: Train, data: Path, name: str, hidden: str, match: str) -> None:
    train("out", "--epochs", "1")
    with pytest.raises(UserError, match=match):
        train("more", "--start", str(data / name), "--hidden", hidden)


@pytest.mark.parametrize("attention", ["none", "location"])
def test_a_second_translator_stands_on_the_words_of_the_first_and_leaves_them_alone(
    train: Train, data: Path, attention: str
) -> None:
    models = ("--publish", str(data / "models"))
    train("first", "--epochs", "1", *models)
    written = (data / "models" / "es-en-words" / "weights.safetensors").read_bytes()
    words = ("--words", str(data / "first" / "best.pt"))
    train("second", "--epochs", "2", "--attention", attention, *words, *models)
    first, second = (load_checkpoint(data / name / "best.pt")["modules"] for name in ("first", "second"))
    shared = [name for name in first if name.startswith("words.")]
    assert len(shared) == 3
    assert all(torch.equal(first[name], second[name]) for name in shared)
    assert (data / "models" / "es-en-words" / "weights.safetensors").read_bytes() == written
    zoo = Zoo(data / "models")
    assert zoo.translator(attention=attention).words is zoo.translator().words


def test_only_a_checkpoint_with_the_same_words_can_be_stood_on(train: Train, data: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="there is no checkpoint"):
        train("out", "--words", str(data / "missing.pt"))
    train("first", "--epochs", "1")
    write(data, "train", PAIRS[:6] * 6)
    with pytest.raises(UserError, match="are not those of this data"):
        train("out", "--words", str(data / "first" / "best.pt"))


def test_a_folder_without_pairs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="give the tatoeba folder with --data"):
        command.run(arguments("--data", str(tmp_path), "--out", str(tmp_path / "out")))


def test_links_guide_the_attention(data: Path) -> None:
    args = arguments("--data", str(data))
    torch.manual_seed(0)
    session = task.set_up(args)
    guided = Namespace(**{**vars(args), "guide": 1.0, "forget": (0.0, 0.0)})
    diagonal = frozenset((place, place) for place in range(4))
    session.corpus.examples[:] = [replace(example, links=diagonal) for example in session.corpus.examples]
    batch = session.corpus.collate(session.corpus.examples[:12])
    learner = Learner(session.modules, RULE, data / "out")
    before = loss_of(session.net, batch, guided)[2]
    for _ in range(30):
        learner.step(loss_of(session.net, batch, guided)[0])
    session.net.eval()
    with torch.no_grad():
        assert loss_of(session.net, batch, guided)[2] < 0.5 * before
        weights = session.net.teach(
            read(session.net, session.speller, [["El", "gato", "come", "."]]), batch.inputs[:1], batch.spelled[:1]
        )[1]
    assert weights[0, :4].argmax(dim=-1).tolist() == [0, 1, 2, 3]


def test_the_map_of_origins_is_learnt_by_itself(train: Train, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    train("out", "--epochs", "1")
    started = load_checkpoint(data / "out" / "best.pt")
    for name in [name for name in started["modules"] if name.startswith("net.asked.")]:
        del started["modules"][name]  # one that was trained before there were such maps
    save_checkpoint(data / "bare.pt", **started)
    diagonal = frozenset((place, place) for place in range(4))
    monkeypatch.setattr(task, "align", lambda pairs: [diagonal] * len(pairs))
    more = ("--guide", "1", "--forget", "0", "0", "--plain", "0", "--joined", "0", "--epochs", "6")
    train("more", "--start", str(data / "bare.pt"), "--origin", *more)
    after = load_checkpoint(data / "more" / "best.pt")["modules"]
    assert all(torch.equal(after[name], value) for name, value in started["modules"].items())
    assert float(rows(data / "more")[-1]["origin_error"]) < 0.1 < float(rows(data / "more")[-1]["error"])
    with pytest.raises(UserError, match="only attention by content"):
        train("other", "--origin", "--attention", "none", "--guide", "1")


def test_links_are_made_once_and_again_for_other_pairs(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def align(pairs: list[Pair]) -> list[frozenset[tuple[int, int]]]:
        asked.append(len(pairs))
        return [frozenset({(len(pair.source) - 1, 0)}) for pair in pairs]

    monkeypatch.setattr(task, "align", align)
    args = Namespace(guide=0.3, attention="soft", out=data / "out")
    long, short = Pair(("a", "b"), ("c",), ("a b", "c")), Pair(("a",), ("c",), ("a", "c"))
    first = task.found_links(args, [long], [short])
    assert task.found_links(args, [long], [short]) == first == [{(1, 0)}, {(0, 0)}]
    assert asked == [2]
    task.found_links(args, [short], [short])
    task.found_links(args, [short], [long, long])
    assert asked == [2, 2, 3]


def test_nothing_is_aligned_where_no_map_is_guided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task, "align", None)
    pair = Pair(("a",), ("b",), ("a", "b"))
    for asked in ({"guide": 0.0, "attention": "soft"}, {"guide": 0.3, "attention": "none"}):
        assert task.found_links(Namespace(out=tmp_path, **asked), [pair], [pair]) == [frozenset()] * 2


def test_origins_need_links_to_learn_from(train: Train) -> None:
    with pytest.raises(UserError, match="give --guide more than 0"):
        train("out", "--origin")
