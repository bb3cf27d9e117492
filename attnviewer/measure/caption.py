"""`attnviewer evaluate caption`: how good the captions are, and whether the maps lie where the things are.

Letters: B photos, K captions a photo, T words, L locations.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from attnviewer.core.doubt import Doubt, Evidence, evidence
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import later, tr
from attnviewer.core.lens import entropy
from attnviewer.core.paths import shelf
from attnviewer.core.request import Decoding
from attnviewer.core.things import hallucination, invented
from attnviewer.data.named import tie
from attnviewer.data.photos import Photo, captioned, load_pixels
from attnviewer.measure.bleu import corpus_bleu
from attnviewer.measure.correctness import BoxedWord, grounding
from attnviewer.measure.pointing import area_under_curve
from attnviewer.measure.split import split_photos
from attnviewer.measure.table import table
from attnviewer.nets.attention import pointed
from attnviewer.nets.captioner import Memory
from attnviewer.runs.decode import DecodingPlan, beam_search, settled
from attnviewer.runs.device import choose_device
from attnviewer.runs.legal import content_words
from attnviewer.zoo.captioners import LoadedCaptioner
from attnviewer.zoo.store import Zoo

COLUMNS = {
    "attention": "attention", "bleu1": "BLEU-1", "bleu2": "BLEU-2", "bleu3": "BLEU-3", "bleu4": "BLEU-4",
    "correctness": "correct.", "correctness_best": "best word", "area": "area", "pointing": "pointing",
    "centre": "centre", "chair_thing": "CHAIR thing", "chair_caption": "caption", "recall": "recall",
    "guess_auc": "guess AUC", "guessing": "guessing",
    "entropy": "bits", "ms": "ms/caption",
}  # fmt: skip
SAID_OF_COLUMNS = later("""\
BLEU: corpus BLEU against all five captions, lower-case, without punctuation.
correct.: share of a word's attention inside its phrase's boxes, mean over words; best word: mean over phrases of the
  phrase's best word; area: what a uniform map scores on the words. Maps are those of the true captions.
pointing: share of words whose map peaks inside the boxes; centre: always pointing to the photo's centre. Where a photo
  has labelled boxes instead of phrases, the words that name a thing are measured if its largest box covers 2 % or more.
