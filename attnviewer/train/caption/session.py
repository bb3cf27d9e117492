"""All that a captioner's training holds: the nets, the photos and their features."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attnviewer.core.card import Preprocessing
from attnviewer.core.i18n import tr
from attnviewer.core.text import Vocabulary
from attnviewer.data.features import FeatureCache, cache_features
from attnviewer.data.photos import Photo, load_pixels
from attnviewer.nets.vision import Encoder, combine
from attnviewer.train.caption import stochastic
from attnviewer.train.caption.batches import Example
from attnviewer.train.caption.rewards import ThingReward
from attnviewer.train.caption.transfer import transfer
from attnviewer.zoo.store import Zoo

FOLLOWED = 1600  # photos that an earlier captioner and the new one both look at


@dataclass
class Session:
    """The nets, the data, and where the files of a training run go."""

    args: argparse.Namespace
    photos: list[Photo]
    vocabulary: Vocabulary
    encoder: Encoder
    net: Any
    prepared: dict[str, list[Example]]
    device: str
    recipe: Preprocessing = field(default_factory=Preprocessing)
    baseline: stochastic.Baseline = field(default_factory=stochastic.Baseline)
    reward: ThingReward | None = None
    caches: dict[bool, FeatureCache] = field(default_factory=dict)

    @property
    def side(self) -> int:
        """Rows (and columns) of the grid of locations."""
        return self.encoder.side(self.recipe.size)

    def of(self, split: str) -> list[Photo]:
        """The photos of a split, as many as `--photos` allows."""
        chosen = [photo for photo in self.photos if photo.split == split]
        return chosen[: self.args.photos]

    def fill_caches(self) -> None:
        """Plain and mirrored features of all photos by the encoder as it ships, that is in half precision."""
        with torch.no_grad():
            for value in self.encoder.state_dict().values():
                value.copy_(value.half())
        for mirrored in (False, True) if self.args.mirror == "photos" else (False,):
            for found in cache_features(
                self.encoder.maps, self.photos, self.args.cache, self.recipe, mirrored, self.device
            ):
                if isinstance(found, FeatureCache):
                    self.caches[mirrored] = found
                elif found[0] % 512 == 0:
                    print(
                        tr("encoding photos {found}/{found2}", found=found[0], found2=found[1]),
                        file=sys.stderr,
                        flush=True,
                    )

    @property
    def shown(self) -> list[str]:
        """The training photos of an epoch, each as often as `--repeat` says."""
        times = dict(zip(self.args.data, self.args.repeat or (), strict=False))
        return [photo.path for photo in self.of("train") for _ in range(times.get(photo.folder, 1))]

    def annotations(self, paths: Sequence[str], mirrored: bool = False) -> Tensor:
        """Cached annotation vectors [B, L, D]; where only plain photos are cached, mirrored by turning their maps."""
        if mirrored and self.args.mirror == "maps":
            return self.caches[False].turned(paths)
        return self.caches[mirrored].annotations(paths)

    def follow(self) -> None:
        """Begin with what the captioner in the folder `--follow` knows, where that is asked for."""
        if self.args.follow:
            earlier = Zoo(self.args.follow).captioner(None, self.net.config.attention)
            photos = self.of("train")
            chosen = np.random.default_rng(self.args.seed).permutation(len(photos))[:FOLLOWED]
            transfer(self.net, self.vocabulary, earlier, [photos[place] for place in chosen], self.annotations)

    def encode(self, paths: tuple[str, ...], mirrored: bool = False) -> Tensor:
        """Pixels through the encoder as it is now: [B, L, D]."""
        pixels = torch.stack([load_pixels(path, self.recipe) for path in paths])
        pixels = (pixels.flip(3) if mirrored else pixels).to(self.device, memory_format=torch.channels_last)
        return combine(*self.encoder.maps(pixels))

    def standardise(self) -> None:
        """Set the net's centre and spread of each annotation channel from 256 training photos."""
        paths = [photo.path for photo in self.of("train")[:256]]
        sample = self.caches[False].annotations(paths).flatten(0, 1).to(self.device)
        self.net.centre.copy_(sample.mean(dim=0))
        self.net.spread.copy_(sample.std(dim=0).clamp_min(1e-3))
