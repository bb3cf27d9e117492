"""The decoder: who looks where, and that nothing but the photo's own cells matters."""

from __future__ import annotations

import pytest
import torch
from helpers.nets import CELLS, a_captioner, annotations

from attnviewer.nets.captioner import Glance

WORDS = torch.tensor([[5, 6]])


def look(attention: str = "soft", cells: torch.Tensor | None = None, **imposed: object) -> Glance:
    net = a_captioner(attention)
    memory = net.encode_source(annotations() if cells is None else cells)
    with torch.no_grad():
        return net(memory, net.start(memory, 2), WORDS, **imposed)


def test_each_row_of_weights_is_a_distribution() -> None:
    weights = look().weights
    assert weights is not None
    assert weights.shape == (1, 2, 1, CELLS)
    torch.testing.assert_close(weights.sum(-1), torch.ones(1, 2, 1))


def test_imposed_weights_are_obeyed_and_change_the_outcome() -> None:
    here = torch.zeros(1, 2, 1, CELLS)
    here[..., 4] = 1
    forced, free = look(weights=here), look()
    assert torch.equal(forced.weights, here)
    assert not torch.allclose(forced.output, free.output)


def test_the_most_probable_place_taken_is_attention_imposed_there() -> None:
    free = look()
    assert free.weights is not None
    hard = look("soft", pick="argmax")
    only = torch.nn.functional.one_hot(free.weights.argmax(-1), CELLS).float()
    torch.testing.assert_close(hard.output, look(weights=only).output)
    assert torch.equal(hard.weights, free.weights)
    assert torch.equal(hard.sampled, free.weights.argmax(-1).squeeze(-1))


def test_permuting_the_cells_permutes_the_map_and_leaves_the_words() -> None:
    order = torch.randperm(CELLS, generator=torch.Generator().manual_seed(5))
    straight, mixed = look(), look(cells=annotations()[:, order])
    torch.testing.assert_close(mixed.weights, straight.weights[..., order])
    torch.testing.assert_close(mixed.output, straight.output)


def test_without_attention_there_is_no_map_and_no_gate() -> None:
    glance = look("none")
    assert glance.weights is None
    assert glance.scores is None
    assert glance.gate is None


def test_without_attention_only_the_mean_of_the_cells_matters() -> None:
    order = torch.randperm(CELLS, generator=torch.Generator().manual_seed(5))
    torch.testing.assert_close(look("none", annotations()[:, order]).output, look("none").output)


@pytest.mark.parametrize("attention", ["soft", "none"])
def test_a_batch_gives_what_single_photos_give(attention: str) -> None:
    net, cells = a_captioner(attention), annotations(3)
    with torch.no_grad():
        together = net.encode_source(cells)
        outputs = net(together, net.start(together, 2), WORDS.expand(3, -1)).output
        for row in range(3):
            alone = net.encode_source(cells[row : row + 1])
            torch.testing.assert_close(net(alone, net.start(alone, 2), WORDS).output[0], outputs[row])
