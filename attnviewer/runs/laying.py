"""The steps of a sentence: maps over the words that a net read are laid over all pieces of the text.

Letters: S words that are read, L locations: the pieces of the text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviewer.core.text import UNKNOWN, UNKNOWN_SHOWN, Vocabulary
from attnviewer.core.trace import Floats, Step
from attnviewer.nets.translates import Translates
from attnviewer.nets.translator import Memory
from attnviewer.runs.asked import Asked
from attnviewer.runs.decode import Choice
from attnviewer.runs.origins import Origins
from attnviewer.runs.steps import as_array, step_of
from attnviewer.runs.written import Written


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
        self._memory: Callable[[], Memory] | None = None
        self.asked, self.written = asked, list[Written]()
        rows = range(len(asked.words)) if order is None else order
        self.shares = np.zeros((len(asked.words), len(location)), np.float32)  # [S, L]
        for row, word in enumerate(rows):
            places = asked.places[word]
            self.shares[row, location[list(places)]] = 1 / len(places)

    def remember(self, memory: Callable[[], Memory]) -> None:
        """Ask where words came from in what `memory` gives, should it not be known already."""
        self._memory = memory

    @cached_property
    def _origins(self) -> Origins | None:
        return None if self._memory is None else Origins(self._net, self._memory())

    def _origin(self, look: Choice) -> Floats | None:
        """The origin [L] of a word that the net chose."""
        if look.origin is not None:
            found: Floats | None = as_array(look.origin, (len(self.shares),))
        else:
            found = None if self._origins is None else self._origins(look)
        return None if found is None else found @ self.shares

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
        return replace(
            made,
            alternatives=tuple(self._named(text, chance, one) for text, chance in made.alternatives),
            weights=made.weights @ self.shares,
            scores=None if made.scores is None else self._scores(made.scores),
            origin=self._origin(look),
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
