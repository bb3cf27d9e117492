"""Multi-head attention: distributions, masks, torch's own function, heads side by side, and positions."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from attnviewer.core.ablation import Ablation
from attnviewer.nets.multihead import Attended, MultiHead, Positions, sinusoidal, sinusoidal_2d

SIZE, HEADS = 12, 3


def attend(
    length: int = 5, seed: int = 0, reach: int = 0, mask: Tensor | None = None, **rest: object
) -> tuple[MultiHead, Tensor, Attended]:
    torch.manual_seed(seed)
    net = MultiHead(SIZE, HEADS, reach)
    x = torch.randn(2, length, SIZE)
    with torch.no_grad():
        return net, x, net(x, net.split(net.key(x)), net.split(net.value(x)), mask, **rest)  # type: ignore[arg-type]


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 12), st.integers(0, 99), st.sampled_from([0, 2]), st.booleans())
def test_rows_sum_to_1_and_what_is_masked_is_exactly_0(length: int, seed: int, reach: int, future: bool) -> None:
    mask = torch.ones(length, length, dtype=torch.bool).tril() if future else None
    weights = attend(length, seed, reach, mask)[2].weights
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(2, HEADS, length))
    assert mask is None or (weights[..., ~mask] == 0).all()


@pytest.mark.parametrize("causal", [False, True])
def test_the_weighted_values_equal_torchs_own_attention(causal: bool) -> None:
    mask = torch.ones(5, 5, dtype=torch.bool).tril() if causal else None
    net, _, seen = attend(mask=mask)
    own = F.scaled_dot_product_attention(seen.queries, seen.keys, seen.values, attn_mask=mask)
    torch.testing.assert_close(seen.weights @ seen.values, own)
    with torch.no_grad():
        torch.testing.assert_close(net.out(net.join(own)), seen.out)


def test_heads_side_by_side_times_one_matrix_are_the_sum_of_what_each_head_adds() -> None:
    net, _, seen = attend()
    with torch.no_grad():
        columns = net.out.weight.unflatten(1, (HEADS, -1))  # [D, H, S]
        each = torch.einsum("bhij,bhjs,dhs->bhid", seen.weights, seen.values, columns)
        torch.testing.assert_close(each.sum(dim=1) + net.out.bias, seen.out)


def test_one_row_by_hand() -> None:
    net = MultiHead(2, 1)
    with torch.no_grad():
        for layer in (net.query, net.key, net.value, net.out):
            layer.weight.copy_(torch.eye(2))
            layer.bias.zero_()
        x = torch.tensor([[[1.0, 0.0], [0.0, 2.0]]])
        seen = net(x, net.split(net.key(x)), net.split(net.value(x)))
    torch.testing.assert_close(seen.scores[0, 0], torch.tensor([[1.0, 0.0], [0.0, 4.0]]) / 2**0.5)
    share = torch.exp(torch.tensor(0.5**0.5)) / (1 + torch.exp(torch.tensor(0.5**0.5)))
    torch.testing.assert_close(seen.out[0, 0], torch.stack((share, 2 * (1 - share))))


def test_tied_queries_make_the_scores_symmetric() -> None:
    scores = attend(change=Ablation(tied=True))[2].scores
    torch.testing.assert_close(scores, scores.transpose(-1, -2))
    assert not torch.allclose(attend()[2].scores, scores)


def test_a_head_that_is_off_adds_nothing_and_a_uniform_one_looks_everywhere_alike() -> None:
    net, _, off = attend(change=Ablation(off=((0, 0), (0, 1), (0, 2))))
    torch.testing.assert_close(off.out, net.out.bias.detach().expand_as(off.out))
    uniform = attend(change=Ablation(uniform=((0, 1),)))[2]
    torch.testing.assert_close(uniform.weights[:, 1], torch.full((2, 5, 5), 0.2))
    assert torch.equal(uniform.weights[:, 0], attend()[2].weights[:, 0])
    assert torch.equal(attend(change=Ablation(off=((1, 0),)))[2].out, attend()[2].out)  # of another layer


def test_relative_positions_ask_for_the_distance_alone() -> None:
    net, _, seen = attend(length=7, reach=2)
    extra = seen.scores - seen.queries @ seen.keys.transpose(-1, -2) / 2
    for asking in range(7):
        for place in range(7):
            apart = max(-2, min(2, place - asking))
            wanted = seen.queries[:, :, asking] @ net.distance[apart + 2].detach() / 2
            torch.testing.assert_close(extra[:, :, asking, place], wanted)


def test_sines_keep_the_likeness_of_two_places_a_matter_of_their_distance() -> None:
    table = sinusoidal(40, 32)
    likeness = table @ table.T
    for apart in (1, 5, 13):
        along = torch.diagonal(likeness, apart)
        torch.testing.assert_close(along, along[:1].expand_as(along), atol=1e-4, rtol=0)
    torch.testing.assert_close(sinusoidal(5, 32, start=7), table[7:12])


def test_a_place_of_a_grid_is_its_row_beside_its_column() -> None:
    table = sinusoidal_2d(3, 4, 16).view(3, 4, 16)
    assert torch.equal(table[1, 0, :8], table[1, 3, :8])
    assert torch.equal(table[0, 2, 8:], table[2, 2, 8:])
    assert len(torch.unique(table.flatten(0, 1), dim=0)) == 12


@pytest.mark.parametrize("kind", ["sinusoidal", "learnt", "relative", "none"])
def test_positions_added_from_a_place_on_are_those_of_the_whole(kind: str) -> None:
    torch.manual_seed(0)
    places, x = Positions(kind, 8, longest=6), torch.zeros(1, 9, 8)
    with torch.no_grad():
        whole = places(x)
        torch.testing.assert_close(places(x[:, 4:], start=4), whole[:, 4:])
        vectors = places.vectors(9)
    assert (vectors is None) == (kind in ("relative", "none"))
    torch.testing.assert_close(whole[0], torch.zeros(9, 8) if vectors is None else vectors)
