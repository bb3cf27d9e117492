"""`attnviewer evaluate faithfulness`: do the places that a word looked at matter to its probability?

One noun a photo. Places are covered and uncovered in the order of the attention, of the gradient, of occlusion and at
random; what matters makes the probability fall early and rise early.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from attnviewer.core.errors import UserError
from attnviewer.core.explore.findings import Matter
from attnviewer.core.explore.requests import MatterRequest
from attnviewer.core.i18n import later, tr
from attnviewer.core.images import load_picture
from attnviewer.core.jobs import outcome
from attnviewer.core.paths import shelf
from attnviewer.core.request import CaptionRequest, Decoding
from attnviewer.data.photos import Photo
from attnviewer.measure.split import split_photos
from attnviewer.measure.steering import heads_of
from attnviewer.measure.table import table
from attnviewer.runs.engine import Engine

MODES = ("soft", "hard")
Figures = dict[str, dict[str, tuple[float, float]]]
TOLD = later("""\
deletion: the mean probability of the word while the photo is covered, as a share of that for the whole photo: the
lower, the more the first places matter. insertion: the same while the photo is uncovered on grey: the higher. beats
random: share of words for which deletion is below that of random orders. Mean ± one standard error.""")


def run(args: argparse.Namespace) -> int:
    """Print the areas by order, and how far attention and gradient agree."""
    photos = split_photos(args)
    heads = heads_of(photos)
    if not heads:
        raise UserError(tr("these photos have no boxed phrases; give a folder with them, such as Flickr8k's."))
    found = measure(Engine(shelf(args.models_dir), args.device), photos, heads, args)
    if not found:
        raise UserError(tr("no caption has a noun to ask about; measure more photos."))
    figures, tau = summed(found), _mean([one.tau for one in found if one.tau is not None])
    if args.json:
        told = {"split": args.split, "photos": len(found), "attention": args.attention, "figures": figures, "tau": tau}
        print(json.dumps(told))
    else:
        print(f"{_table(figures)}\n\n{_below(found, tau)}\n{tr(TOLD)}")
    return 0


def measure(engine: Engine, photos: Sequence[Photo], heads: Collection[str], args: Any) -> list[Matter]:
    """What matters to the first noun of each photo's own caption; photos whose caption has none are left out."""
    found = []
    for number, photo in enumerate(photos, start=1):
        picture = load_picture(Path(photo.path))
        decoding = Decoding(1, alternatives=1, pick="argmax")
        words = outcome(engine.run(CaptionRequest(picture, args.attention, decoding))).words
        at = next((place for place, word in enumerate(words) if word in heads), None)
        if at is not None:
            asked = MatterRequest(
                picture, at, tuple(words), args.attention, steps=args.steps, occlusion=not args.no_occlusion
            )
            one = outcome(engine.explore(asked))
            assert isinstance(one, Matter)
            found.append(one)
        if number % 10 == 0 or number == len(photos):
            print(tr("measured {number}/{count}", number=number, count=len(photos)), file=sys.stderr, flush=True)
    return found


def summed(found: Sequence[Matter]) -> Figures:
    """Mean areas with their standard errors, by order."""
    areas: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for one in found:
        for order in one.deletion_area:
            areas[order]["deletion"].append(one.deletion_area[order])
            areas[order]["insertion"].append(one.insertion_area[order])
            areas[order]["beats random"].append(float(one.deletion_area[order] < one.deletion_area["random"]))
    return {order: {name: _mean(values) for name, values in columns.items()} for order, columns in areas.items()}


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """The mean and its standard error."""
    array = np.asarray(values, np.float64)
    if not len(array):
        return 0.0, 0.0
    return float(array.mean()), float(array.std(ddof=1) / len(array) ** 0.5) if len(array) > 1 else 0.0


def _table(figures: Figures) -> str:
    names = ("deletion", "insertion", "beats random")
    rows = [[order, *(_cell(columns[name]) for name in names)] for order, columns in figures.items()]
    return table(["order", *names], rows)


def _cell(pair: tuple[float, float]) -> str:
    return f"{pair[0]:.3f} ± {pair[1]:.3f}"


def _below(found: Sequence[Matter], tau: tuple[float, float]) -> str:
    return tr("{count} nouns. Kendall's tau between attention and gradient: {tau}.", count=len(found), tau=_cell(tau))
