"""Phrases with boxes as arrays: what is said, on which photo, and where it is; and their embeddings, cached.

Letters: P phrases, N photos, L locations, E size of a phrase embedding.
"""

from __future__ import annotations

import hashlib
import itertools
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.regions import as_boxes, coverage, holds
from attnviewer.core.writing import replacing
from attnviewer.data.photos import Box, Caption, Photo
from attnviewer.runs.sentences import SIZE, SentenceEncoder

ARTICLES = frozenset(("a", "an", "the", "his", "her", "its", "their", "some", "this", "that"))


@dataclass(frozen=True)
class Phrases:
    """All phrases with boxes of some photos.

    Parameters
    ----------
    paths : the photos [N].
    texts : distinct wordings; `said` [P] points into them, `bare` [P] at the wording without a leading article.
    owner : [P], the photo of each phrase.
    inside : [P, L] in 0..255, the share of each cell that the boxes cover.
    hits : [P, L], whether a cell's centre lies in a box.
    centre : [P], whether the photo's centre does.
    """

    paths: tuple[str, ...]
    texts: tuple[str, ...]
    said: NDArray[np.int64]
    bare: NDArray[np.int64]
    owner: NDArray[np.int64]
    inside: NDArray[np.uint8]
    hits: NDArray[np.bool_]
    centre: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.said)


def collect(photos: Sequence[Photo], side: int) -> Phrases:
    """The phrases of `photos` on a grid of `side` x `side` cells; raises `UserError` where there are none."""
    found = [
        (number, text, phrase.boxes)
        for number, photo in enumerate(photos)
        for caption in photo.captions
        for text, phrase in zip(_texts(caption), caption.phrases, strict=True)
    ]
    if not found:
        raise UserError(tr("none of these photos has a phrase with boxes; choose another --data or --split."))
    owner, said, boxes = zip(*found, strict=True)
    bare = [_bare(text) for text in said]
    row = {text: index for index, text in enumerate(sorted({*said, *bare}))}
    places = {shown: _place(shown, side) for shown in set(boxes)}
    return Phrases(
        paths=tuple(photo.path for photo in photos),
        texts=tuple(row),
        said=np.array([row[text] for text in said]),
        bare=np.array([row[text] for text in bare]),
        owner=np.array(owner),
        inside=np.stack([places[shown][0] for shown in boxes]),
        hits=np.stack([places[shown][1] for shown in boxes]),
        centre=np.array([places[shown][2] for shown in boxes]),
    )


def _texts(caption: Caption) -> list[str]:
    return [" ".join(caption.words[phrase.start : phrase.end]) for phrase in caption.phrases]


def _bare(text: str) -> str:
    first, _, rest = text.partition(" ")
    return rest if first in ARTICLES and rest else text


def _place(boxes: tuple[Box, ...], side: int) -> tuple[NDArray[np.uint8], NDArray[np.bool_], bool]:
    inside = np.round(coverage(boxes, side, side) * 255).astype(np.uint8)
    return inside, _hits(boxes, side), holds(boxes, 0.5, 0.5)


def _hits(boxes: Sequence[Box], side: int) -> NDArray[np.bool_]:
    left, top, right, bottom = (edge[:, None] for edge in as_boxes(boxes).T)
    middle = (np.arange(side) + 0.5) / side
    across, down = (left <= middle) & (middle <= right), (top <= middle) & (middle <= bottom)  # [boxes, side]
    return (down[:, :, None] & across[:, None, :]).any(axis=0).ravel()


def embed(texts: Sequence[str], cache: Path) -> Tensor:
    """Embeddings [len(texts), E] of distinct wordings, read from `cache` where they were made before."""
    digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:12]
    path = cache / f"phrases-{digest}.npy"
    if not path.is_file():
        cache.mkdir(parents=True, exist_ok=True)
        with replacing(path) as draft:
            np.save(draft, encode(SentenceEncoder(), texts).astype(np.float16))
    return torch.from_numpy(np.load(path)).float().view(-1, SIZE)


def encode(encoder: SentenceEncoder, texts: Sequence[str]) -> NDArray[np.float32]:
    """Run the encoder to its end, telling on stderr how far it is every tenth chunk."""
    work = encoder.many(texts)
    for number in itertools.count(1):
        try:
            progress = next(work)
        except StopIteration as end:
            return np.asarray(end.value)
        if number % 10 == 0:
            print(progress.text, file=sys.stderr, flush=True)
    raise AssertionError("the encoder always ends")
