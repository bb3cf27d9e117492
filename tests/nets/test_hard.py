"""Hard attention in the net: what it takes follows its own map."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from helpers.nets import CELLS, a_captioner, annotations

from attnviewer.nets.attention import sample

TIMES = 20_000


@pytest.mark.parametrize("seed", range(5))
def test_places_taken_follow_the_map(seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    chances = torch.softmax(torch.randn(12, generator=generator), dim=-1)
    counts = torch.bincount(sample(chances.expand(TIMES, -1), generator), minlength=12).numpy()
    expected = chances.numpy().astype(np.float64) * TIMES
    statistic = float(((counts - expected) ** 2 / expected).sum())
    assert statistic < 11 + 10 * 22**0.5  # ten standard deviations above the mean of chi-square with 11 degrees


def test_the_net_takes_from_the_map_that_it_reports() -> None:
    net = a_captioner("hard")
    with torch.no_grad():
        memory = net.encode_source(annotations())
        words = torch.full((1, TIMES), 7)
        glance = net(memory, net.start(memory, TIMES), words, pick="sample", generator=torch.Generator().manual_seed(3))
    chances = glance.weights[0, 0, 0].double().numpy()
    counts = torch.bincount(glance.sampled[0], minlength=CELLS).numpy()
    expected = chances / chances.sum() * TIMES
    assert float(((counts - expected) ** 2 / expected).sum()) < CELLS - 1 + 10 * (2 * (CELLS - 1)) ** 0.5


def test_the_most_probable_place_needs_no_seed() -> None:
    net = a_captioner("hard")
    with torch.no_grad():
        memory = net.encode_source(annotations())
        glance = net(memory, net.start(memory, 3), torch.full((1, 3), 7), pick="argmax")
    assert glance.sampled.tolist() == glance.weights[:, :, 0].argmax(dim=-1).tolist()


def test_one_place_is_all_that_reaches_the_state() -> None:
    net, cells = a_captioner("hard"), annotations()
    with torch.no_grad():
        memory = net.encode_source(cells)
        taken = net(memory, net.start(memory, 1), torch.tensor([[7]]), pick="argmax")
        place = int(taken.sampled)
        others = memory.values.clone()
        others[:, [i for i in range(CELLS) if i != place]] += 5.0
        again = net(memory._replace(values=others), net.start(memory, 1), torch.tensor([[7]]), pick="argmax")
    assert torch.equal(taken.output, again.output)
