"""One word in two sentences: its vector's path through the layers, and the words that it is near to.

Letters: N layers, T tokens, D size of a vector, V words of a vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.trace import Floats

NEAREST = 5


@dataclass(frozen=True, eq=False)
class Plane:
    """The two directions in which vectors differ most: `mean` [D], `axes` [2, D], and the `share` of how `count`
    vectors differ.
    """

    mean: Floats
    axes: Floats
    share: float
    count: int

    def __call__(self, vectors: Floats) -> Floats:
        """Where vectors [..., D] lie in the plane: [..., 2]."""
        return np.asarray((vectors - self.mean) @ self.axes.T, dtype=np.float32)


def plane_of(vectors: Floats) -> Plane:
    """The plane of the first two principal components of vectors [V, D]; signs are chosen, so that it is always one."""
    mean = vectors.mean(axis=0)
    spread, axes = np.linalg.eigh(np.cov((vectors - mean).T))
    first = axes[:, [-1, -2]].T
    first = first * np.sign(first[np.arange(2), np.abs(first).argmax(axis=1)])[:, None]
    share = float(spread[-2:].sum() / max(spread.sum(), 1e-12))
    return Plane(mean.astype(np.float32), first.astype(np.float32), share, len(vectors))


def nearest(
    vector: Floats, words: Sequence[str], vectors: Floats, count: int = NEAREST, without: str = ""
) -> tuple[tuple[str, float], ...]:
    """The words whose `vectors` [V, D] have the largest cosine with `vector` [D], and the cosines.

    Words that begin with `without` are left out: a word's own forms tell nothing.
    """
    norms = np.maximum(np.linalg.norm(vectors, axis=1) * np.linalg.norm(vector), 1e-9)
    cosines = vectors @ vector / norms
    order = np.argsort(-cosines, kind="stable")
    kept = [at for at in order[: count + 60] if not (without and words[at].startswith(without))][:count]
    return tuple((words[at], float(cosines[at])) for at in kept)


def place_of(word: str, tokens: Sequence[str], pieces: Sequence[int | None], sentence: str) -> tuple[int, ...]:
    """The tokens of the first occurrence of a word in a sentence; raises `UserError` where it isn't there.

    `pieces` names the word that each token is part of.
    """
    wanted = word.strip().lower()
    groups: dict[int, list[int]] = {}
    for at, piece in enumerate(pieces):
        if piece is not None:
            groups.setdefault(piece, []).append(at)
    for places in groups.values():
        if "".join(tokens[at].removeprefix("##") for at in places) == wanted:
            return tuple(places)
    raise UserError(tr("“{word}” isn't in “{sentence}”; write a sentence with it.", word=word, sentence=sentence))


def cosines(one: Floats, other: Floats) -> Floats:
    """Cosine of each two vectors [N, D] with the same number: [N]."""
    norms = np.linalg.norm(one, axis=-1) * np.linalg.norm(other, axis=-1)
    return np.asarray((one * other).sum(axis=-1) / np.maximum(norms, 1e-9), dtype=np.float32)
