"""The grounder on disk: its net, the temperature of its maps, and how its level becomes a probability."""

from __future__ import annotations

import dataclasses
import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save
from torch import Tensor

from attnviewer.core.card import ModelCard, load_card, save_card
from attnviewer.core.errors import UserError
from attnviewer.core.paths import models_dir
from attnviewer.nets.grounding import Grounder, GroundingConfig

NAME = "grounding"


@dataclass(frozen=True, eq=False)
class Grounding:
    """A loaded grounder.

    Parameters
    ----------
    temperature : of the maps, chosen on dev.
    slope, offset : presence = 1 / (1 + exp(-(slope * level + offset))), fitted on dev.
    """

    net: Grounder
    card: ModelCard
    temperature: float
    slope: float
    offset: float

    def presence(self, cosines: Tensor) -> float:
        """Probability that what was asked for is on the photo, from its cosines [L], where before it was one half."""
        level = float(torch.logsumexp(cosines * self.net.scale.detach(), dim=-1)) - math.log(len(cosines))
        return 1 / (1 + math.exp(-max(-50.0, min(50.0, self.slope * level + self.offset))))


def load_grounding(folder: Path | None = None) -> Grounding:
    """Read the model `grounding`; raises `UserError` where it is missing or damaged."""
    folder = models_dir() / NAME if folder is None else folder
    card = load_card(folder / "card.toml")
    sizes = dict(card.architecture)
    try:
        temperature, slope, offset = (float(sizes[name]) for name in ("temperature", "slope", "offset"))
        names = {field.name for field in dataclasses.fields(GroundingConfig)}
        net = Grounder(GroundingConfig(**{name: value for name, value in sizes.items() if name in names})).eval()
        state = {name: value.float() for name, value in load_file(folder / "weights.safetensors").items()}
        net.load_state_dict(state)
    except Exception as error:  # each reader has its own kinds
        raise UserError(f"the model in {folder} can't be read ({type(error).__name__}); install again.") from error
    if not all(value.isfinite().all() for value in state.values()):
        raise UserError(f"the model in {folder} holds numbers that are not finite; install again.")
    return Grounding(net, card, temperature, slope, offset)


def save_grounding(folder: Path, state: Mapping[str, Tensor], card: ModelCard, **sizes: Any) -> None:
    """Write weights in fp16 and the card, completed with `sizes`, the number of parameters and the digest."""
    folder.mkdir(parents=True, exist_ok=True)
    data = save({name: value.detach().half().contiguous() for name, value in state.items()})
    (folder / "weights.safetensors").write_bytes(data)
    whole = dataclasses.replace(
        card,
        architecture={**card.architecture, **sizes},
        parameters=sum(value.numel() for value in state.values()),
        sha256=hashlib.sha256(data).hexdigest(),
    )
    save_card(whole, folder / "card.toml")
