"""Changes to self-attention as plain data."""

from __future__ import annotations

import numpy as np
import pytest

from attnviewer.core.ablation import Ablation
from attnviewer.core.errors import UserError


def test_nothing_changed_shows_every_token_to_every_token() -> None:
    assert Ablation().visible(3) is None


@pytest.mark.parametrize(("mask", "seen"), [("future", [[1, 0], [1, 1]]), ("past", [[1, 1], [0, 1]])])
def test_a_mask_hides_one_side(mask: str, seen: list[list[int]]) -> None:
    assert np.array_equal(Ablation(mask=mask).visible(2), np.array(seen, bool))


def test_own_cells_are_hidden_on_top_of_a_mask() -> None:
    assert np.array_equal(Ablation(mask="future", hidden=((1, 1),)).visible(2), np.array([[1, 0], [1, 0]], bool))


def test_the_order_and_repeats_of_heads_make_no_difference() -> None:
    assert Ablation(off=((1, 2), (0, 1), (1, 2))) == Ablation(off=((0, 1), (1, 2)))
    assert Ablation(off=((0, 1), (1, 2))).heads("off", 1) == [2]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Ablation(mask="left"), "choose none, future, past"),
        (lambda: Ablation(off=((1,),)), "pairs of whole numbers"),  # type: ignore[arg-type]
        (lambda: Ablation(off=((-1, 0),)), "pairs of whole numbers"),
        (lambda: Ablation(off=((2, 0),)).check(2, 4), "no head 2.0; layers go from 0 to 1, heads from 0 to 3"),
        (lambda: Ablation(hidden=((0, 0),)).visible(1), "token 0 would see nothing"),
        (lambda: Ablation(hidden=((0, 9),)).visible(3), "no cell 0,9 among 3 tokens"),
    ],
)
def test_senseless_changes_are_one_line(make, words: str) -> None:
    with pytest.raises(UserError, match=words):
        make()
