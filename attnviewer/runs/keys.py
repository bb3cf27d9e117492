"""Items become vectors: bag of words, TF-IDF, mean word vector, sentence embedding; built once, asked often.

Letters: N items, V words of the vocabulary, D size of a key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from attnviewer.core.content import Items
from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.i18n import tr
from attnviewer.core.paths import Shelf, shelf
from attnviewer.runs.counts import Counts, count, words_of
from attnviewer.runs.sentences import NAME, SHORT, SentenceEncoder
from attnviewer.zoo.store import Zoo
from attnviewer.zoo.words import WordVectors, load_words

Texts = tuple[str, ...]
Floats = NDArray[np.float32]
Building = Generator[Progress, None, "Index"]
INDEXES_KEPT = 12
MANY = 2_000
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, eq=False)
class Index:
    """Items ready to be asked.

    Parameters
    ----------
    model : what made the vectors.
    items : keys [N, D] and their norms.
    encode : a query's vector [D] in the space of the keys.
    missing : the query's words that no key can match.
    unknown : items that have no vector.
    values : vectors that are summed, where they aren't the keys.
    presence : probability that what the query names is in the source at all; or None where that can't be told.
    spans : of each item the pieces of its text (start, end) that have vectors of their own; empty: all are whole.
    notes : what was done to the items that their reader should know.
    too_long : whether a query is longer than what is read of it.
    """

    model: str
    items: Items
    encode: Callable[[str], Floats]
    missing: Callable[[str], Texts] = lambda text: ()
    unknown: tuple[int, ...] = ()
    values: Items | None = None
    presence: Callable[[str], float] | None = None
    spans: tuple[tuple[tuple[int, int], ...], ...] = ()
    notes: Texts = ()
    too_long: Callable[[str], bool] = lambda text: False


class Library:
    """Word vectors, the sentence encoder, and the newest indexes over texts, each made when first asked for."""

    def __init__(self, models: Path | Shelf | None = None) -> None:
        self._models = models or shelf()
        self.sentences = SentenceEncoder()
        self._indexes: dict[tuple[str, Texts], Index] = {}

    @cached_property
    def words(self) -> WordVectors:
        """The word vectors."""
        return load_words(self._models / "words")

    def index(self, name: str, texts: Texts) -> Building:
        """The index `name` over `texts`; raises `UserError` for a name that isn't known."""
        if name not in KEYS:
            raise UserError(tr("there are no keys {name!r}; choose from {keys}.", name=name, keys=", ".join(KEYS)))
        found = self._indexes.pop((name, texts), None)
        if found is None:
            found = yield from KEYS[name](self, texts)
        self._indexes[name, texts] = found
        while len(self._indexes) > INDEXES_KEPT:
            self._indexes.pop(next(iter(self._indexes)))
        return found


def library_of(zoo: Zoo) -> Library:
    """The library beside the models of a zoo; it is kept in the zoo's cache."""
    return zoo.cache.get("library", lambda: Library(zoo.folder))


def bag(library: Library, texts: Texts) -> Building:
    """Keys count each word of the list: [N, V], sparse."""
    counts = yield from _counted(texts)
    return Index("bow", Items.of(counts.matrix), counts.row, lambda text: _not_in(counts.column, text))


def tfidf(library: Library, texts: Texts) -> Building:
    """Counts times ln(N / lines that hold the word): a word of every line weighs nothing. Not normalised, sparse."""
    counts = yield from _counted(texts)
    rarity = counts.idf()
    keys = Items.of(counts.weighted(rarity))
    return Index("tfidf", keys, lambda text: counts.row(text) * rarity, lambda text: _not_in(counts.column, text))


def _counted(texts: Texts) -> Generator[Progress, None, Counts]:
    yield Progress(tr("Counting the words of {count} items", count=f"{len(texts):,}"))
    return count(texts)


def _not_in(known: Mapping[str, int], text: str) -> Texts:
    return tuple(word for word in words_of(text) if word not in known)


def mean_words(library: Library, texts: Texts) -> Building:
    """Keys are the means of the centred vectors of the words that are known: [N, D]."""
    return (yield from _averaged("words", library.words.centred, texts))


def mean_raw_words(library: Library, texts: Texts) -> Building:
    """The same with the vectors as they were published: words that stand everywhere are near to everything."""
    return (yield from _averaged("words-raw", library.words, texts))


def _averaged(name: str, words: WordVectors, texts: Texts) -> Building:
    yield Progress(tr("Averaging the word vectors of {count} items", count=f"{len(texts):,}"))
    counted = count(texts, words.row)
    counts = counted.matrix if words.shares is None else counted.weighted(words.shares)  # [N, V]
    totals = np.asarray(counts.sum(axis=1)).ravel()
    means = np.asarray(counts @ words.vectors) / np.where(totals > 0, totals, 1)[:, None]
    return Index(
        name,
        Items.of(means.astype(np.float32)),
        lambda text: words.mean(words_of(text)),
        lambda text: tuple(word for word in words_of(text) if words.find(word) is None),
        tuple(int(i) for i in np.flatnonzero(totals == 0)),
    )


def sentences(library: Library, texts: Texts) -> Building:
    """Keys are sentence embeddings, of length 1: [N, 384]; a text that is too long has a row for each piece."""
    if any(len(text) > SHORT for text in texts):
        yield from library.sentences.load()
    spans = tuple(tuple(library.sentences.windows(text)) for text in texts)
    pieces = [text[start:end] for text, own in zip(texts, spans, strict=True) for start, end in own]
    stand_in = _stand_ins(pieces)
    vectors = yield from library.sentences.many([stand_in.get(piece, piece) for piece in pieces])
    starts = tuple(accumulate((len(own) for own in spans[:-1]), initial=0))
    notes = (tr("There are many lines: those that differ in numbers alone share a vector."),) if stand_in else ()

    def too_long(text: str) -> bool:
        return len(library.sentences.windows(text)) > 1

    return Index(NAME, Items.of(vectors, starts), library.sentences.one, spans=spans, notes=notes, too_long=too_long)


def _stand_ins(texts: Sequence[str]) -> dict[str, str]:
    """For each of very many texts one that differs in numbers alone, where that saves half the work, else {}."""
    if len(distinct := dict.fromkeys(texts)) <= MANY:
        return {}
    first: dict[str, str] = {}
    found = {text: first.setdefault(_DIGITS.sub("0", text), text) for text in distinct}
    return found if 2 * len(first) <= len(distinct) else {}


KEYS: dict[str, Callable[[Library, Texts], Building]] = {
    "bow": bag,
    "tfidf": tfidf,
    "words": mean_words,
    "sentence": sentences,
    "words-raw": mean_raw_words,
}
