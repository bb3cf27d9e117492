"""What a grounder learns: phrases and photos, their loss, and what dev says of the regions they are pulled to."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from attnviewer.core.card import Data
from attnviewer.core.i18n import tr
from attnviewer.data.features import FeatureCache, cache_features
from attnviewer.data.named import choose_from, label, tie
from attnviewer.data.photos import Photo, load_photos
from attnviewer.data.phrases import Phrases, collect, embed
from attnviewer.measure.pointing import Scored, choose_temperature, compare, fit_presence, measure
from attnviewer.nets.grounding import Grounder, GroundingConfig
from attnviewer.train.grounding.batches import Batch, batches, cells, wordings
from attnviewer.train.grounding.losses import Weights, phrase_loss
from attnviewer.train.learner import Verdict
from attnviewer.train.publish import learnt_from
from attnviewer.zoo.captioners import LoadedEncoder
from attnviewer.zoo.store import Zoo

LOGGED = ("pointing", "inside", "auc")


@dataclass
class Grounded:
    """The task of the learner: the net, the features of photos plain and mirrored, and the phrases of each split."""

    args: argparse.Namespace
    net: Grounder
    caches: dict[bool, FeatureCache]
    splits: dict[str, Phrases]
    vectors: dict[str, Tensor]
    data: Data

    @property
    def steps(self) -> int:
        """Batches an epoch."""
        return -(-len(self.splits["train"].paths) // self.args.batch)

    def batches(self, epoch: int) -> Iterator[Batch]:
        """The training photos in batches, each plain or mirrored."""
        return batches(self.splits["train"], self.args.batch, self.args.seed * 1000 + epoch)

    def loss(self, batch: Batch, step: int) -> tuple[Tensor, str]:
        """The loss of the phrases of some photos."""
        (photos, rows, mirrored), phrases = batch, self.splits["train"]
        paths = [phrases.paths[photo] for photo in photos]
        turned = mirrored and self.args.mirror == "maps"
        annotations = self.caches[False].turned(paths) if turned else self.caches[mirrored].annotations(paths)
        vectors = self.vectors["train"][wordings(phrases, rows, step)]
        owner = torch.from_numpy(np.searchsorted(photos, phrases.owner[rows]))
        with torch.autocast("cpu", torch.bfloat16):
            scores = self.net(annotations, vectors).float()
            mix = Weights(self.args.sharpen, self.args.contrast)
            loss, inside = phrase_loss(scores, owner, cells(phrases, rows, mirrored), vectors, mix)
        return loss, f"loss {float(loss.detach()):.3f} inside {inside:.3f}"

    def judge(self) -> Verdict:
        """The temperature and the fit of the presence that dev asks for, and its figures with them."""
        phrases, soft = self.splits["dev"], 1 / float(self.net.scale.detach())
        scored = self.score("dev")
        temperature = choose_temperature(scored, phrases)
        slope, offset = fit_presence(scored, soft)
        figures = vars(measure(scored, phrases, temperature, soft))
        found = {"temperature": temperature, "slope": slope, "offset": offset}
        scores = {name: round(figures[name], 4) for name in LOGGED} | {"temperature": temperature}
        return Verdict(figures["pointing"] + figures["inside"], scores, found)

    @torch.inference_mode()
    def score(self, split: str, fast: bool = True) -> Scored:
        """Every phrase against its own photo, plain and mirrored, and some others; `fast` computes in bf16."""
        phrases, parts, size = self.splits[split], [], 64
        for start in range(0, len(phrases.paths), size):
            paths = phrases.paths[start : start + size]
            plain, mirrored = (self.caches[side].annotations(paths) for side in (False, True))
            with torch.autocast("cpu", torch.bfloat16, enabled=fast):
                parts.append(self.net.keys(plain, mirrored).float())
        queries = self.net.query(self.vectors[split])[torch.from_numpy(phrases.said)]
        return compare(torch.cat(parts), queries, torch.from_numpy(phrases.owner))


def set_up(args: argparse.Namespace) -> Grounded:
    """Read the data, encode photos and phrases (or find them in the cache), and build the net."""
    photos = [label(tie(photo, whole=True)) for photo in load_photos(args.data)]
    photos = choose_from(photos, args.aside) if args.aside else photos
    encoder = Zoo(args.models_dir).encoder(args.encoder)
    net = Grounder(GroundingConfig(annotation=encoder.net.size, hidden=args.hidden, layers=args.layers))
    chosen = {split: [photo for photo in photos if photo.split == split] for split in ("train", "dev", "test")}
    chosen["train"] = chosen["train"][: args.photos]
    caches = {False: encoded(encoder, photos, args, False), True: encoded(encoder, photos, args, True)}
    splits = {split: collect(group, net.config.side) for split, group in chosen.items()}
    sample = caches[False].annotations(splits["train"].paths[:256]).flatten(0, 1)
    net.centre.copy_(sample.mean(dim=0))
    net.spread.copy_(sample.std(dim=0).clamp_min(1e-3))
    vectors = {split: embed(phrases.texts, args.cache) for split, phrases in splits.items()}
    return Grounded(args, net, caches, splits, vectors, learnt_from(chosen["train"]))


def encoded(encoder: LoadedEncoder, photos: list[Photo], args: argparse.Namespace, mirrored: bool) -> FeatureCache:
    """The features of all photos, made once."""
    for found in cache_features(encoder.net.maps, photos, args.cache, encoder.recipe, mirrored):
        if isinstance(found, FeatureCache):
            return found
        if found[0] % 512 == 0:
            print(tr("encoding photos {found}/{found2}", found=found[0], found2=found[1]), file=sys.stderr, flush=True)
    raise AssertionError("the cache always ends with its features")
