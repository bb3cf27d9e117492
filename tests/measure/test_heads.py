"""What heads tend to do, from maps made by hand, and of a small Transformer through the command line."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers.transformers import a_transformer
from helpers.translators import SOURCE, TARGET

from attnviewer.cli import main
from attnviewer.core.card import load_card
from attnviewer.core.habits import LABELS, Habit, habits_of
from attnviewer.measure.habits import Tally, cross_masks, is_mark, self_masks
from attnviewer.zoo.files import publish
from attnviewer.zoo.translators import publish_words

WORDS = ("the", "dog", "saw", "the", "cat", ".")
EYE = np.eye(6, dtype=np.float32)
UNIFORM = np.full((6, 6), 1 / 6, np.float32)
LOOKS = {
    "previous": np.roll(EYE, -1, axis=1),
    "next": np.roll(EYE, 1, axis=1),
    "first": EYE[[0] * 6],
    "same": EYE,
    "punctuation": EYE[[5] * 6],
    "mixed": UNIFORM,
}


@pytest.mark.parametrize(("does", "weights"), LOOKS.items())
def test_a_head_is_named_by_where_its_weight_lies(does: str, weights: np.ndarray) -> None:
    tally = Tally()
    tally.add(["0.0"], weights[None], self_masks(WORDS))
    assert tally.habits()["0.0"].does == does


def test_a_share_is_of_the_words_that_have_such_a_place() -> None:
    tally = Tally()
    half = 0.5 * LOOKS["previous"] + 0.5 * UNIFORM
    tally.add(["0.0"], half[None].astype(np.float32), self_masks(WORDS))
    assert tally.habits()["0.0"] == Habit("previous", pytest.approx(0.5 + 0.5 / 6, abs=1e-3))


@pytest.mark.parametrize(("does", "moved"), [("aligned", 0), ("read", 1)])
def test_cross_attention_is_held_against_links(does: str, moved: int) -> None:
    source, target = ("gato", "el", "come"), ("the", "cat", "eats")
    links = frozenset({(1, 0), (0, 1), (2, 2)})
    weights = np.full((1, 4, 3), 1 / 3, np.float32)
    for place, word in links:
        weights[0, word + moved] = np.eye(3)[place]
    tally = Tally()
    tally.add(["cross:0.0"], weights, cross_masks(source, target, links))
    assert tally.habits()["cross:0.0"].does == does


def test_marks_are_known() -> None:
    assert [is_mark(token) for token in (".", "...", "[SEP]", "dog", "", "don't")] == [True] * 3 + [False] * 3


@pytest.fixture
def call(tmp_path: Path) -> list[str]:
    """The command for a small Transformer and a few pairs of dev."""
    model, folder = a_transformer(), tmp_path / "models"
    publish_words(model.words.net, model.words.card, SOURCE, TARGET, folder)
    publish(model.net, replace(model.card, kind="transformer-translator"), folder)
    with gzip.open(tmp_path / "es-en.dev.tsv.gz", "wt", encoding="utf-8") as file:
        file.write("El perro duerme.\tThe dog sleeps.\nEl gato come.\tThe cat eats.\n")
    call = ["evaluate", "heads", "--model", "es-en-transformer", "--data", str(tmp_path), "--models", str(folder)]
    return [*call, "--sentences", "2"]


def test_every_head_gets_a_label_and_what_is_lost_and_the_card_keeps_it(
    call: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*call, "--json", "--write"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert sorted(found) == sorted(
        f"{p}:{i}.{j}" for p in ("cross", "decoder", "encoder") for i in (0, 1) for j in (0, 1)
    )
    assert all(np.isfinite(row["lost"]) and 0 <= row["share"] <= 1 and row["does"] in LABELS for row in found.values())
    card = load_card(tmp_path / "models" / "es-en-transformer" / "card.toml")
    assert card.heads["cross:1.0"] == Habit(*(found["cross:1.0"][name] for name in ("does", "share", "lost")))


def test_importance_can_be_left_out(call: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*call, "--no-importance"]) == 0
    assert "encoder:0.0" in capsys.readouterr().out


def test_a_recurrent_net_has_no_such_heads(call: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    plain = [*call[:3], "es-en-attention", *call[4:6]]
    assert main(plain) == 2
    assert "no Transformer" in capsys.readouterr().err


@pytest.mark.parametrize(
    "table", [[], {"0.0": 1}, {"0.0": {"does": "dances", "share": 1}}, {"0.0": {"does": "first", "share": "all"}}]
)
def test_a_card_with_damaged_habits_says_so(table: object) -> None:
    with pytest.raises(ValueError, match="a table of heads"):
        habits_of(table)
