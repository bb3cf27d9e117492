"""BERT's encoder: what it returns of each layer, and what changes do to it."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

from attnviewer.core.ablation import Ablation
from attnviewer.nets.bert import Bert, BertConfig, mean_pool

SMALL = BertConfig(vocabulary=30, size=24, layers=3, heads=4, inner=32, positions=20)
CHANGES = [
    Ablation(),
    Ablation(off=((0, 1), (2, 3)), uniform=((1, 0),)),
    Ablation(mask="future"),
    Ablation(mask="past", hidden=((0, 3),)),
    Ablation(positions=False, tied=True),
    Ablation(residuals=False),
]


@pytest.fixture(scope="module")
def net() -> Bert:
    torch.manual_seed(3)
    return Bert(SMALL).eval().requires_grad_(False)


@pytest.fixture
def ids() -> torch.Tensor:
    return torch.tensor([[1, 7, 4, 9, 2], [1, 5, 5, 2, 0]])


KEPT = torch.tensor([[True] * 5, [True] * 4 + [False]])


@pytest.mark.parametrize("change", CHANGES)
def test_rows_sum_to_one_and_what_is_masked_is_exactly_0(net: Bert, ids: torch.Tensor, change: Ablation) -> None:
    weights = net.see(ids, KEPT, change).weights  # [N, B, H, T, T]
    assert weights.shape == (3, 2, 4, 5, 5)
    assert weights.sum(-1) == pytest.approx(1, abs=1e-5)
    assert not weights[:, 1, :, :4, 4].any()
    visible = change.visible(5)
    if visible is not None:
        assert not weights[:, 0][..., ~torch.from_numpy(visible)].any()


def test_looking_closely_changes_nothing(net: Bert, ids: torch.Tensor) -> None:
    assert torch.allclose(net(ids, KEPT)[KEPT], net.see(ids, KEPT).layers[-1].out[KEPT], atol=1e-5)
    assert len(net.see(ids).hidden) == SMALL.layers + 1


def test_padding_changes_no_sentence(net: Bert, ids: torch.Tensor) -> None:
    alone = mean_pool(net(ids[1:, :4]), KEPT[1:, :4])
    assert torch.allclose(mean_pool(net(ids, KEPT), KEPT)[1:], alone, atol=1e-6)
    assert alone.norm(dim=-1) == pytest.approx(1)


@pytest.mark.parametrize("change", CHANGES)
def test_the_parts_of_a_layer_add_up(net: Bert, ids: torch.Tensor, change: Ablation) -> None:
    seen = net.see(ids, KEPT, change)
    kept = float(change.residuals)
    x = seen.first
    for layer, part in zip(net.layers, seen.layers, strict=True):
        assert torch.allclose(layer.after_attention(kept * x + part.attended), part.middle, atol=1e-5)
        assert torch.allclose(layer.after_feeding(kept * part.middle + part.fed), part.out, atol=1e-5)
        x = part.out


def test_weights_are_those_of_the_scores_and_equal_torchs_own(net: Bert, ids: torch.Tensor) -> None:
    part = net.see(ids).layers[1]
    assert torch.allclose(part.weights, torch.softmax(part.scores, -1))
    assert torch.allclose(part.scores, part.queries @ part.keys.transpose(2, 3) / 6**0.5, atol=1e-5)
    own = F.scaled_dot_product_attention(part.queries, part.keys, part.values)
    assert torch.allclose(part.weights @ part.values, own, atol=1e-6)


def test_heads_side_by_side_times_w_o_equal_their_sum(net: Bert, ids: torch.Tensor) -> None:
    part, layer = net.see(ids).layers[0], net.layers[0]
    columns = layer.out.weight.unflatten(1, (4, -1))  # [D, H, S]
    each = torch.einsum("bhij,bhjs,dhs->bhid", part.weights, part.values, columns)
    assert torch.allclose(each.sum(1) + layer.out.bias, part.attended, atol=1e-5)
    one = torch.einsum("bhjs,dhs->bhjd", part.values, columns)
    assert torch.allclose(part.value_norms, one.norm(dim=-1), atol=1e-5)


def test_without_positions_shuffled_tokens_give_shuffled_vectors_and_with_them_they_do_not(
    net: Bert, ids: torch.Tensor
) -> None:
    order = torch.tensor([3, 0, 4, 1, 2])
    for positions, equal in ((False, True), (True, False)):
        change = Ablation(positions=positions)
        out, moved = (net.see(given, None, change).layers[-1].out for given in (ids[:1], ids[:1, order]))
        assert torch.allclose(out[:, order], moved, atol=1e-5) is equal


def test_a_head_that_is_off_adds_nothing_and_a_uniform_one_the_mean(net: Bert, ids: torch.Tensor) -> None:
    layer = net.layers[0]
    everything_off = net.see(ids, None, Ablation(off=tuple((0, head) for head in range(4)))).layers[0]
    assert torch.allclose(everything_off.attended, layer.out.bias.expand_as(everything_off.attended), atol=1e-6)
    uniform = net.see(ids, None, Ablation(uniform=((0, 2),))).layers[0]
    assert uniform.weights[:, 2] == pytest.approx(0.2)
    assert torch.equal(uniform.weights[:, 1], net.see(ids).layers[0].weights[:, 1])


def test_a_uniform_head_obeys_the_mask(net: Bert, ids: torch.Tensor) -> None:
    weights = net.see(ids, None, Ablation(uniform=((0, 2),), mask="future")).layers[0].weights
    assert weights[0, 2, 1].tolist() == pytest.approx([0.5, 0.5, 0, 0, 0])


def test_a_token_behind_a_future_mask_changes_nothing_before_it(net: Bert, ids: torch.Tensor) -> None:
    other = ids.clone()
    other[:, 4] = 11
    out, changed = (net.see(given, None, Ablation(mask="future")).layers[-1].out for given in (ids, other))
    assert torch.allclose(out[:, :4], changed[:, :4], atol=1e-6)
    assert not torch.allclose(out[:, 4], changed[:, 4], atol=1e-2)


def test_tied_queries_and_keys_make_the_scores_symmetric(net: Bert, ids: torch.Tensor) -> None:
    scores = net.see(ids, None, Ablation(tied=True)).layers[0].scores
    assert torch.allclose(scores, scores.transpose(2, 3), atol=1e-5)
    assert not torch.allclose(net.see(ids).layers[0].scores, scores, atol=1e-3)
