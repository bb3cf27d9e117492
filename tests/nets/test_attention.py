"""Attention: rows that sum to 1 whatever the scores, masks, hand-computed cases."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.nets.attention import AdditiveAttention, sample, softmax

SCORES = st.lists(st.floats(-1e4, 1e4, allow_nan=False, width=32), min_size=1, max_size=12)


@given(SCORES)
def test_softmax_rows_are_finite_and_sum_to_one(scores: list[float]) -> None:
    weights = softmax(torch.tensor([scores]))
    assert torch.isfinite(weights).all()
    assert float(weights.sum()) == pytest.approx(1, abs=1e-5)


@given(SCORES, st.data())
def test_masked_places_get_exactly_nothing(scores: list[float], data: st.DataObject) -> None:
    kept = data.draw(st.lists(st.booleans(), min_size=len(scores), max_size=len(scores)))
    weights = softmax(torch.tensor([scores]), torch.tensor([kept]))
    assert float(weights.sum()) == pytest.approx(1, abs=1e-5)
    if any(kept):
        assert weights[0, ~torch.tensor(kept)].eq(0).all()


def test_a_row_with_every_place_masked_stays_a_distribution() -> None:
    assert softmax(torch.tensor([[3.0, 3.0]]), torch.tensor([[False, False]])).tolist() == [[0.5, 0.5]]


def test_additive_scores_are_those_computed_by_hand() -> None:
    attention = AdditiveAttention(2, 2, 2)
    with torch.no_grad():
        attention.key.weight.copy_(torch.eye(2))
        attention.key.bias.zero_()
        attention.query.weight.copy_(torch.eye(2))
        attention.score.weight.copy_(torch.tensor([[1.0, 2.0]]))
        scores = attention(attention.key(torch.tensor([[[1.0, 0.0], [0.0, 1.0]]])), torch.tensor([[[0.5, -0.5]]]))
    first = math.tanh(1.5) + 2 * math.tanh(-0.5)
    second = math.tanh(0.5) + 2 * math.tanh(0.5)
    assert scores.flatten().tolist() == pytest.approx([first, second], abs=1e-6)


def test_permuting_the_locations_permutes_the_scores() -> None:
    torch.manual_seed(0)
    attention, keys, query = AdditiveAttention(4, 3, 5), torch.randn(1, 6, 5), torch.randn(1, 1, 3)
    order = torch.randperm(6)
    torch.testing.assert_close(attention(keys[:, order], query), attention(keys, query)[..., order])


def test_samples_follow_the_weights() -> None:
    """Chi-square of 20,000 draws against the distribution; 4 degrees of freedom, so 18.5 is the 0.1 % point."""
    weights = torch.tensor([0.4, 0.3, 0.15, 0.1, 0.05])
    draws = sample(weights.expand(20_000, -1), torch.Generator().manual_seed(0))
    expected = weights * 20_000
    assert float(((torch.bincount(draws, minlength=5) - expected) ** 2 / expected).sum()) < 18.5


def test_the_same_seed_draws_the_same_places() -> None:
    weights = torch.full((50, 7), 1 / 7)
    first, second = (sample(weights, torch.Generator().manual_seed(3)) for _ in range(2))
    assert torch.equal(first, second)
    assert not torch.equal(first, sample(weights, torch.Generator().manual_seed(4)))
