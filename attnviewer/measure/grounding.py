"""`attnviewer evaluate grounding`: does a phrase's attention lie in its boxes, and is the thing there at all?"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attnviewer.core.i18n import later, tr
from attnviewer.core.lens import inside
from attnviewer.core.paths import shelf
from attnviewer.core.request import Decoding
from attnviewer.data.named import label, wording
from attnviewer.data.photos import Photo, load_pixels
from attnviewer.data.phrases import collect, encode
from attnviewer.measure.caption import Tally, forced_maps
from attnviewer.measure.correctness import points
from attnviewer.measure.pointing import Figures, compare, measure
from attnviewer.measure.presence import presence_auc, questions
from attnviewer.measure.split import split_photos
from attnviewer.measure.table import table
from attnviewer.runs.decode import DecodingPlan
from attnviewer.runs.sentences import SentenceEncoder
from attnviewer.zoo.store import Zoo

GROUP = 25
LEAST = 0.02  # share of the photo that a labelled thing's largest box has to cover, to be pointed at
SAID = later("""\
pointing: share of phrases whose best cell has its centre inside a box; baseline: always the photo's centre.
inside: mean share of a phrase's attention inside its boxes, at the temperature chosen on dev; baseline: a uniform map.
captioner: the same of its own attention, averaged over the words of the phrase, while it reads the true caption.
is it there: chance that a phrase scores higher on its own photo than phrases do on other photos, which may well show
  the same kind of thing. Photos with labelled boxes are asked for "a LABEL": where it is, for things other than
  persons whose largest box covers 2 % or more; whether it is there, against as many absent labels, by frequency.""")


def run(args: argparse.Namespace) -> int:
    """Print the figures with their baselines."""
    photos = split_photos(args)
    figures, captioner, temperature, there = evaluate(args, photos)
    if args.json:
        whole = {"split": args.split, "photos": len(photos), "temperature": temperature, "labels_auc": there}
        print(json.dumps(whole | {"figures": asdict(figures), "captioner": captioner}))
        return 0
    own = captioner or {}
    rows = (
        ("pointing accuracy", figures.pointing, figures.centre, own.get("pointing")),
        ("attention inside the boxes", figures.inside, figures.area, own.get("inside")),
        ("is it there (AUC)", figures.auc, 0.5, None),
        *([] if there is None else [("is the labelled thing there (AUC)", there, 0.5, None)]),
    )
    print(table(("measure", "grounder", "baseline", "captioner"), rows))
    counts = f"{figures.phrases:,} phrases with boxes on {len(photos):,} photos of the {args.split} split"
    print(tr("\n{counts}, temperature {temperature:g}.\n{said}", counts=counts, temperature=temperature, said=tr(SAID)))
    return 0


def asked_of(photo: Photo) -> Photo:
    """The phrases that are asked of a photo: where it has labelled boxes, their labels, without persons and specks."""
    return label(replace(photo, captions=()), LEAST, {"person"}) if photo.objects else photo


def evaluate(
    args: argparse.Namespace, given: list[Photo]
) -> tuple[Figures, dict[str, float] | None, float, float | None]:
    """Figures of the grounder, the captioner's own where wanted and installed, the maps' temperature, labels' AUC."""
    photos = [asked_of(photo) for photo in given]
    zoo = Zoo(shelf(args.models_dir))
    grounding = zoo.grounder()
    encoder = zoo.encoder(grounding.encoder)
    phrases = collect(photos, grounding.net.config.side)
    captioner = None if args.no_captioner else Tally(zoo.captioner(), DecodingPlan(Decoding()))
    keys, own = [], []
    for start in range(0, len(photos), GROUP):
        group = photos[start : start + GROUP]
        pixels = torch.stack([load_pixels(photo.path, encoder.recipe) for photo in group])
        with torch.inference_mode():
            annotations, mirrored = (
                encoder.net(look.to(memory_format=torch.channels_last)) for look in (pixels, pixels.flip(3))
            )
            keys.append(grounding.net.keys(annotations, mirrored))
            own += [] if captioner is None else captioner_maps(captioner, group, annotations)
        print(tr("measured {start}/{count}", start=start + len(group), count=len(photos)), file=sys.stderr, flush=True)
    sentences, sharpness = SentenceEncoder(), 1 / float(grounding.net.scale)

    def ask(texts: Sequence[str]) -> Tensor:
        with torch.inference_mode():
            return grounding.net.query(torch.from_numpy(encode(sentences, texts)))

    queries = ask(phrases.texts)
    scored = compare(torch.cat(keys), queries[torch.from_numpy(phrases.said)], torch.from_numpy(phrases.owner))
    figures = measure(scored, phrases, grounding.temperature, sharpness)
    there = labels_there(given, torch.cat(keys), ask, sharpness)
    return figures, summary(own) if own else None, grounding.temperature, there


def labels_there(
    photos: list[Photo], keys: Tensor, ask: Callable[[Sequence[str]], Tensor], temperature: float
) -> float | None:
    """How well labels that are there are told from those that aren't; None where no photo is fully boxed."""
    asked = questions(photos)
    if not asked:
        return None
    names = sorted({name for _, name, _ in asked})
    vectors = ask([" ".join(wording(name)) for name in names])
    return presence_auc(keys, dict(zip(names, vectors, strict=True)), asked, temperature)


def captioner_maps(tally: Tally, group: list[Photo], annotations: Tensor) -> list[tuple[bool, float]]:
    """Of each phrase: whether the captioner's attention on its words points into the boxes, and its mass inside."""
    memory, found = tally.model.net.encode_source(annotations), []
    for photo, maps in zip(group, forced_maps(group, tally, memory, torch.Generator()), strict=True):
        for caption, rows in zip(photo.captions, maps, strict=False):
            side = round(rows.shape[1] ** 0.5)
            for phrase in caption.phrases:
                mean = rows[phrase.start : phrase.end].mean(axis=0)
                found.append((points(mean, phrase.boxes, side, side), inside(mean, phrase.boxes, side, side)))
    return found


def summary(found: list[tuple[bool, float]]) -> dict[str, Any]:
    """Means over phrases."""
    pointing, mass = np.array(found, dtype=np.float64).mean(axis=0)
    return {"pointing": float(pointing), "inside": float(mass)}
