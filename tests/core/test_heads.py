"""Many heads at once: rollout, norms, the maximum, links and what heads tend to look at."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.traces import a_trace
from hypothesis import given, settings
from hypothesis import strategies as st

from attnviewer.core.errors import UserError
from attnviewer.core.heads import combined, labels, norm_weighted, one_head, rollout, strongest, tendencies


def maps(layers: int = 3, heads: int = 2, tokens: int = 4, seed: int = 0) -> np.ndarray:
    powers = np.random.default_rng(seed).exponential(size=(layers, heads, tokens, tokens)).astype(np.float32)
    return powers / powers.sum(axis=-1, keepdims=True)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 4), st.integers(1, 3), st.integers(1, 6), st.integers(0, 99))
def test_rows_of_rollout_sum_to_1(layers: int, heads: int, tokens: int, seed: int) -> None:
    found = rollout(maps(layers, heads, tokens, seed))
    assert found.shape == (layers, tokens, tokens)
    np.testing.assert_allclose(found.sum(axis=-1), 1, atol=1e-5)


def test_rollout_of_two_layers_by_hand() -> None:
    swap = np.array([[0.0, 1.0], [1.0, 0.0]], np.float32)
    found = rollout(np.stack([swap, swap])[:, None])
    np.testing.assert_allclose(found[0], [[0.5, 0.5], [0.5, 0.5]])
    np.testing.assert_allclose(found[1], [[0.5, 0.5], [0.5, 0.5]])
    stay = np.eye(2, dtype=np.float32)
    np.testing.assert_allclose(rollout(np.stack([stay, swap])[:, None])[1], [[0.5, 0.5], [0.5, 0.5]])


def test_a_short_value_takes_little_though_it_gets_much_weight() -> None:
    weights = np.array([[[0.9, 0.1]]], np.float32)
    np.testing.assert_allclose(norm_weighted(weights, np.array([[0.1, 5.0]], np.float32)), [[[0.09, 0.5]]])


def test_the_maximum_of_heads_is_no_distribution_and_the_mean_is() -> None:
    weights = maps()
    np.testing.assert_allclose(combined(weights, "mean").sum(axis=-1), 1, atol=1e-6)
    assert (combined(weights, "max").sum(axis=-1) > 1.01).all()
    assert np.array_equal(combined(weights, "max")[1, 2], weights[1, :, 2].max(axis=0))


def test_the_strongest_links_come_first_and_faint_ones_are_left_out() -> None:
    weights = np.array([[[0.7, 0.3]], [[0.01, 0.99]]], np.float32)  # [H, T, L]
    assert [(head, place) for head, place, _ in strongest(weights, 0, 9)] == [(1, 1), (0, 0), (0, 1)]
    assert len(strongest(weights, 0, 2)) == 2


def test_a_head_is_named_after_what_gets_most_of_its_attention() -> None:
    tokens, specials = ["[CLS]", "a", "cat", ",", "a", "dog", "[SEP]"], [True, *[False] * 5, True]
    size = len(tokens)
    before, first = np.eye(size, k=-1), np.zeros((size, size))
    before[0, 0] = first[:, 0] = 1
    same = np.eye(size)
    same[[1, 4]] = same[[4, 1]]
    spread = np.full((size, size), 1 / size)
    shares = tendencies(np.stack([before, first, same, spread])[None].astype(np.float32), tokens, specials)
    assert labels(shares) == [["previous", "start", "itself", ""]]
    assert shares["same word"][0, 2] == pytest.approx(2 / 5)
    assert shares["punctuation"][0, 3] == pytest.approx(1 / 7)


def test_one_head_or_the_mean_is_a_trace_of_one_head() -> None:
    trace = a_trace(heads=("0.0", "0.1"))
    assert np.array_equal(one_head(trace, "0.1").weights[:, 0], trace.weights[:, 1])
    np.testing.assert_allclose(one_head(trace, "mean").weights[:, 0], trace.weights.mean(axis=1), atol=1e-6)
    with pytest.raises(UserError, match=r"no head 2\.2; choose 0\.0 to 0\.1, or mean, max, all"):
        one_head(trace, "2.2")
