"""Documents as vectors: bags of words, TF-IDF, and how alike they make two texts.

Letters: N documents, V words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnviewer.core.errors import UserError
from attnviewer.core.explore.finding import Finding
from attnviewer.core.i18n import tr

Doubles = NDArray[np.float64]
KEYS = ("bow", "tfidf")
MOST = 1000
_WORDS = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_OWNED = re.compile(r"'s\b")


def words_of(text: str) -> list[str]:
    """The words of a text: lower-case, straight apostrophes, without the possessive 's."""
    return _WORDS.findall(_OWNED.sub("", text.lower().replace("’", "'")))


@dataclass(frozen=True)
class Cell:
    """All that makes one number of the matrix: how often, of how many, and in how many documents the word occurs."""

    document: int
    word: str
    count: int
    holding: int
    documents: int
    idf: float
    weight: float


@dataclass(frozen=True, eq=False)
class Documents(Finding):
    """Texts as vectors.

    Parameters
    ----------
    names, texts : [N].
    words : [V], in alphabetical order.
    counts : [N, V], how often each word stands in each document.
    """

    task: ClassVar[str] = "documents"
    names: tuple[str, ...]
    texts: tuple[str, ...]
    words: tuple[str, ...]
    counts: NDArray[np.int64]

    @cached_property
    def place(self) -> dict[str, int]:
        """The column of each word."""
        return {word: column for column, word in enumerate(self.words)}

    @cached_property
    def holding(self) -> NDArray[np.int64]:
        """In how many documents each word occurs [V]."""
        return np.asarray((self.counts > 0).sum(axis=0))

    @cached_property
    def idf(self) -> Doubles:
        """ln(N / documents that hold the word) [V]: a word of every document weighs nothing."""
        return np.log(len(self.names) / self.holding)

    def matrix(self, keys: str = "tfidf") -> Doubles:
        """The vectors [N, V]: counts (bow), or counts times idf (tfidf)."""
        if keys not in KEYS:
            raise UserError(tr("there are no keys {keys!r}; choose {choices}.", keys=keys, choices=" or ".join(KEYS)))
        counts = self.counts.astype(np.float64)
        return counts if keys == "bow" else counts * self.idf

    def leading(self, keys: str, most: int, document: int | None = None) -> list[int]:
        """Columns of the words that weigh most, in one document or in the heaviest one for each; best first."""
        matrix = self.matrix(keys)
        weights = matrix.max(axis=0) if document is None else matrix[document]
        return [int(i) for i in np.argsort(-weights, kind="stable")[:most]]

    def cell(self, document: int, column: int, keys: str) -> Cell:
        """What one number of the matrix is made of."""
        count, idf = int(self.counts[document, column]), float(self.idf[column])
        weight = count * idf if keys == "tfidf" else float(count)
        return Cell(document, self.words[column], count, int(self.holding[column]), len(self.names), idf, weight)

    def shared(self, first: int, second: int, keys: str, most: int = 5) -> list[tuple[str, float]]:
        """The words that make two documents alike, each with its share of their inner product; best first."""
        matrix = self.matrix(keys)
        products = matrix[first] * matrix[second]
        total = products.sum()
        if total <= 0:
            return []
        best = [int(i) for i in np.argsort(-products, kind="stable")[:most] if products[i] > 0]
        return [(self.words[i], float(products[i] / total)) for i in best]


def read(texts: Sequence[str], names: Sequence[str] | None = None) -> Documents:
    """Count the words of some texts; raises `UserError` where there is no text or no word."""
    if not texts:
        raise UserError(tr("there are no documents; give at least one text."))
    if len(texts) > MOST:
        many = {"count": len(texts), "most": MOST}
        raise UserError(tr("there are {count:,} documents, more than the {most:,} allowed; leave some out.", **many))
    bags = [Counter(words_of(text)) for text in texts]
    words = tuple(sorted(set().union(*bags)))
    if not words:
        raise UserError(tr("the documents hold no words; give a text with at least one."))
    place = {word: column for column, word in enumerate(words)}
    counts = np.zeros((len(bags), len(words)), dtype=np.int64)
    for row, bag in enumerate(bags):
        counts[row, [place[word] for word in bag]] = list(bag.values())
    counts.flags.writeable = False
    given = tuple(names) if names is not None else tuple(tr("text {number}", number=n) for n in range(len(texts)))
    return Documents(given, tuple(texts), words, counts)


def cosines(vectors: ArrayLike) -> Doubles:
    """Cosine of each vector [N, D] with each other [N, N]; one of length 0 is like nothing, not even itself."""
    matrix = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    unit = np.divide(matrix, lengths, out=np.zeros_like(matrix), where=lengths > 0)
    found: Doubles = np.clip(unit @ unit.T, -1, 1)
    return found


def shuffled(text: str, seed: int = 0) -> str:
    """The words of a text in another order."""
    words = text.split()
    return " ".join(words[i] for i in np.random.default_rng(seed).permutation(len(words)))