CHAIR: share of the named things (of COCO's 80 classes) that neither the captions nor the boxes know, and share of
  captions with such a thing; recall: share of the things that people's captions name which the model names too.
guess AUC: chance that a caption with an invented thing looks more like a guess than one without; guessing: share of
  captions that are said to be guesses.
bits: mean entropy of a map; ms/caption: median for one photo, encoding included.""")
TIMED = 24
LEAST = 0.02  # share of the photo that a labelled thing's largest box has to cover, to be pointed at


@dataclass
class Tally:
    """What one attention mode said and where it looked, photo by photo."""

    model: LoadedCaptioner
    plan: DecodingPlan
    said: list[str] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    boxed: list[BoxedWord] = field(default_factory=list)
    bits: list[float] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)


def run(args: argparse.Namespace) -> int:
    """Print the figures of each attention mode."""
    photos = [tie(photo, whole=False, least=LEAST) for photo in captioned(split_photos(args))]
    if not photos:
        raise UserError(tr("none of these photos has a caption to compare with; choose another --data or --split."))
    figures = evaluate(args, photos)
    if args.json:
        print(json.dumps({"split": args.split, "photos": len(photos), "beam": args.beam, "figures": figures}))
    else:
        print(table(list(COLUMNS.values()), [[row.get(name) for name in COLUMNS] for row in figures]))
        print(
            tr(
                "\n{count} photos of the {split} split, beam {beam}.\n{said_of_columns}",
                count=len(photos),
                split=args.split,
                beam=args.beam,
                said_of_columns=tr(SAID_OF_COLUMNS),
            )
        )
    return 0


def evaluate(args: argparse.Namespace, photos: list[Photo]) -> list[dict[str, Any]]:
    """Figures of each mode in `args.attention` over `photos`; each photo is encoded once."""
    device = choose_device(args.device)
    zoo = Zoo(shelf(args.models_dir), device)
    tallies = {mode: _tally(args, zoo, mode) for mode in args.attention.split(",")}
    for start in range(0, len(photos), 25):
        group = photos[start : start + 25]
        _measure_group(group, list(tallies.values()), device)
        print(tr("measured {start}/{count}", start=start + len(group), count=len(photos)), file=sys.stderr, flush=True)
    for photo in photos[:TIMED]:
        for tally in tallies.values():
            tally.ms.append(_time(photo, tally, device))
    return [{"attention": mode, **_figures(tally, photos)} for mode, tally in tallies.items()]


def _tally(args: argparse.Namespace, zoo: Zoo, mode: str) -> Tally:
    model = zoo.captioner(args.model, mode)
    decoding = Decoding(
        beam=args.beam, alternatives=1, seed=args.seed, length_penalty=args.length_penalty, pick=args.pick
    )
    return Tally(model, DecodingPlan(settled(decoding, model.card), mode, apart=content_words(model.vocabulary)))


def _measure_group(group: list[Photo], tallies: list[Tally], device: str) -> None:
    encoder = tallies[0].model.encoder
    pixels = torch.stack([load_pixels(photo.path, encoder.recipe) for photo in group])
    with torch.inference_mode():
        annotations = encoder.net(pixels.to(device, memory_format=torch.channels_last))
        for tally in tallies:
            memory = tally.model.net.encode_source(annotations)
            generator = torch.Generator(device).manual_seed(tally.plan.decoding.seed)
            for best in beam_search(tally.model.net, memory, tally.plan, generator):
                words = [tally.model.vocabulary.word(choice.word) for choice in best.choices]
                tally.said.append(" ".join(words))
                tally.evidence.append(evidence(words, [choice.logprob for choice in best.choices]))
            if tally.model.net.has_attention:
                for photo, maps in zip(group, forced_maps(group, tally, memory, generator), strict=True):
                    _collect(photo, maps, tally)


def forced_maps(group: list[Photo], tally: Tally, memory: Memory, generator: torch.Generator) -> Iterator[np.ndarray]:
    """For each photo the maps [K, T, L] with which the model reads the photo's own captions."""
    net, vocabulary = tally.model.net, tally.model.vocabulary
    captions = max(len(photo.captions) for photo in group)
    longest = max(len(caption.words) for photo in group for caption in photo.captions)
    ids = torch.zeros(len(group), captions, longest + 1, dtype=torch.long, device=memory.mean.device)
    ids[..., 0] = vocabulary.start
    for row, photo in enumerate(group):
        for column, caption in enumerate(photo.captions):
            ids[row, column, 1 : len(caption.words) + 1] = torch.tensor(vocabulary.encode(caption.words))
    state, maps = net.start(memory, captions), []
    step = tally.plan.drive(net, memory, generator)
    for t in range(longest):
        glance = step(state, ids[..., t], t)
        state = glance.state
        maps.append(pointed(glance.weights, net.pointer))
    yield from torch.stack(maps, dim=2).float().cpu().numpy()  # [B, K, T, L]


def _collect(photo: Photo, maps: np.ndarray, tally: Tally) -> None:
    for number, (caption, rows) in enumerate(zip(photo.captions, maps, strict=False)):
        tally.bits += [entropy(row) for row in rows[: len(caption.words)]]
        for phrase in caption.phrases:
            for t in range(phrase.start, phrase.end):
                tally.boxed.append(BoxedWord(rows[t], phrase.boxes, (photo.path, number, phrase.start)))


def _time(photo: Photo, tally: Tally, device: str) -> float:
    pixels = load_pixels(photo.path, tally.model.encoder.recipe).unsqueeze(0)
    began = time.perf_counter()
    with torch.inference_mode():
        annotations = tally.model.encoder.net(pixels.to(device, memory_format=torch.channels_last))
        memory = tally.model.net.encode_source(annotations)
        beam_search(tally.model.net, memory, tally.plan, torch.Generator(device).manual_seed(0))
    return 1000 * (time.perf_counter() - began)


def _figures(tally: Tally, photos: list[Photo]) -> dict[str, Any]:
    bleu = corpus_bleu(tally.said, [[" ".join(caption.words) for caption in photo.captions] for photo in photos])
    found: dict[str, Any] = {
        "model": tally.model.card.id,
        **{f"bleu{n}": round(getattr(bleu, f"bleu{n}"), 2) for n in (1, 2, 3, 4)},
        "brevity": round(bleu.brevity, 4),
        "length_penalty": tally.plan.decoding.length_penalty,
        "ms": round(statistics.median(tally.ms), 1),
    }
    if tally.boxed:
        side = round(len(np.asarray(tally.boxed[0].weights)) ** 0.5)
        measured = grounding(tally.boxed, side, side)
        names = ("words", "phrases", "correctness", "correctness_best", "area", "area_best", "pointing", "centre")
        found |= {name: round(getattr(measured, name), 4) for name in names}
        found["entropy"] = round(statistics.fmean(tally.bits), 3)
    return found | _inventions(tally, photos) | _guesses(tally, photos)


def _guesses(tally: Tally, photos: list[Photo]) -> dict[str, float]:
    """How well the score of guessing tells captions with an invented thing, and how often it is said."""
    doubt = Doubt.of(tally.model.card.architecture)
    if doubt is None:
        return {}
    scores = np.array([doubt.score(found) for found in tally.evidence], dtype=np.float32)
    wrong = np.array([invented(*row) > 0 for row in zip(*_said_and_known(tally, photos), strict=True)])
    figures = {"guessing": round(float((scores > 0).mean()), 4)}
    if wrong.any() and not wrong.all():
        figures["guess_auc"] = round(area_under_curve(scores[wrong], scores[~wrong]), 4)
    return figures


def _said_and_known(
    tally: Tally, photos: list[Photo]
) -> tuple[list[list[str]], list[list[tuple[str, ...]]], list[set[str]]]:
    """What the model said of each photo, what people said of it, and the labels of its boxes."""
    captions = [[caption.words for caption in photo.captions] for photo in photos]
    return [said.split() for said in tally.said], captions, [{thing.label for thing in p.objects} for p in photos]


def _inventions(tally: Tally, photos: list[Photo]) -> dict[str, float]:
    """CHAIR and the recall of things; a figure with nothing to divide by is left out."""
    measured = hallucination(*_said_and_known(tally, photos))
    figures = (measured.per_thing, measured.per_caption, measured.recall)
    names = ("chair_thing", "chair_caption", "recall")
    return {name: round(value, 4) for name, value in zip(names, figures, strict=True) if value is not None}
