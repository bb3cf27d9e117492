"""Things that captions name: COCO's 80 classes, found in a caption's words.

Source: Rohrbach et al. 2018, *Object hallucination in image captioning* (CHAIR); the words in `resources/things.toml`
are our own and were frozen before any model was trained on the photos that it measures.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from attnviewer.core.paths import resources_dir

Run = tuple[str, ...]


@dataclass(frozen=True)
class Named:
    """Words `start:end` of a caption that name `thing`."""

    start: int
    end: int
    thing: str


@cache
def _runs() -> dict[Run, str | None]:
    """Every run of words that names a thing, and those that only look so (None)."""
    table = tomllib.loads((resources_dir() / "things.toml").read_text(encoding="utf-8"))
    runs: dict[Run, str | None] = {
        tuple(run.split()): thing for thing, words in table["things"].items() for run in words
    }
    return runs | {tuple(run.split()): None for run in table["nothing"]}


def things() -> tuple[str, ...]:
    """The names of the 80 classes."""
    return tuple(dict.fromkeys(thing for thing in _runs().values() if thing))


def named(words: Sequence[str]) -> list[Named]:
    """The things that `words` (lower case, without punctuation) name, from left to right; the longest run counts."""
    runs, found, start = _runs(), [], 0
    longest = max(map(len, runs))
    while start < len(words):
        ends = range(min(len(words), start + longest), start, -1)
        end = next((end for end in ends if tuple(words[start:end]) in runs), None)
        if end is None:
            start += 1
            continue
        if thing := runs[tuple(words[start:end])]:
            found.append(Named(start, end, thing))
        start = end
    return found


def names_of(captions: Iterable[Sequence[str]]) -> frozenset[str]:
    """All things that some captions name."""
    return frozenset(name.thing for words in captions for name in named(words))


@dataclass(frozen=True)
class Hallucination:
    """CHAIR, and the recall beside it; each None where there is nothing to divide by.

    Parameters
    ----------
    per_thing : share of named things that neither the captions nor the boxes know.
    per_caption : share of captions with such a thing.
    recall : share of the things that people's captions name which the model's caption names too.
    """

    per_thing: float | None
    per_caption: float | None
    recall: float | None


def hallucination(
    said: Sequence[Sequence[str]], captions: Sequence[Sequence[Sequence[str]]], boxed: Sequence[Collection[str]]
) -> Hallucination:
    """Compare what a model `said` with what people wrote and with the labels of the boxes, photo by photo."""
    mentions = false = faulty = recalled = wanted = 0
    for words, others, labels in zip(said, captions, boxed, strict=True):
        mine, theirs, wrong = [name.thing for name in named(words)], names_of(others), invented(words, others, labels)
        mentions, false, faulty = mentions + len(mine), false + wrong, faulty + bool(wrong)
        recalled, wanted = recalled + len(theirs.intersection(mine)), wanted + len(theirs)
    return Hallucination(_share(false, mentions), _share(faulty, len(said)), _share(recalled, wanted))


def invented(words: Sequence[str], captions: Iterable[Sequence[str]], labels: Collection[str]) -> int:
    """How many of the things that `words` name neither `captions` nor `labels` know."""
    known = {*names_of(captions), *labels}
    return sum(name.thing not in known for name in named(words))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
