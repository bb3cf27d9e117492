"""Training hard attention: REINFORCE's gradient is the true one where every path can be tried."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch
from helpers.nets import CELLS, a_captioner, annotations

from attnviewer.train.caption.batches import Batch, Example, collate
from attnviewer.train.caption.losses import LossOptions
from attnviewer.train.caption.stochastic import Baseline, surrogate, variational


class Toy:
    """Two words; the first place is drawn from softmax(first), the second from a row of softmax(second)."""

    def __init__(self, places: int, seed: int) -> None:
        generator = torch.Generator().manual_seed(seed)
        self.first = torch.randn(places, generator=generator).requires_grad_()
        self.second = torch.randn(places, places, generator=generator).requires_grad_()
        self.words = torch.randn(2, places, places, generator=generator).requires_grad_()
        self.paths = torch.tensor(list(itertools.product(range(places), repeat=2)))

    def location_logprobs(self) -> torch.Tensor:
        """Log-probability of each path's places: [N, 2]."""
        one, two = self.paths.T
        chances = self.first.log_softmax(-1)[one], self.second.log_softmax(-1)[one, two]
        return torch.stack(chances, dim=-1)

    def logprobs(self) -> torch.Tensor:
        """Log-probability of each word given the places taken so far: [N, 2]."""
        one, two = self.paths.T
        return torch.stack((self.words[0, one, one], self.words[1, one, two]), dim=-1).sigmoid().log()

    def gradients(self, loss: torch.Tensor) -> list[torch.Tensor]:
        return list(torch.autograd.grad(loss, (self.first, self.second, self.words)))

    def analytic(self, mask: torch.Tensor) -> list[torch.Tensor]:
        """Gradient of the lower bound: the expectation over all paths, written out."""
        chances = self.location_logprobs().sum(dim=-1).exp()
        return self.gradients(-(chances * (self.logprobs() * mask).sum(dim=-1)).sum())

    def estimated(self, baseline: float, mask: torch.Tensor) -> list[torch.Tensor]:
        """The mean of REINFORCE's estimates over all paths, each as often as it is drawn."""
        chances = self.location_logprobs().sum(dim=-1).exp().detach()
        total = sum(
            chance * surrogate(logprobs, location_logprobs, baseline, mask)
            for chance, logprobs, location_logprobs in zip(
                chances, self.logprobs(), self.location_logprobs(), strict=True
            )
        )
        return self.gradients(torch.as_tensor(total))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("places", [2, 3])
@pytest.mark.parametrize("baseline", [0.0, -3.0, 1.7])
def test_the_reinforce_gradient_equals_the_analytic_one(places: int, seed: int, baseline: float) -> None:
    toy, mask = Toy(places, seed), torch.ones(2)
    for found, wanted in zip(toy.estimated(baseline, mask), toy.analytic(mask), strict=True):
        torch.testing.assert_close(found, wanted, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("places", [2, 3])
def test_padding_has_no_part_in_the_gradient(places: int) -> None:
    toy, mask = Toy(places, 1), torch.tensor([1.0, 0.0])
    found = toy.estimated(-1.0, mask)
    for one, wanted in zip(found, toy.analytic(mask), strict=True):
        torch.testing.assert_close(one, wanted, atol=1e-5, rtol=1e-4)
    assert float(found[1].abs().max()) == 0.0


def test_a_place_that_led_to_a_better_word_than_usual_becomes_more_probable() -> None:
    scores = torch.zeros(3, requires_grad=True)
    location_logprob = scores.log_softmax(-1)[1].view(1)
    surrogate(torch.tensor([-0.5]), location_logprob, -3.0, torch.ones(1)).backward()
    assert scores.grad is not None
    assert scores.grad[1] < 0 < scores.grad[0]


def test_the_baseline_moves_towards_what_is_usual() -> None:
    baseline = Baseline(value=-3.0, decay=0.9)
    for _ in range(200):
        baseline.update(-1.0)
    assert baseline.value == pytest.approx(-1.0, abs=1e-3)
    assert Baseline(-3.0, 0.9).value == -3.0


def a_batch() -> Batch:
    def example(*ids: int) -> Example:
        regions = np.zeros((len(ids), CELLS), np.uint8)
        regions[:-1, 4] = 255
        return Example(np.array(ids), regions)

    return collate("ab", [[example(5, 6, 7, 2), example(8, 2)], [example(9, 5, 2), example(6, 2)]], mirrored=False)


def test_one_step_of_training_reaches_the_attention_and_moves_the_baseline() -> None:
    torch.manual_seed(0)
    net, batch, baseline = a_captioner("hard"), a_batch(), Baseline()
    terms = variational(net, net.encode_source(annotations(2)), batch, LossOptions(), batch.counts, baseline)
    terms.loss.backward()
    assert torch.isfinite(terms.loss)
    assert float(net.attention.score.weight.grad.abs().sum()) > 0
    assert baseline.value != Baseline().value
    assert 0 < terms.inside < 1


def test_training_finds_the_place_that_tells_the_word() -> None:
    """Cell 4 alone tells which of four words follows: maps learn to go there, without any boxes.

    One photo may be told by what isn't seen elsewhere; the other three must be looked at in cell 4.
    """
    torch.manual_seed(1)
    net, baseline, words = a_captioner("hard", seed=1), Baseline(), (5, 7, 9, 11)
    told = torch.zeros(4, CELLS, 12)
    for photo in range(4):
        told[photo, 4, photo * 3 : photo * 3 + 3] = 3.0
    batch = collate("abcd", [[_spoken(word)] * 8 for word in words], mirrored=False)
    optimiser = torch.optim.Adam(net.parameters(), 0.02)
    options = LossOptions(smoothing=0.0, align=0.0)
    for _ in range(150):
        memory = net.encode_source(told)
        memory = memory._replace(mean=torch.zeros_like(memory.mean))  # so that the first state knows nothing
        loss = variational(net, memory, batch, options, batch.counts, baseline, weight=1.0).loss
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    glance = net(memory, net.start(memory, 1), torch.ones(4, 1, dtype=torch.long), pick="argmax")
    assert (glance.sampled == 4).sum() >= 3
    assert float(glance.weights[:, 0, 0, 4].detach().median()) > 0.6


def _spoken(word: int) -> Example:
    return Example(np.array([word, 2]), np.zeros((2, CELLS), np.uint8))
