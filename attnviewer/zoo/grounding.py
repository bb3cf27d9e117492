"""The grounder on disk: its net, the temperature of its maps, and how a photo's level becomes a probability."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from attnviewer.core.card import ModelCard, load_card
from attnviewer.core.errors import UserError
from attnviewer.core.paths import Shelf, shelf
from attnviewer.nets.grounding import Grounder, GroundingConfig
from attnviewer.zoo.store import CARD, WEIGHTS, built, read_weights

NAME = "grounding"


@dataclass(frozen=True, eq=False)
class Grounding:
    """A loaded grounder.

    Parameters
    ----------
    encoder : id of the encoder whose annotation vectors it knows.
    temperature : of the maps, chosen on dev.
    slope, offset : presence = 1 / (1 + exp(-(slope * level + offset))), fitted on dev.
    """

    net: Grounder
    card: ModelCard
    encoder: str
    temperature: float
    slope: float
    offset: float

    def presence(self, cosines: Tensor) -> float:
        """Probability that what was asked for is on the photo, from its cosines [L], where before it was one half."""
        level = float(torch.logsumexp(cosines * self.net.scale.detach(), dim=-1)) - math.log(len(cosines))
        return 1 / (1 + math.exp(-max(-50.0, min(50.0, self.slope * level + self.offset))))


def load_grounding(folder: Path | Shelf | None = None) -> Grounding:
    """Read the model `grounding` of a folder of models; raises `UserError` where it is missing or damaged."""
    place = (folder or shelf()) / NAME
    card = load_card(place / CARD)
    known = dict(card.architecture)
    try:
        temperature, slope, offset = (float(known[name]) for name in ("temperature", "slope", "offset"))
        sizes = {name: value for name, value in known.items() if name in GroundingConfig.__dataclass_fields__}
        encoder = str(known["encoder"])
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(
            f"the card in {place} doesn't describe a grounder ({error}); install attnviewer again."
        ) from None
    net = built(card, place.parent, lambda: Grounder(GroundingConfig(**sizes)))
    read_weights(net, place / WEIGHTS, sha256=card.sha256)
    return Grounding(net.eval().requires_grad_(False), card, encoder, temperature, slope, offset)
