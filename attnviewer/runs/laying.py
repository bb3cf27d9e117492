"""The steps of a sentence: maps over the words that a net read are laid over all pieces of the text.

Letters: S words that are read, L locations: the pieces of the text.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviewer.core.text import START, UNKNOWN, UNKNOWN_SHOWN, Vocabulary
from attnviewer.core.trace import Floats, Step
from attnviewer.nets.translates import Translates
from attnviewer.nets.translator import Memory
from attnviewer.runs.asked import Asked
from attnviewer.runs.decode import Choice
from attnviewer.runs.steps import as_array, step_of
from attnviewer.runs.written import Written


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


class Layer:
    """Makes the steps of one sentence.

    Parameters
    ----------
    location : the location of each piece of the text [L]; a shuffled text has its pieces elsewhere.
    order : which word stands at each place of the memory; None: as they were read.
    """

    def __init__(
        self, net: Translates, target: Vocabulary, asked: Asked, location: NDArray[np.int64],
        order: list[int] | None = None,
    ) -> None:  # fmt: skip
        self._net, self._target, self._location = net, target, location
        self._origins: Origins | None = None
        self.asked, self.written = asked, list[Written]()
        rows = range(len(asked.words)) if order is None else order
        self.shares = np.zeros((len(asked.words), len(location)), np.float32)  # [S, L]
        for row, word in enumerate(rows):
            places = asked.places[word]
            self.shares[row, location[list(places)]] = 1 / len(places)

    def remember(self, memory: Memory) -> None:
        """Ask where words came from in what was read."""
        self._origins = Origins(self._net, memory)

    def imposed(self, weights: Tensor) -> Tensor | None:
        """Weights over all locations [H, L] as weights over the words that are read [H, S]; None where these get none.

        Rows of NaN, heads that are left alone, stay so.
        """
        crowd = (self.shares > 0) / np.maximum((self.shares > 0).sum(axis=0), 1)  # [S, L]
        inside = weights.double() @ torch.from_numpy(crowd).double().T
        total = inside.sum(dim=-1, keepdim=True)
        return None if (total == 0).any() else (inside / total).float()

    def step(self, one: Written, forced: bool = False) -> Step:
        """The step of a word, which is remembered; only one that a net chose may be forced."""
        self.written.append(one)
        if one.look is None:
            return self._bare(one)
        look, heads = one.look, len(self._net.heads)
        made = step_of(look, self._target, one.word, forced, (heads, len(self.shares)))
        origin = None if self._origins is None else self._origins(look)
        return replace(
            made,
            alternatives=tuple(self._named(text, chance, one) for text, chance in made.alternatives),
            weights=made.weights @ self.shares,
            scores=None if made.scores is None else self._scores(made.scores),
            origin=None if origin is None else origin @ self.shares,
            unknown=look.word == UNKNOWN or bool(one.found),
            found="" if forced else one.found,
        )

    def _named(self, text: str, chance: float, one: Written) -> tuple[str, float]:
        """An alternative; the word that something stands in for has its name."""
        stood = one.look is not None and one.found and text == self._target.word(one.look.word)
        return (one.word, chance) if stood and text != UNKNOWN_SHOWN else (text, chance)

    def _scores(self, scores: Floats) -> Floats:
        """Scores [H, L] whose softmax is what the weights are: no location that wasn't read has any chance."""
        with np.errstate(divide="ignore"):
            spread = np.log(self.shares)[None] + scores[..., None]  # [H, S, L]
        return np.asarray(np.logaddexp.reduce(spread, axis=1), np.float32)

    def _bare(self, one: Written) -> Step:
        """A step that no net took: all its weight is on the pieces that it stands for."""
        heads, weights = len(self._net.heads), np.zeros(len(self._location), np.float32)
        weights[self._location[list(one.places)]] = 1 / len(one.places)
        with np.errstate(divide="ignore"):
            scores = np.log(weights)
        rows = np.repeat(weights[None], heads, axis=0)
        return Step(
            word=one.word,
            logprob=0.0,
            weights=rows,
            alternatives=((one.word, 1.0),),
            scores=np.repeat(scores[None], heads, axis=0) if heads else None,
            origin=weights if self._net.tells else None,
            unknown=True,
            found=one.found,
        )
