"""The reward of a sampled text, worked out by hand, and what learning from it does to a net."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from attnviewer.core.text import END, Vocabulary
from attnviewer.train.critic import Reward, self_critical

WORDS = Vocabulary(("a", "b", "c", "d", "e"))
A, B, C, D, E = WORDS.encode("abcde")
TEXTS = {"one": [["a", "b", "c", "d"]], "two": [["e"], ["e", "e"]]}


def test_a_reference_earns_all_of_the_precision():
    assert Reward(TEXTS, WORDS, cider=0)("one", [A, B, C, D, END]) == pytest.approx(1)


def test_a_short_text_pays_for_its_brevity():
    precisions = (3 / 3 + 1 / 2 + 0 / 1 + 0) / 4  # a, b and the end; "a b" but not "b end"
    assert Reward(TEXTS, WORDS, cider=0)("one", [A, B, END]) == pytest.approx(math.exp(1 - 5 / 3) * precisions)


def test_a_word_counts_as_often_as_the_reference_that_has_it_most():
    reward = Reward(TEXTS, WORDS, cider=0)
    assert reward("two", [E, E, END]) > reward("two", [E, E, E, END])


def test_cider_is_added_where_it_is_asked_for():
    bare, mixed = (Reward(TEXTS, WORDS, cider=share)("one", [A, B, C, D, END]) for share in (0.0, 0.5))
    assert mixed == pytest.approx(bare + 0.5 * 10)


class Unigram(nn.Module):
    """A net that says words by chance, the same ones at every step."""

    def __init__(self) -> None:
        super().__init__()
        self.scores = nn.Parameter(torch.zeros(len(WORDS)))
        self.config = SimpleNamespace(attention="soft")

    def start(self, memory: Any, hypotheses: int) -> Tensor:
        return memory.mean

    def forward(self, memory: Any, state: Tensor, words: Tensor, pick: str | None = None) -> Any:
        return SimpleNamespace(output=words, state=state, sampled=None)

    def logits(self, output: Tensor) -> Tensor:
        return self.scores.expand(*output.shape, -1)


def test_words_that_earn_something_become_more_probable():
    torch.manual_seed(0)
    net, reward = Unigram(), Reward({"x": [["a"]]}, WORDS, cider=0)
    optimiser = torch.optim.SGD(net.parameters(), lr=0.5)
    earned = []
    for _ in range(60):
        loss, mean = self_critical(net, SimpleNamespace(mean=torch.zeros(8, 1)), ["x"] * 8, reward)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        earned.append(mean)
    assert sum(earned[-10:]) > 2 * sum(earned[:10])
    assert set(net.scores.topk(2).indices.tolist()) == {A, END}
