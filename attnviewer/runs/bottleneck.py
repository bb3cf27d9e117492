"""How much of the image is left in the choice of a word: the information bottleneck, measured word by word.

A caption is read a second time from the mean photo, and at each word the two distributions over the next word are
compared. What a net has forgotten of its photo can't set them apart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor
from torch.nn.functional import one_hot

from attnviewer.core.text import START
from attnviewer.nets.captioner import Memory
from attnviewer.runs.decode import Choice, Decoder, DecodingPlan


def divergence(logits: Tensor, other: Tensor) -> float:
    """Kullback-Leibler divergence from softmax(other) to softmax(logits), both [V], in bits; never negative."""
    p, q = torch.log_softmax(logits.double(), dim=-1), torch.log_softmax(other.double(), dim=-1)
    return max(0.0, float((p.exp() * (p - q)).sum()) / math.log(2))


class Bottleneck:
    """Reads captions, one of each of B photos, from their photos and from the mean photo at once.

    A photo is looked at as the run looked: at the same places. The mean photo is looked at by the net's own maps of
    it; hard attention takes their most probable place, so that no random number is used.
    """

    def __init__(self, net: Decoder, photo: Memory, mean: Memory, plan: DecodingPlan) -> None:
        self._net, self._photo = net, photo
        still = replace(plan, decoding=replace(plan.decoding, pick="argmax"))
        self._step_mean = still.drive(net, mean, torch.Generator(mean.mean.device))
        self._states = [net.start(memory, 1) for memory in (photo, mean)]
        self._last = torch.full((len(photo.mean), 1), START, device=photo.mean.device)
        self._words = 0

    def read(self, choice: Choice) -> float:
        """Bits that a single photo adds to the choice of the word of `choice`; then the word is read."""
        return self.read_all([choice])[0]

    def read_all(self, choices: Sequence[Choice]) -> list[float]:
        """The same for a choice of each of the B photos; one whose caption has ended is given any choice."""
        used = [_used(choice) for choice in choices]
        weights = torch.stack([one for one in used if one is not None]).unsqueeze(1) if used[0] is not None else None
        seen = self._net(self._photo, self._states[0], self._last, weights=weights)
        guessed = self._step_mean(self._states[1], self._last, self._words)
        logits, other = (self._net.logits(glance.output)[:, 0] for glance in (seen, guessed))
        self._states = [seen.state, guessed.state]
        self._last = torch.tensor([[choice.word] for choice in choices], device=self._last.device)
        self._words += 1
        return [divergence(*pair) for pair in zip(logits, other, strict=True)]


def _used(choice: Choice) -> Tensor | None:
    """The attention [H, L] that the word was chosen with: the map, or the place that was taken from it."""
    if choice.weights is None:
        return None
    if choice.sampled is None:
        return choice.weights
    place = torch.tensor(choice.sampled, device=choice.weights.device)
    return one_hot(place, choice.weights.shape[-1]).float().expand(choice.weights.shape)
