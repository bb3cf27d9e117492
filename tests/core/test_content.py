"""The maths of content-based attention: hand-computed cases, limits and invariances."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attnviewer.core import content
from attnviewer.core.content import Items, attend
from attnviewer.core.errors import UserError

AXES = np.array([[1.0, 0.0], [0.0, 1.0]])
numbers = st.floats(-50, 50, width=32)
logits = st.integers(1, 12).flatmap(lambda n: arrays(np.float64, n, elements=st.floats(-1e4, 1e4)))
vectors = st.integers(1, 8).flatmap(lambda n: arrays(np.float32, (n, 3), elements=numbers))
kinds = st.sampled_from(sorted(content.SCORES))


def test_the_dot_product_by_hand():
    lookup = attend([2.0, 1.0], Items.of(AXES))
    assert lookup.scores == pytest.approx([2, 1])
    assert lookup.weights == pytest.approx([0.731059, 0.268941], abs=1e-6)
    assert lookup.answer == pytest.approx([0.731059, 0.268941], abs=1e-6)
    assert lookup.total == pytest.approx(np.log(np.exp(2) + np.exp(1)))


def test_the_scaled_dot_product_divides_by_the_root_of_the_size():
    keys = Items.of(np.array([[1.0, 1, 1, 1], [0, 0, 0, 0]]))
    assert attend([1, 1, 1, 1], keys, kind="scaled").scores == pytest.approx([2, 0])


def test_the_cosine_by_hand():
    keys = Items.of(np.array([[3.0, 4.0], [8.0, 6.0], [-5.0, 0.0]]))
    assert attend([1.0, 0.0], keys, kind="cosine").scores == pytest.approx([0.6, 0.8, -1])


def test_a_long_vector_draws_all_attention_under_dot():
    plain = attend([2.0, 1.0], Items.of(AXES))
    longer = attend([2.0, 1.0], Items.of(AXES), scales=[1, 5])
    assert longer.scores == pytest.approx([2, 5])
    assert longer.weights == pytest.approx([0.047426, 0.952574], abs=1e-6)
    assert longer.key_norms == pytest.approx([1, 5])
    assert longer.contributions == pytest.approx([0.047426, 5 * 0.952574], abs=1e-5)
    assert plain.weights[1] < 0.3


def test_a_long_vector_moves_nothing_under_cosine_but_still_adds_more():
    plain = attend([2.0, 1.0], Items.of(AXES), kind="cosine")
    longer = attend([2.0, 1.0], Items.of(AXES), kind="cosine", scales=[1, 5])
    assert longer.weights == pytest.approx(plain.weights)
    assert longer.contributions[1] == pytest.approx(5 * plain.contributions[1])


def test_weights_come_from_the_keys_and_the_answer_from_the_values():
    values = Items.of(np.array([[10.0, 0, 0], [0, 20.0, 0]]))
    lookup = attend([0.0, 30.0], Items.of(AXES), values)
    assert lookup.answer == pytest.approx([0, 20, 0], abs=1e-4)
    assert lookup.contributions == pytest.approx([0, 20], abs=1e-4)
    assert lookup.nearest[0] == 1


def test_a_hard_maximum_takes_one_item_and_the_first_of_equals():
    lookup = attend([1.0, 1.0], Items.of(AXES), hard=True)
    assert lookup.weights.tolist() == [1, 0]
    assert lookup.answer.tolist() == [1, 0]


@given(logits)
def test_softmax_is_finite_and_sums_to_one(scores):
    weights = content.softmax(scores)
    assert np.isfinite(weights).all()
    assert (weights >= 0).all()
    assert weights.sum() == pytest.approx(1, abs=1e-5)


@given(logits, st.floats(-1e4, 1e4))
def test_softmax_ignores_a_common_shift(scores, shift):
    assert content.softmax(scores + shift) == pytest.approx(content.softmax(scores), abs=1e-6)


@given(logits)
def test_a_huge_temperature_makes_the_weights_uniform(scores):
    assert content.softmax(scores, 1e12) == pytest.approx(np.full(len(scores), 1 / len(scores)), abs=1e-6)


@given(st.permutations([0.0, 1.0, 2.0, 3.5]))
def test_a_tiny_temperature_is_the_hard_maximum(scores):
    for temperature in (1e-3, 1e-300):
        assert content.softmax(scores, temperature) == pytest.approx(content.hard_max(scores))


@given(vectors, arrays(np.float32, 3, elements=numbers), kinds, st.randoms())
def test_permuting_the_items_permutes_the_weights(rows, query, kind, random):
    order = list(range(len(rows)))
    random.shuffle(order)
    straight = attend(query, Items.of(rows), kind=kind)
    shuffled = attend(query, Items.of(rows[order]), kind=kind)
    assert shuffled.weights == pytest.approx(straight.weights[order], abs=1e-4)
    assert shuffled.answer == pytest.approx(straight.answer, abs=1e-2)


@given(vectors, arrays(np.float32, 3, elements=numbers), kinds, st.booleans())
def test_every_lookup_is_finite_and_sums_to_one(rows, query, kind, hard):
    lookup = attend(query, Items.of(rows), kind=kind, hard=hard, temperature=0.01)
    assert lookup.weights.sum() == pytest.approx(1, abs=1e-4)
    for part in (lookup.scores, lookup.weights, lookup.contributions, lookup.answer):
        assert np.isfinite(part).all()


@pytest.mark.parametrize("kind", content.SCORES)
def test_zero_vectors_share_the_weight_equally(kind):
    for query, keys in (([0.0, 0.0], AXES), ([1.0, 1.0], np.zeros((2, 2)))):
        assert attend(query, Items.of(keys), kind=kind).weights == pytest.approx([0.5, 0.5])


def test_a_single_item_gets_everything():
    assert attend([-1e4], Items.of(np.array([[1.0]]))).weights.tolist() == [1]


def test_scores_beyond_float32_stay_finite():
    lookup = attend(np.float32([1e30, 1]), Items.of(np.float32([[1e30, 0], [0, 1]])))
    assert np.isfinite(lookup.scores).all()
    assert np.isfinite(lookup.total)
    assert lookup.weights.tolist() == [1, 0]


@given(arrays(np.float32, st.integers(1, 30), elements=st.integers(0, 4).map(float)), st.integers(0, 40))
def test_the_best_are_those_of_a_stable_sort(values, count):
    assert content.best(values, count) == tuple(np.argsort(-values, kind="stable")[:count])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: attend([1.0], Items.of(np.zeros((0, 1)))), "nothing to look at"),
        (lambda: attend([1.0, 0.0], Items.of(AXES), temperature=0), "temperature"),
        (lambda: attend([1.0, 0.0], Items.of(AXES), temperature=float("nan")), "temperature"),
        (lambda: attend([1.0, 0.0], Items.of(AXES), kind="euclid"), "choose one of dot, scaled, cosine"),
        (lambda: attend([1.0, 0.0], Items.of(AXES), scales=[1]), "one for each item"),
        (lambda: attend([1.0, 0.0], Items.of(AXES), Items.of(AXES[:1])), "one value for each key"),
    ],
)
def test_a_senseless_call_is_told_in_one_line(call, words):
    with pytest.raises(UserError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_of_an_item_in_pieces_the_best_piece_counts():
    vectors = np.array([[1, 0], [0, 1], [0.6, 0.8], [-1, 0]], np.float32)
    pieces = Items.of(vectors, starts=(0, 1, 3))
    assert len(pieces) == 3
    lookup = attend([0.6, 0.8], pieces, kind="cosine")
    assert lookup.scores == pytest.approx([0.6, 1, -0.6])
    assert lookup.pieces.tolist() == [0, 1, 0]
    assert lookup.answer == pytest.approx(lookup.weights @ vectors[[0, 2, 3]])


def test_one_piece_an_item_is_no_pieces_at_all():
    assert Items.of(np.eye(2, dtype=np.float32), starts=(0, 1)).starts is None


@given(st.lists(st.integers(1, 4), min_size=1, max_size=6), st.integers(0, 99))
def test_the_best_row_of_each_item_is_its_own(sizes, seed):
    found = np.random.default_rng(seed).integers(0, 3, sum(sizes)).astype(float)
    starts = np.cumsum([0, *sizes[:-1]])
    rows = Items(found[:, None], found, starts).best_rows(found)
    for row, start, size in zip(rows, starts, sizes, strict=True):
        assert row == start + found[start : start + size].argmax()
