"""What there is to choose from: models by the way they attend, and sample photos."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from attnviewer.core.card import ModelCard, find_cards
from attnviewer.core.errors import UserError
from attnviewer.core.paths import models_dir, resources_dir

MODES = ("soft", "hard", "none")


@dataclass(frozen=True)
class Sample:
    """A photo that ships with the program, and whom to thank for it."""

    path: Path
    title: str
    credit: str


@dataclass(frozen=True)
class Installed:
    """Models for captions by attention mode (each mode's first is its default), and the sample photos.

    `regions` is true where a grounder is there, so that the regions of a photo can be asked.
    """

    models: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: {"soft": ("caption-soft",)})
    samples: tuple[Sample, ...] = ()
    regions: bool = True

    @property
    def modes(self) -> tuple[str, ...]:
        """The attention modes that can be chosen, in the order of the buttons."""
        return tuple(mode for mode in MODES if self.models.get(mode))


def caption_models(cards: list[ModelCard]) -> dict[str, tuple[str, ...]]:
    """The ids of the captioners among some cards, by attention mode."""
    captioners = [card for card in cards if card.task == "caption"]
    return {mode: tuple(card.id for card in captioners if card.attention == mode) for mode in MODES}


def look_around() -> Installed:
    """What is installed; with a broken card there is nothing to choose from, and the first run tells what is wrong."""
    try:
        cards = find_cards(models_dir())
    except UserError:
        return Installed({}, samples(), regions=False)
    return Installed(caption_models(cards), samples(), any(card.task == "grounding" for card in cards))


def samples() -> tuple[Sample, ...]:
    """The photos that ship with the program, in the order in which they are offered."""
    folder = resources_dir() / "images"
    listing = folder / "samples.toml"
    try:
        rows = tomllib.loads(listing.read_text("utf-8"))["sample"]
        return tuple(Sample(folder / row["file"], row["title"], f"{row['credit']}, {row['licence']}") for row in rows)
    except (OSError, ValueError, KeyError, TypeError):  # a damaged listing costs the samples, not the window
        return ()
