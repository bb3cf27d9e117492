"""How much of the image is left in the choice of a word: the information bottleneck, measured word by word.

A caption is read a second time from the mean photo, and at each word the two distributions over the next word are
compared. What a net has forgotten of its photo can't set them apart.
"""

from __future__ import annotations

import math
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
    """Reads a caption from a photo and from the mean photo at once.

    The photo is looked at as the run looked: at the same places. The mean photo is looked at by the net's own maps of
    it; hard attention takes their most probable place, so that no random number is used.
    """

    def __init__(self, net: Decoder, photo: Memory, mean: Memory, plan: DecodingPlan) -> None:
        self._net, self._photo = net, photo
        still = replace(plan, decoding=replace(plan.decoding, pick="argmax"))
        self._step_mean = still.drive(net, mean, torch.Generator(mean.mean.device))
        self._states = [net.start(memory, 1) for memory in (photo, mean)]
        self._last = torch.full((1, 1), START, device=photo.mean.device)
        self._words = 0

    def read(self, choice: Choice) -> float:
        """Bits that the photo adds to the choice of the word of `choice`; then the word is read."""
        seen = self._net(self._photo, self._states[0], self._last, weights=_used(choice))
        guessed = self._step_mean(self._states[1], self._last, self._words)
        logits, other = (self._net.logits(glance.output)[0, 0] for glance in (seen, guessed))
        self._states = [seen.state, guessed.state]
        self._last = torch.full_like(self._last, choice.word)
        self._words += 1
        return divergence(logits, other)


def _used(choice: Choice) -> Tensor | None:
    """The attention [1, 1, H, L] that the word was chosen with: the map, or the place that was taken from it."""
    if choice.weights is None:
        return None
    if choice.sampled is None:
        return choice.weights[None, None]
    place = torch.tensor(choice.sampled, device=choice.weights.device)
    return one_hot(place, choice.weights.shape[-1]).float().expand(1, 1, *choice.weights.shape)
