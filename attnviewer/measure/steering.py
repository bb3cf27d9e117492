"""`attnviewer evaluate steering`: does a caption follow where its attention is held?

At the first noun of the model's own caption the attention is put on the box of another annotated thing, and the text
goes on from there. Published comparators: arXiv 2010.11701, 1911.03936.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import later, tr
from attnviewer.core.images import Picture, load_picture
from attnviewer.core.interventions import Intervention
from attnviewer.core.jobs import outcome
from attnviewer.core.paths import shelf
from attnviewer.core.regions import coverage
from attnviewer.core.request import CaptionRequest, Decoding
from attnviewer.core.things import named
from attnviewer.core.trace import Grid, Trace
from attnviewer.data.photos import Box, Photo
from attnviewer.measure.split import split_photos
from attnviewer.measure.table import table
from attnviewer.runs.engine import Engine

MODES = ("soft", "hard")
LEAST, MOST = 0.01, 0.6  # share of the photo that the boxes of the wished thing cover
GRAIN = 50  # cells along a side, on which boxes are compared
MOSTLY = 0.5  # of its places in captions where a noun ends a boxed phrase
APART = 0.5  # at most so much of them may lie in the boxes of what is said there
TOLD = later("""\
changed: the caption is another one; word: the noun itself is; named: the wished thing is said from there on; at once:
it is said instead of the noun; new: any annotated thing is said that was not said before. wished: held for the noun;
kept: for all words from there on; uniform: all places alike, which wishes nothing. Per cent, ± one standard error.""")


@dataclass(frozen=True)
class Wish:
    """At word `at` of a caption, which is `noun`, look at `boxes`, which show `thing`; `others` are not said yet."""

    at: int
    noun: str
    thing: str
    boxes: tuple[Box, ...]
    others: frozenset[str]


@dataclass(frozen=True)
class Followed:
    """What became of one wish."""

    changed: bool
    word: bool
    named: bool
    at_once: bool
    new: bool


def run(args: argparse.Namespace) -> int:
    """Print how often wishes were followed."""
    photos = split_photos(args)
    heads = heads_of(photos)
    if not heads:
        raise UserError(tr("these photos have no boxed phrases; give a folder with them, such as Flickr8k's."))
    figures, count = measure(Engine(shelf(args.models_dir), args.device), photos, heads, args.attention)
    if not count:
        raise UserError(tr("no photo has another boxed thing to wish for; measure more photos."))
    if args.json:
        print(json.dumps({"split": args.split, "photos": count, "attention": args.attention, "figures": figures}))
    else:
        print(
            tr(
                "{table}\n\n{count} of {count2} photos had something to wish for.\n{told}",
                table=_table(figures, count),
                count=count,
                count2=len(photos),
                told=tr(TOLD),
            )
        )
    return 0


def measure(
    engine: Engine, photos: Sequence[Photo], heads: Collection[str], mode: str
) -> tuple[dict[str, dict[str, float]], int]:
    """Shares by column, for the wish and for the uniform map; and over how many photos."""
    found: dict[str, list[Followed]] = defaultdict(list)
    for number, photo in enumerate(photos, start=1):
        for way, one in followed(engine, photo, heads, mode).items():
            found[way].append(one)
        if number % 25 == 0 or number == len(photos):
            print(tr("measured {number}/{count}", number=number, count=len(photos)), file=sys.stderr, flush=True)
    shares = {way: _shares(many) for way, many in found.items()}
    return shares, len(found.get("wished", ()))


def _shares(many: Sequence[Followed]) -> dict[str, float]:
    columns = [asdict(one) for one in many]
    return {name: float(np.mean([row[name] for row in columns])) for name in columns[0]}


def followed(engine: Engine, photo: Photo, heads: Collection[str], mode: str) -> dict[str, Followed]:
    """What becomes of the wish for a photo, and of a uniform map in its place; empty where there is none to make."""
    picture = load_picture(Path(photo.path))
    before = _caption(engine, picture, mode)
    wish = wish_for(photo, tuple(before.words), heads)
    if wish is None or not isinstance(before.locations, Grid):
        return {}
    held = coverage(wish.boxes, before.locations.rows, before.locations.columns).astype(np.float64)
    even, once, on = np.ones_like(held), (wish.at,), range(wish.at, Decoding().max_words)
    ways = {"wished": (held, once), "kept": (held, on), "uniform": (even, once), "uniform, kept": (even, on)}
    return {
        way: outcome_of(wish, tuple(before.words), tuple(_caption(engine, picture, mode, places, weights).words))
        for way, (weights, places) in ways.items()
    }


def _caption(
    engine: Engine, picture: Picture, mode: str, places: Iterable[int] = (), weights: np.ndarray | None = None
) -> Trace:
    """The greedy caption, looking by `weights` [L] at some of its words."""
    look = None if weights is None else tuple(map(float, weights))
    held = tuple(Intervention(at, weights=look) for at in places)
    decoding = Decoding(1, alternatives=1, pick="argmax")
    return outcome(engine.run(CaptionRequest(picture, mode, decoding, interventions=held)))


def outcome_of(wish: Wish, before: Sequence[str], after: Sequence[str]) -> Followed:
    """Compare the caption with the one that was steered."""
    later = after[wish.at :]
    return Followed(
        changed=tuple(before) != tuple(after),
        word=later[:1] != before[wish.at : wish.at + 1],
        named=says(wish.thing, later),
        at_once=says(wish.thing, later[:1]),
        new=any(says(thing, later) for thing in wish.others),
    )


def says(thing: str, words: Sequence[str]) -> bool:
    """Whether some words name a thing: by that word, its plural or singular, or another word for the same thing."""
    forms = {thing, f"{thing}s", thing.removesuffix("s")}
    kinds = {one.thing for one in named([thing])}
    return any(word in forms for word in words) or any(one.thing in kinds for one in named(words))


def heads_of(photos: Sequence[Photo]) -> frozenset[str]:
    """Nouns that name what can be pointed at: words that mostly stand last in a boxed phrase, and not before a noun."""
    last: Counter[str] = Counter()
    all_: Counter[str] = Counter()
    for caption in (caption for photo in photos for caption in photo.captions):
        all_.update(caption.words)
        last.update(caption.words[phrase.end - 1] for phrase in caption.phrases if phrase.end <= len(caption.words))
    return frozenset(word for word, count in last.items() if count >= MOSTLY * all_[word])


def boxed(photo: Photo) -> dict[str, tuple[Box, ...]]:
    """The boxes of each thing that people named on a photo, the most often named first."""
    counts: Counter[str] = Counter()
    boxes: dict[str, set[Box]] = defaultdict(set)
    for caption in photo.captions:
        for phrase in caption.phrases:
            head = caption.words[min(phrase.end, len(caption.words)) - 1]
            counts[head] += 1
            boxes[head].update(phrase.boxes)
    return {head: tuple(sorted(boxes[head])) for head, _ in counts.most_common()}


def wish_for(photo: Photo, words: Sequence[str], heads: Collection[str]) -> Wish | None:
    """The first noun of a caption, and the most often named other thing that lies elsewhere; None without either."""
    at = next((place for place, word in enumerate(words) if word in heads), None)
    if at is None:
        return None
    there = boxed(photo)
    said = coverage(there.get(words[at], ()), GRAIN, GRAIN)
    unsaid = {thing: boxes for thing, boxes in there.items() if thing in heads and not says(thing, words)}
    for thing, boxes in unsaid.items():
        here = coverage(boxes, GRAIN, GRAIN)
        if LEAST <= here.mean() <= MOST and float(np.minimum(here, said).sum()) <= APART * float(here.sum()):
            return Wish(at, words[at], thing, boxes, frozenset(unsaid))
    return None


def _table(figures: dict[str, dict[str, float]], count: int) -> str:
    names = list(Followed.__dataclass_fields__)
    rows = [[way, *(_cell(shares[name], count) for name in names)] for way, shares in figures.items()]
    return table(["attention", *(name.replace("_", " ") for name in names)], rows)


def _cell(share: float, count: int) -> str:
    return f"{100 * share:.1f} ± {100 * (share * (1 - share) / count) ** 0.5:.1f}"
