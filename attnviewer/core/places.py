"""Location or content? The order of a shuffled source, and whether weights went with the words or stayed in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnviewer.core.i18n import later, tr
from attnviewer.core.lens import maps
from attnviewer.core.trace import Trace

CLEAR = 0.15  # by so much one of the two agreements has to be larger
SENTENCES = {
    "followed": later("The weights followed the words to their new places"),
    "stayed": later("The weights stayed at the places, whatever words were put there"),
    "neither": later("The weights did neither clearly"),
}


def order_of(words: int, seed: int) -> NDArray[np.int64]:
    """The word that stands at each place [L] of a source shuffled with this seed."""
    return np.random.default_rng(seed).permutation(words)


@dataclass(frozen=True)
class Agreement:
    """How well the maps of two runs agree, 0..1: word by word of the source, and place by place."""

    words: float
    places: float

    @property
    def verdict(self) -> str:
        """What is seen: followed, stayed, or neither."""
        if abs(self.words - self.places) < CLEAR:
            return "neither"
        return "followed" if self.words > self.places else "stayed"


def agreement(plain: Trace, shuffled: Trace, order: Sequence[int] | NDArray[np.int64]) -> Agreement | None:
    """Compare the maps of a run with those of the same source shuffled; None where there is nothing to compare.

    Parameters
    ----------
    order : the word that stands at each place of the shuffled source.

    Two maps agree as far as their mass overlaps; the mean is over the words that both runs produced.
    """
    before, after = maps(plain), maps(shuffled)  # [T, L]
    count = min(len(before), len(after))
    if not count or before.shape[1] < 2 or before.shape[1] != after.shape[1]:
        return None
    moved = before[:count][:, np.asarray(order)]
    return Agreement(_overlap(moved, after[:count]), _overlap(before[:count], after[:count]))


def told(found: Agreement | None) -> str:
    """One sentence that says what is seen, with the numbers; "" where nothing was compared."""
    if found is None:
        return ""
    return tr("{verdict}: the maps agree to {words:.0%} word by word and to {places:.0%} place by place.",
              verdict=tr(SENTENCES[found.verdict]), words=found.words, places=found.places)  # fmt: skip


def _overlap(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    return float(np.minimum(one, other).sum(axis=1, dtype=np.float64).mean())
