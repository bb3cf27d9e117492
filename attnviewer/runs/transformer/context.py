"""One word in two sentences, layer by layer, among words that are read alone.

Letters: N layers, V words, D size of a vector.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from attnviewer.core.events import Loading, Progress
from attnviewer.core.i18n import later, tr
from attnviewer.core.jobs import Study
from attnviewer.core.trace import Floats, frozen
from attnviewer.core.transformer.context import Plane, cosines, nearest, place_of, plane_of
from attnviewer.core.transformer.findings import Context, Path, Said
from attnviewer.core.transformer.requests import ContextRequest

WORDS = 3000  # the most frequent words of the encoder's vocabulary
BATCH = 250
SHORTEST = 3  # letters of a word that counts
LANDMARKS = 5  # of each sentence
AROUND = 60  # words near to where each path ends span the plane
KEY = later("vocabulary read alone")


@dataclass(frozen=True, eq=False)
class Common:
    """Frequent words, and their vectors [N + 1, V, D] before and behind each layer when read alone."""

    words: tuple[str, ...]
    vectors: Floats
    means: Floats

    @property
    def last(self) -> Floats:
        """The vectors [V, D] behind the last layer, around their mean."""
        return np.asarray(self.vectors[-1] - self.means[-1])


def context(engine: Any, request: ContextRequest) -> Study:
    """Follow a word through two sentences."""
    from attnviewer.zoo.bert import NAME

    yield Loading()
    encoder = engine.encoder
    found = [encoder.tokens(text) for text in request.sentences]
    at = [
        place_of(request.word, one.tokens, one.word_ids, text)
        for one, text in zip(found, request.sentences, strict=True)
    ]
    common = yield from _common(engine)
    followed = [_vectors(encoder.net, one.ids, where) for one, where in zip(found, at, strict=True)]
    plane = plane_around([rows[-1] - common.means[-1] for rows in followed], common.last)
    paths = [
        _path(one.tokens, where, rows, common, plane, request.word)
        for one, where, rows in zip(found, at, followed, strict=True)
    ]
    marks = landmarks(paths)
    made = Context(
        NAME, request.word.strip(), (paths[0], paths[1]), frozen(cosines(*followed)), tuple(marks),
        frozen([plane(common.last[common.words.index(mark)]) for mark in marks]), plane.share, plane.count,
    )  # fmt: skip
    yield made
    return made


def _vectors(net: Any, ids: list[int], where: tuple[int, ...]) -> Floats:
    """The word's vectors [N + 1, D]; one of several pieces is their mean."""
    with torch.inference_mode():
        hidden = net.see(torch.tensor([ids])).hidden[:, 0, list(where)].mean(dim=1)
    return np.asarray(hidden.float().cpu().numpy())


def plane_around(ends: list[Floats], vectors: Floats) -> Plane:
    """The plane in which the words of a vocabulary [V, D] near to some `ends` [D] differ most."""
    lengths = np.maximum(np.linalg.norm(vectors, axis=1), 1e-9)
    near = [np.argsort(-(vectors @ end) / lengths, kind="stable")[:AROUND] for end in ends]
    return plane_of(vectors[np.unique(np.concatenate(near))])


def _path(
    tokens: list[str], where: tuple[int, ...], rows: Floats, common: Common, plane: Plane, word: str
) -> Path:  # fmt: skip
    centred = rows - common.means
    near: list[Said] = [
        nearest(row, common.words, common.vectors[layer] - common.means[layer], without=word.strip().lower())
        for layer, row in enumerate(centred)
    ]
    return Path(tuple(tokens), where, frozen(plane(centred)), tuple(near))


def landmarks(paths: list[Path]) -> list[str]:
    """Words near to where each path ends, each once."""
    return list(dict.fromkeys(word for path in paths for word, _ in path.near[-1][:LANDMARKS]))


def _common(engine: Any) -> Generator[Progress, None, Common]:
    """The vocabulary read alone, made once."""
    known: Common | None = engine.zoo.cache.known(KEY)
    made = known or (yield from _read_alone(engine.encoder))
    kept: Common = engine.zoo.cache.get(KEY, lambda: made)
    return kept


def frequent(encoder: Any, count: int = WORDS) -> tuple[tuple[str, ...], list[int]]:
    """The first whole words of the vocabulary, which stand there by how often they are written, and their ids."""
    vocabulary = sorted(encoder.tokeniser.get_vocab().items(), key=lambda pair: pair[1])
    kept = [(word, one) for word, one in vocabulary if len(word) >= SHORTEST and word.isascii() and word.isalpha()]
    return tuple(word for word, _ in kept[:count]), [one for _, one in kept[:count]]


def _read_alone(encoder: Any) -> Generator[Progress, None, Common]:
    words, ids = frequent(encoder)
    first, last = encoder.tokens("a").ids[0], encoder.tokens("a").ids[-1]
    parts = []
    for start in range(0, len(ids), BATCH):
        yield Progress(tr("reading {count} words alone", count=len(ids)), start / len(ids))
        with torch.inference_mode():
            batch = torch.tensor([[first, one, last] for one in ids[start : start + BATCH]])
            parts.append(_layers(encoder.net, batch))
    vectors = np.concatenate(parts, axis=1)  # [N + 1, V, D]
    return Common(words, vectors, vectors.mean(axis=1))


def _layers(net: Any, ids: torch.Tensor) -> Floats:
    """The vectors [N + 1, V, D] of the word in the middle, before and behind each layer."""
    x = net.embed(ids)
    found = [x[:, 1]]
    for layer in net.layers:
        x = layer(x, None)
        found.append(x[:, 1])
    return np.asarray(torch.stack(found).float().cpu().numpy())
