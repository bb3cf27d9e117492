"""Photos of one data folder or several: captions as words, where each word is, and the things that have a box."""

from __future__ import annotations

import gzip
import json
import string
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor

from attnviewer.core.card import Preprocessing
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.regions import coverage
from attnviewer.runs.caption import squash

Box = tuple[float, float, float, float]
ANNOTATIONS = "annotations.jsonl.gz"


@dataclass(frozen=True)
class Phrase:
    """A run of words `start:end` of a caption and the boxes (fractions of the image) that show what it names."""

    start: int
    end: int
    boxes: tuple[Box, ...]


@dataclass(frozen=True)
class Caption:
    """One caption: lower-case words without punctuation, and its phrases that have boxes."""

    words: tuple[str, ...]
    phrases: tuple[Phrase, ...]


@dataclass(frozen=True)
class Thing:
    """One thing on a photo: the class it was labelled with, and its box (fractions of the image)."""

    label: str
    box: Box


@dataclass(frozen=True)
class Photo:
    """One photo of a data folder.

    Parameters
    ----------
    file : its name in the folder's `images`.
    split : train, dev, test or extra.
    captions : none where people wrote none.
    objects : the things that have a labelled box; unrelated to the captions' phrases.
    objects_full : whether all classes are boxed, so that a class without a box isn't on the photo.
    objects_classes : the set of classes that were looked for, such as `voc20`; empty: all of them.
    folder : the data folder it comes from.
    """

    file: str
    split: str
    captions: tuple[Caption, ...]
    objects: tuple[Thing, ...] = ()
    objects_full: bool = False
    objects_classes: str = ""
    folder: Path = Path()

    @property
    def path(self) -> str:
        """Where the photo lies, by which caches and batches know it: a name alone may occur in two folders."""
        return str(self.folder / "images" / self.file)


def load_photos(folders: Sequence[Path], *splits: str) -> list[Photo]:
    """Read the photos of `splits` (all when none is named), folder by folder.

    Raises `UserError` where a folder holds no such data.
    """
    return [photo for folder in dict.fromkeys(folders) for photo in _read(folder, splits)]


def _read(folder: Path, splits: Sequence[str]) -> list[Photo]:
    path = folder / ANNOTATIONS
    if not path.is_file():
        raise UserError(
            tr("{folder} holds no {file}; give a folder of photos with --data.", folder=folder, file=ANNOTATIONS)
        )
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            records = [json.loads(line) for line in lines]
        return [_photo(record, folder) for record in records if not splits or record["split"] in splits]
    except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(
            tr("{path} can't be read ({error}); copy it again.", path=path, error=f"{type(error).__name__}: {error}")
        ) from None


def _photo(record: dict[str, Any], folder: Path) -> Photo:
    return Photo(
        file=record["file"],
        split=record["split"],
        captions=tuple(_caption(caption) for caption in record["captions"]),
        objects=tuple(Thing(thing["label"], _box(thing["box"])) for thing in record.get("objects") or ()),
        objects_full=bool(record.get("objects_full", False)),
        objects_classes=record.get("objects_classes") or "",
        folder=folder,
    )


def _box(edges: Sequence[float]) -> Box:
    left, top, right, bottom = map(float, edges)
    return left, top, right, bottom


def _caption(record: dict[str, Any]) -> Caption:
    raw = record["words"] or record["text"].split()
    words = [word.lower().strip(string.punctuation) for word in raw]
    place = np.cumsum([0, *(bool(word) for word in words)])  # where a raw index lands once empty words are gone
    phrases = tuple(
        Phrase(int(place[p["start"]]), int(place[p["end"]]), tuple(map(_box, p["boxes"])))
        for p in record["phrases"] or ()
        if p["boxes"] and place[p["end"]] > place[p["start"]]
    )
    return Caption(tuple(filter(None, words)), phrases)


def captioned(photos: Sequence[Photo]) -> list[Photo]:
    """The photos that have captions."""
    return [photo for photo in photos if photo.captions]


def count_words(photos: Sequence[Photo], at_least: int) -> list[str]:
    """Words that occur at least so often in the captions, the most frequent first."""
    counts = Counter(word for photo in photos for caption in photo.captions for word in caption.words)
    return [word for word, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])) if count >= at_least]


def word_regions(caption: Caption, rows: int, columns: int) -> NDArray[np.float32]:
    """[T, L]: for each word the share of each cell covered by its phrase's boxes; zero rows for words without boxes."""
    regions = np.zeros((len(caption.words), rows * columns), np.float32)
    for phrase in caption.phrases:
        cells = coverage(phrase.boxes, rows, columns)
        regions[phrase.start : phrase.end] = np.maximum(regions[phrase.start : phrase.end], cells)
    return regions


def load_pixels(path: str | Path, recipe: Preprocessing) -> Tensor:
    """One photo as the encoder wants it [3, S, S]; raises `UserError` where it can't be read."""
    try:
        with Image.open(path) as image:
            return squash(image.convert("RGB"), recipe)
    except OSError as error:
        text = "the photo {path} can't be read ({error}); copy it again."
        raise UserError(tr(text, path=path, error=error)) from None
