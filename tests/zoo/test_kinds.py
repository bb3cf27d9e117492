"""Kinds of models: a row is all that a new one needs; cards without a kind are of the usual one of their task."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
import torch
from helpers.pictures import square
from torch import Tensor, nn

from attnviewer.core.card import DEFAULT_KINDS, ModelCard, card_from_dict, find_cards, load_card, save_card
from attnviewer.core.errors import UserError
from attnviewer.core.jobs import outcome
from attnviewer.core.paths import models_dir
from attnviewer.core.request import CaptionRequest
from attnviewer.core.text import Vocabulary
from attnviewer.nets.vision import Encoder, fuse_batchnorm
from attnviewer.runs.engine import Engine
from attnviewer.train.caption.publish import publish_encoder
from attnviewer.zoo.files import publish
from attnviewer.zoo.kinds import KINDS, Kind, kind_of, resolve
from attnviewer.zoo.store import Cache, Zoo

SAYS = ("a", "parrot", "repeats")
CARD = {
    "id": "a-parrot", "name": "A parrot", "task": "caption", "attention": "soft", "licence": "none",
    "data": {"name": "a cage", "terms": "none"}, "training": {"command": "none", "seed": 0, "hours": 0.0},
}  # fmt: skip


@dataclass(frozen=True)
class ParrotConfig:
    vocabulary: int
    attention: str = "soft"
    loudness: tuple[float, ...] = (1.0,)


class Glance(NamedTuple):
    output: Tensor
    state: tuple[Tensor]
    weights: Tensor
    scores: Tensor
    sampled: None = None
    gate: None = None


class Parrot(nn.Module):
    """Says the vocabulary from end to end, and looks at every location alike."""

    has_attention, heads, pointer = True, ("attention",), 0

    def __init__(self, config: ParrotConfig) -> None:
        super().__init__()
        self.config = config
        self.bias = nn.Parameter(torch.ones(config.vocabulary))

    def encode_source(self, annotations: Tensor) -> Any:
        return SimpleNamespace(mean=annotations.mean(dim=1), keys=annotations)

    def start(self, memory: Any, captions: int) -> tuple[Tensor]:
        return (torch.zeros(len(memory.mean), captions, 1),)

    def reorder(self, state: tuple[Tensor], order: Tensor) -> tuple[Tensor]:
        return state

    def forward(self, memory: Any, state: tuple[Tensor], words: Tensor, **_: Any) -> Glance:
        maps = torch.full((*words.shape, 1, memory.keys.shape[1]), 1 / memory.keys.shape[1])
        return Glance(state[0], (state[0] + 1,), maps, maps)

    def logits(self, output: Tensor) -> Tensor:
        says = (4 + output.long()) % self.config.vocabulary  # behind the last word comes padding
        says = torch.where(says == 0, 2, says)  # which is the end
        return 20.0 * nn.functional.one_hot(says.squeeze(-1), self.config.vocabulary) + self.bias


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of models with a captioner of a kind that this test made up."""
    net, config = (f"{__name__}:{name}" for name in ("Parrot", "ParrotConfig"))
    monkeypatch.setitem(
        KINDS, "parrot", Kind("captioner", "attnviewer.zoo.captioners:load_captioner", ("caption",), net, config)
    )
    torch.manual_seed(0)
    publish_encoder(fuse_batchnorm(Encoder().eval()), "efficientnet_lite0", 0.0, tmp_path)
    card = card_from_dict(CARD | {"kind": "parrot", "architecture": {"encoder": "encoder", "loudness": [2.0, 3.0]}})
    publish(Parrot(ParrotConfig(4 + len(SAYS))), card, tmp_path, Vocabulary(SAYS))
    return tmp_path


def test_a_new_kind_of_captioner_is_a_row_and_a_card(folder: Path) -> None:
    trace = outcome(Engine(folder, "cpu").run(CaptionRequest(square(28, 28, 3, 4), model="a-parrot")))
    assert (trace.model, trace.words) == ("a-parrot", SAYS)
    assert trace.weights.shape == (3, 1, 196)
    assert Zoo(folder).captioner().net.config == ParrotConfig(4 + len(SAYS), "soft", (2.0, 3.0))


def test_a_kind_that_is_not_known_is_refused_when_it_is_asked_for_and_costs_no_other(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(KINDS, "parrot")
    assert set(Zoo(folder).cards) == {"a-parrot", "encoder"}
    with pytest.raises(UserError, match=r"^a-parrot is of the kind parrot, which this version doesn't know; "):
        Zoo(folder).captioner("a-parrot")


def test_a_card_without_a_kind_is_of_the_usual_one_of_its_task(tmp_path: Path) -> None:
    card = card_from_dict(CARD)
    assert (card.kind, kind_of(card)) == ("captioner", KINDS["captioner"])
    other = replace(card, kind="transformer-captioner")
    save_card(other, tmp_path / "card.toml")
    assert load_card(tmp_path / "card.toml") == other


def test_a_kind_must_be_a_name() -> None:
    with pytest.raises(UserError, match=r"the card's kind must be lower-case letters, digits and hyphens"):
        card_from_dict(CARD | {"kind": "A Parrot"})


def test_every_row_names_things_that_are_there_and_every_task_has_its_kind() -> None:
    for kind in KINDS.values():
        for place in filter(None, (kind.load, kind.net, kind.config)):
            assert callable(resolve(place))
    assert set(DEFAULT_KINDS.values()) <= set(KINDS)


@pytest.mark.parametrize("card", find_cards(models_dir()), ids=lambda card: card.id)
def test_every_model_that_ships_is_of_a_kind_that_is_known(card: ModelCard) -> None:
    assert card.kind in KINDS


def test_the_tasks_own_kind_goes_before_another_that_serves_it(folder: Path) -> None:
    zoo = Zoo(folder)
    zoo.cards  # read  # noqa: B018
    usual = card_from_dict(CARD | {"id": "usual"})
    zoo._found[0].append(usual)
    assert zoo.choose("caption", None, "soft") == usual
    assert zoo.choose("caption", "a-parrot", "soft").id == "a-parrot"


def test_a_part_of_another_kind_is_refused(folder: Path) -> None:
    with pytest.raises(UserError, match=r"^a-parrot is no encoder; install attnviewer again\.$"):
        Zoo(folder).encoder("a-parrot")


def test_a_model_is_loaded_once_and_forgotten_with_the_cache(folder: Path) -> None:
    zoo = Zoo(folder)
    model = zoo.captioner()
    assert zoo.captioner() is model
    assert zoo.encoder("encoder") is model.encoder
    zoo.cache.clear()
    assert zoo.captioner() is not model


def test_only_the_newest_of_large_things_is_kept_and_the_older_goes_before_it_is_made() -> None:
    cache, seen = Cache(), []

    def make(name: str) -> str:
        seen.append((name, dict(cache._newest)))
        return name

    for name in ("one", "one", "two", "one"):
        assert cache.newest("place", name, lambda name=name: make(name)) == name
    assert seen == [("one", {}), ("two", {}), ("one", {})]
    cache.clear()
    assert cache.newest("place", "one", lambda: "again") == "again"


def test_a_cache_makes_a_thing_once_even_where_it_is_nothing() -> None:
    cache, made = Cache(), []
    for _ in range(2):
        assert cache.get("key", lambda: made.append(1)) is None
    assert made == [1]
