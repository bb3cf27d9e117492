"""What an earlier captioner knows is taken over to another encoder."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch
from helpers.nets import a_captioner
from torch import nn

from attnviewer.core.text import Vocabulary
from attnviewer.data.photos import Caption, Photo, Thing
from attnviewer.train.caption import transfer as module
from attnviewer.train.caption.rewards import ThingReward, returns
from attnviewer.train.caption.transfer import Ridge, transfer


def test_a_linear_map_is_found_again_from_its_examples() -> None:
    truth, found = nn.Linear(5, 3), nn.Linear(5, 3).requires_grad_(False)
    rows, ridge = torch.randn(200, 5), Ridge(5, 3)
    with torch.no_grad():
        ridge.add(rows[:120], truth(rows[:120]))
        ridge.add(rows[120:], truth(rows[120:]))
        ridge.fit(found, 1e-9)
    assert torch.allclose(found.weight, truth.weight, atol=1e-3)
    assert torch.allclose(found.bias, truth.bias, atol=1e-3)


def test_a_captioner_on_turned_features_says_what_the_earlier_one_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """The new encoder's vectors are an invertible product of the old ones': nothing is lost, so all must be found."""
    earlier, net = a_captioner().eval(), a_captioner().eval()
    size = earlier.config.annotation
    turn = torch.linalg.qr(torch.randn(size, size))[0]
    old = {f"{number}": torch.randn(9, size) for number in range(80)}
    words = Vocabulary(tuple(f"w{n}" for n in range(earlier.config.vocabulary - 4)))

    def encode_source(_: Any, group: list[Photo]) -> Any:
        return earlier.encode_source(torch.stack([old[photo.file] for photo in group]))

    monkeypatch.setattr(module, "_memory", encode_source)
    monkeypatch.setattr(module, "CELLS", 1e-8)
    monkeypatch.setattr(module, "MEANS", 1e-8)
    photos = [Photo(name, "train", ()) for name in old]
    loaded = cast(Any, SimpleNamespace(net=earlier, vocabulary=words))
    transfer(net, words, loaded, photos, lambda paths: torch.stack([old[Path(path).name] @ turn for path in paths]))
    scene = torch.stack([old["3"], old["4"]])
    for mine, theirs in zip(net.encode_source(scene @ turn)[:2], earlier.encode_source(scene)[:2], strict=True):
        assert torch.allclose(mine, theirs, atol=1e-2)
    assert torch.equal(net.embedding.weight, earlier.embedding.weight)


def test_inventing_a_thing_costs_and_naming_a_right_one_pays() -> None:
    words = Vocabulary(("a", "dog", "cat", "bench"))
    photo = Photo("a.jpg", "train", (Caption(("a", "dog"), ()),), (Thing("bench", (0.0, 0.0, 1.0, 1.0)),))
    reward = ThingReward([photo], words, cost=0.25, worth=0.05)

    def extra(*said: str) -> float:
        ids = [*words.encode(said), words.end]
        return reward(photo.path, ids) - reward.likeness(photo.path, ids)

    assert extra("a", "dog") == pytest.approx(0.05)
    assert extra("a", "cat") == pytest.approx(-0.25)
    assert extra("a", "bench") == pytest.approx(0.0)  # it is there, but nobody names it


def test_a_content_word_that_soon_returns_costs() -> None:
    assert returns(["a", "bed", "is", "on", "a", "bed"]) == 1
    assert returns(["a", "man", "and", "a", "woman", "on", "a", "bench"]) == 0
    assert returns(["a", "man", "in", "a", "red", "shirt", "and", "a", "big", "dog", "beside", "another", "man"]) == 0
