"""Where the words of a translation came from: the net reads them again, and is asked behind each.

Letters: B sentences, S words that are read, T words that are said, H heads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from attnviewer.core.text import START
from attnviewer.core.trace import Floats
from attnviewer.nets.translates import Translates
from attnviewer.nets.translator import Memory
from attnviewer.runs.decode import Choice, Hypothesis
from attnviewer.runs.steps import as_array


class Origins:
    """Where the words of one sentence came from: the net reads them again, and is asked behind each."""

    def __init__(self, net: Translates, memory: Memory) -> None:
        self._net, self._memory = net, memory
        with torch.inference_mode():
            self._state = net.start(memory, 1)
        self._last = torch.full((1, 1), START, device=memory.mean.device)

    def __call__(self, look: Choice) -> Floats | None:
        """The origin [S] of the next word, in the order of the words; None where the net has no such map."""
        if not self._net.tells or look.weights is None:
            return None
        with torch.inference_mode():
            looked = look.weights[None, None]
            self._state = self._net(self._memory, self._state, self._last, weights=looked).state
            self._last = torch.full_like(self._last, look.word)
            found = self._net.origin(self._memory, self._state, self._last)
        return None if found is None else as_array(found, (found.shape[-1],))


def with_origins(net: Translates, memory: Memory, texts: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Texts of B sentences, each word with its origin [S], asked for side by side; as they are without such maps."""
    looks = [text.choices for text in texts]
    shape = next((look.weights.shape for row in looks for look in row if look.weights is not None), None)
    if not net.tells or shape is None:
        return list(texts)
    words, weights = _padded(looks, shape, memory.mean.device)
    found, last = [], torch.full((len(texts), 1), START, device=memory.mean.device)
    with torch.inference_mode():
        state = net.start(memory, 1)
        for t in range(words.shape[1]):
            state = net(memory, state, last, weights=weights[:, None, t]).state
            last = words[:, t : t + 1]
            found.append(net.origin(memory, state, last))
    if any(one is None for one in found):
        return list(texts)
    origins = [one for one in found if one is not None]
    return [
        replace(text, choices=tuple(replace(look, origin=origins[t][row, 0]) for t, look in enumerate(text.choices)))
        for row, text in enumerate(texts)
    ]


def _padded(looks: Sequence[Sequence[Choice]], shape: torch.Size, device: torch.device) -> tuple[Tensor, Tensor]:
    """The words [B, T] and their weights [B, T, H, S] of texts of different lengths; NaN leaves a net its own."""
    longest = max(map(len, looks))
    words = torch.full((len(looks), longest), START, device=device)
    weights = torch.full((len(looks), longest, *shape), torch.nan, device=device)
    for row, choices in enumerate(looks):
        for t, look in enumerate(choices):
            words[row, t] = look.word
            if look.weights is not None:
                weights[row, t] = look.weights
    return words, weights
