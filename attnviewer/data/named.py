"""Captions tied to labelled boxes: the words that name a boxed thing are a phrase, and its boxes say where it is."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from attnviewer.core.regions import union_area
from attnviewer.core.things import named
from attnviewer.data.photos import Box, Caption, Photo, Phrase

OPENERS = frozenset(
    ["a", "an", "the", "some", "two", "three", "four", "five", "several", "many", "his", "her", "their", "its"]
)
ASIDE = 300  # training photos that are set aside to choose on
REACH = 3  # words before a name among which its article is looked for


def boxes_of(photo: Photo, least: float = 0.0) -> dict[str, tuple[Box, ...]]:
    """The boxes of each labelled thing on `photo` whose largest box covers at least the share `least` of it."""
    found: dict[str, list[Box]] = defaultdict(list)
    for thing in photo.objects:
        found[thing.label].append(thing.box)
    return {label: tuple(boxes) for label, boxes in found.items() if max(map(union_area, boxes)) >= least}


def tie(photo: Photo, *, whole: bool, least: float = 0.0) -> Photo:
    """`photo` with phrases made from its labelled boxes; a caption that has phrases already keeps those.

    Parameters
    ----------
    whole : a phrase begins at the article before the name, as people marked theirs; else it is the name alone.
    least : share of the photo that a thing's largest box has to cover.
    """
    boxes = boxes_of(photo, least)
    if not boxes:
        return photo
    return replace(photo, captions=tuple(_tied(caption, boxes, whole) for caption in photo.captions))


def _tied(caption: Caption, boxes: dict[str, tuple[Box, ...]], whole: bool) -> Caption:
    if caption.phrases:
        return caption
    return replace(caption, phrases=tuple(_phrases(caption, boxes, whole)))


def _phrases(caption: Caption, boxes: dict[str, tuple[Box, ...]], whole: bool) -> Iterator[Phrase]:
    for name in named(caption.words):
        if name.thing in boxes:
            start = _opening(caption.words, name.start) if whole else name.start
            yield Phrase(start, name.end, boxes[name.thing])


def _opening(words: Sequence[str], start: int) -> int:
    """Where the article or count that opens the phrase stands, or `start` where there is none in reach."""
    reach = range(start - 1, max(-1, start - 1 - REACH), -1)
    return next((place for place in reach if words[place] in OPENERS), start)


def label(photo: Photo, least: float = 0.0, without: Collection[str] = ()) -> Photo:
    """`photo` with a caption "a LABEL" for each labelled thing, so that its boxes are phrases too.

    Left out are the labels in `without`, and things whose largest box covers less than `least` of the photo.
    """
    captions = (
        Caption(wording(name), (Phrase(0, len(wording(name)), boxes),))
        for name, boxes in boxes_of(photo, least).items()
        if name not in without
    )
    return replace(photo, captions=(*photo.captions, *captions))


def wording(name: str) -> tuple[str, ...]:
    """The words "a LABEL" by which a labelled thing is asked for."""
    return (_article(name), *name.split())


def _article(name: str) -> str:
    return "an" if name[0] in "aeiou" else "a"


def set_aside(photos: Sequence[Photo], split: str, count: int) -> list[Photo]:
    """`photos` with `count` of the training photos moved to `split`: those whose names have the smallest hashes."""
    train = sorted((photo for photo in photos if photo.split == "train"), key=_hash)
    chosen = {photo.path for photo in train[:count]}
    return [replace(photo, split=split) if photo.path in chosen else photo for photo in photos]


def choose_from(photos: Sequence[Photo], folder: Path, count: int = ASIDE) -> list[Photo]:
    """`photos` where `count` training photos of `folder` are its dev photos, and its own dev and test are left out."""
    others = [photo for photo in photos if photo.folder != folder]
    own = [photo for photo in photos if photo.folder == folder and photo.split == "train"]
    return others + set_aside(own, "dev", count)


def _hash(photo: Photo) -> str:
    return hashlib.sha256(photo.file.encode()).hexdigest()
