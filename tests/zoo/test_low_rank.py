"""Models that are kept as a change of another."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from helpers.nets import a_captioner, publish_captioner

from attnviewer.core.errors import UserError
from attnviewer.core.text import Vocabulary
from attnviewer.zoo.files import WEIGHTS, publish
from attnviewer.zoo.low_rank import DOWN, UP, change_of, changed
from attnviewer.zoo.store import Zoo

WORDS = Vocabulary(tuple(f"w{i}" for i in range(16)))


def pair() -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]:
    """A base, and weights that differ from it by a change of rank 2, by a vector, and by a matrix of its own."""
    torch.manual_seed(0)
    base = {"wide": torch.randn(30, 20).half(), "bias": torch.randn(30).half()}
    change = torch.randn(30, 2) @ torch.randn(2, 20)
    return base, {"wide": base["wide"].float() + change, "bias": torch.randn(30), "own": torch.randn(9, 9)}


def test_a_change_of_a_low_rank_comes_back_and_is_smaller() -> None:
    base, state = pair()
    kept = change_of(base, state, 2)
    assert set(kept) == {"wide" + UP, "wide" + DOWN, "bias", "own"}
    assert kept["wide" + UP].shape == (30, 2)
    made = changed(base, kept, "a file")
    assert set(made) == set(state)
    for name, value in state.items():
        torch.testing.assert_close(made[name].float(), value, atol=0.02, rtol=0.01)


def test_the_more_ranks_are_kept_the_closer_it_comes_and_whole_matrices_stay_whole() -> None:
    base = {"wide": torch.zeros(30, 20)}
    state = {"wide": torch.randn(30, 20, generator=torch.Generator().manual_seed(1))}
    far = [(changed(base, change_of(base, state, rank), "")["wide"] - state["wide"]).norm() for rank in (1, 4, 8, 11)]
    assert far == sorted(far, reverse=True)
    assert "wide" in change_of(base, state, 12)  # two thin matrices would be no smaller


@pytest.mark.parametrize("fault", ["base", "half", "shape"])
def test_a_change_that_does_not_fit_its_base_is_refused(fault: str) -> None:
    base, state = pair()
    kept = change_of(base, state, 2)
    if fault == "base":
        base = {}
    elif fault == "half":
        del kept["wide" + DOWN]
    else:
        kept["wide" + DOWN] = torch.zeros(3, 3)
    with pytest.raises(UserError, match=r"models/x holds a change of wide that doesn't fit"):
        changed(base, kept, "models/x")


def test_a_captioner_published_as_a_change_loads_as_itself(tmp_path: Path) -> None:
    publish_captioner(a_captioner(), WORDS, 0, 0.0, 0.9, tmp_path)
    hard = a_captioner(attention="hard", seed=3)
    card = publish_captioner(hard, WORDS, 0, 0.0, 0.9, tmp_path, rank=3)
    assert (card.architecture["base"], card.architecture["rank"]) == ("caption-soft", 3)
    sizes = [(tmp_path / name / WEIGHTS).stat().st_size for name in ("caption-soft", "caption-hard")]
    again = a_captioner(attention="hard", seed=9)
    Zoo(tmp_path).fill(again, card)
    whole = publish(hard, replace(card, id="whole", architecture={}), tmp_path)
    assert (tmp_path / whole.id / WEIGHTS).stat().st_size > sizes[1]
    assert torch.equal(again.bias, hard.bias.half().float())
    soft, far = a_captioner(), (again.lstm.weight_hh - hard.lstm.weight_hh).norm()
    assert far < (soft.lstm.weight_hh - hard.lstm.weight_hh).norm()


def test_a_change_of_another_base_is_refused(tmp_path: Path) -> None:
    publish_captioner(a_captioner(), WORDS, 0, 0.0, 0.9, tmp_path)
    card = publish_captioner(a_captioner(attention="hard"), WORDS, 0, 0.0, 0.9, tmp_path, rank=3)
    publish_captioner(a_captioner(seed=5), WORDS, 0, 0.0, 0.9, tmp_path)
    with pytest.raises(UserError, match="stands on another caption-soft"):
        Zoo(tmp_path).fill(a_captioner(attention="hard"), card)


def test_a_change_whose_base_is_not_installed_is_refused(tmp_path: Path) -> None:
    publish_captioner(a_captioner(), WORDS, 0, 0.0, 0.9, tmp_path)
    card = publish_captioner(a_captioner(attention="hard"), WORDS, 0, 0.0, 0.9, tmp_path, rank=3)
    shutil.rmtree(tmp_path / "caption-soft")
    with pytest.raises(UserError, match="the base caption-soft can't be found"):
        Zoo(tmp_path).fill(a_captioner(attention="hard"), card)
