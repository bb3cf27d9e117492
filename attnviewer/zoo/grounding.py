"""The grounder on disk: its net, the temperature of its maps, and how a photo's level becomes a probability."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from attnviewer.core.card import ModelCard
from attnviewer.nets.grounding import Grounder
from attnviewer.zoo.kinds import build, described
from attnviewer.zoo.store import Zoo

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


def load_grounder(zoo: Zoo, card: ModelCard) -> Grounding:
    """Build and fill a grounder, always on the CPU; raises `UserError` where it is damaged."""
    net = build(card, zoo.folder)
    with described(card, zoo.folder):
        temperature, slope, offset = (float(card.architecture[name]) for name in ("temperature", "slope", "offset"))
        encoder = str(card.architecture["encoder"])
    zoo.fill(net, card, device="cpu")
    return Grounding(net, card, encoder, temperature, slope, offset)
