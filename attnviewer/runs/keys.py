"""Items become vectors: bag of words, TF-IDF, mean word vector, sentence embedding; built once, asked often.

Letters: N items, V words of the vocabulary, D size of a key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviewer.core.content import Items
from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.paths import models_dir
from attnviewer.runs.sentences import NAME, SentenceEncoder
from attnviewer.zoo.words import WordVectors, load_words

Texts = tuple[str, ...]
Floats = NDArray[np.float32]
Building = Generator[Progress, None, "Index"]
TOKEN = r"[^\W_]+(?:['-][^\W_]+)*"
_WORDS = re.compile(TOKEN)
_OWNED = re.compile(r"'s\b")
INDEXES_KEPT = 12


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
    """

    model: str
    items: Items
    encode: Callable[[str], Floats]
    missing: Callable[[str], Texts] = lambda text: ()
    unknown: tuple[int, ...] = ()
    values: Items | None = None
    presence: Callable[[str], float] | None = None


def clean(text: str) -> str:
    """Lower-case, straight apostrophes, no possessive 's."""
    return _OWNED.sub("", text.lower().replace("’", "'"))


def words_of(text: str) -> Texts:
    """The words that bags, TF-IDF and word vectors see."""
    return tuple(_WORDS.findall(clean(text)))


class Library:
    """Word vectors, the sentence encoder, and the newest indexes over texts, each made when first asked for."""

    def __init__(self, models: Path | None = None) -> None:
        self._models = models or models_dir()
        self.sentences = SentenceEncoder()
        self._indexes: dict[tuple[str, Texts], Index] = {}

    @cached_property
    def words(self) -> WordVectors:
        return load_words(self._models / "words")

    def index(self, name: str, texts: Texts) -> Building:
        """The index `name` over `texts`; raises `UserError` for a name that isn't known."""
        if name not in KEYS:
            raise UserError(f"there are no keys {name!r}; choose from {', '.join(KEYS)}.")
        found = self._indexes.pop((name, texts), None)
        if found is None:
            found = yield from KEYS[name](self, texts)
        self._indexes[name, texts] = found
        while len(self._indexes) > INDEXES_KEPT:
            self._indexes.pop(next(iter(self._indexes)))
        return found


def bag(library: Library, texts: Texts) -> Building:
    """Keys count each word of the list: [N, V], sparse."""
    from sklearn.feature_extraction.text import CountVectorizer

    return (yield from _counted("bow", CountVectorizer, texts))


def tfidf(library: Library, texts: Texts) -> Building:
    """Counts times ln(N / lines that hold the word): a word of every line weighs nothing. Not normalised, sparse."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    return (yield from _counted("tfidf", TfidfVectorizer, texts, norm=None, smooth_idf=False))


def _counted(name: str, kind: Any, texts: Texts, **options: Any) -> Building:
    yield Progress(f"Counting the words of {len(texts):,} items")
    counter = kind(preprocessor=clean, token_pattern=TOKEN, dtype=np.float32, **options)
    try:
        counter.fit(texts)
    except ValueError:  # no item holds a word
        nothing = Items.of(np.zeros((len(texts), 1), np.float32))
        return Index(name, nothing, lambda text: np.zeros(1, np.float32), words_of)
    if name == "tfidf":
        counter.idf_ = (counter.idf_ - 1).astype(np.float32)  # scikit-learn adds 1 so that no word weighs nothing
    known = counter.vocabulary_
    return Index(
        name,
        Items.of(counter.transform(texts)),
        lambda text: counter.transform([text]).toarray()[0],
        lambda text: tuple(word for word in words_of(text) if word not in known),
    )


def mean_words(library: Library, texts: Texts) -> Building:
    """Keys are the means of the vectors of the words that are known: [N, D]."""
    from sklearn.feature_extraction.text import CountVectorizer

    yield Progress(f"Averaging the word vectors of {len(texts):,} items")
    words = library.words
    counter = CountVectorizer(preprocessor=clean, token_pattern=TOKEN, vocabulary=words.row, dtype=np.float32)
    counts = counter.transform(texts)  # [N, V]
    totals = np.asarray(counts.sum(axis=1)).ravel()
    means = np.asarray(counts @ words.vectors) / np.maximum(totals, 1)[:, None]
    return Index(
        "words",
        Items.of(means.astype(np.float32)),
        lambda text: words.mean(words_of(text)),
        lambda text: tuple(word for word in words_of(text) if words.find(word) is None),
        tuple(int(i) for i in np.flatnonzero(totals == 0)),
    )


def sentences(library: Library, texts: Texts) -> Building:
    """Keys are sentence embeddings: [N, 384], of length 1."""
    vectors = yield from library.sentences.many(texts)
    return Index(NAME, Items.of(vectors), library.sentences.one)


KEYS: dict[str, Callable[[Library, Texts], Building]] = {
    "bow": bag,
    "tfidf": tfidf,
    "words": mean_words,
    "sentence": sentences,
}
