"""Captioners and the encoders they stand on: several captioners share one encoder, in one file and once in memory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from torch import Tensor

from attnviewer.core.card import ModelCard, Preprocessing
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.text import Vocabulary
from attnviewer.nets.captioner import Captioner
from attnviewer.nets.rectified import RectifiedCaptioner
from attnviewer.nets.vision import Encoder, fuse_batchnorm
from attnviewer.zoo.files import MEAN, VOCABULARY, read_mean
from attnviewer.zoo.kinds import build, built
from attnviewer.zoo.store import Zoo


@dataclass(frozen=True)
class LoadedEncoder:
    """An encoder with its card, ready to run."""

    card: ModelCard
    net: Encoder
    recipe: Preprocessing
    folder: Path
    device: str = "cpu"

    @property
    def has_mean(self) -> bool:
        """Whether the mean photo is there."""
        return (self.folder / MEAN).is_file()

    @cached_property
    def mean(self) -> Tensor:
        """Annotation vectors [1, L, D] averaged over the training photos; raises `UserError` where there are none."""
        return read_mean(self.folder / MEAN, self.net.size).to(self.device)


@dataclass(frozen=True)
class LoadedCaptioner:
    """A captioner with its card, the encoder it stands on, and its words."""

    card: ModelCard
    net: Captioner | RectifiedCaptioner
    encoder: LoadedEncoder
    vocabulary: Vocabulary


def load_encoder(zoo: Zoo, card: ModelCard) -> LoadedEncoder:
    """Build and fill an encoder; raises `UserError` where its card or its file is broken."""
    if card.preprocessing is None:
        raise UserError(tr("{id} is no encoder; install attnviewer again.", id=card.id))
    shape = card.architecture
    net = built(card, zoo.folder, lambda: Encoder(str(shape["net"]), int(shape.get("classes", 0))))
    fuse_batchnorm(net.eval())
    zoo.fill(net, card)
    return LoadedEncoder(card, net, card.preprocessing, zoo.folder / card.id, zoo.device)


def load_captioner(zoo: Zoo, card: ModelCard) -> LoadedCaptioner:
    """Build and fill a captioner of any kind, and the encoder that its card names."""
    vocabulary = Vocabulary.load(zoo.folder / card.id / VOCABULARY)
    net = build(card, zoo.folder, vocabulary=len(vocabulary), attention=card.attention)
    zoo.fill(net, card)
    encoder = zoo.encoder(str(card.architecture.get("encoder", "encoder")))
    if isinstance(net, Captioner) and encoder.net.size != net.config.annotation:
        raise UserError(
            tr(
                "{id} reads vectors of {wanted:,} numbers but {encoder} gives {size:,}; rename that encoder.",
                id=card.id, wanted=net.config.annotation, encoder=encoder.folder, size=encoder.net.size,
            )
        )  # fmt: skip
    return LoadedCaptioner(card, net, encoder, vocabulary)
