"""What there is to choose from: models by the way they attend, and sample photos."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from attnviewer.core.added import CAPTIONING, added_models
from attnviewer.core.card import ModelCard, sound_cards
from attnviewer.core.i18n import tr
from attnviewer.core.modes import MODES, own
from attnviewer.core.paths import Shelf, resources_dir, shelf

LENGTHS = {"bleu_1_5": "1–5", "bleu_6_10": "6–10", "bleu_11_15": "11–15", "bleu_16": "16+"}
TRANSLATORS = {"soft": ("es-en-attention",), "location": ("es-en-location",), "none": ("es-en-none",)}


@dataclass(frozen=True)
class Sample:
    """A photo that ships with the program, and whom to thank for it.

    Parameters
    ----------
    query : what to ask of it.
    shows : what it teaches, in one line.
    wrong : whether it is there because the network goes wrong on it.
    """

    path: Path
    title: str
    credit: str
    query: str = ""
    shows: str = ""
    wrong: bool = False


@dataclass(frozen=True)
class Sentence:
    """A sentence to translate that ships with the program, what it is there to show, and its words in English."""

    text: str
    shows: str
    gloss: str = ""


@dataclass(frozen=True)
class Installed:
    """Models for captions by attention mode (each mode's first is its default), and the sample photos.

    `regions` is true where a grounder is there, so that the regions of a photo can be asked.
    `translators` are models by attention mode as well, `curves` their BLEU for each of `LENGTHS` of the source, where
    their cards tell it, and `sentences` are the samples to translate. `faults` are lines that say which models are
    broken.
    """

    models: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: {"soft": ("caption-soft",)})
    samples: tuple[Sample, ...] = ()
    regions: bool = True
    translators: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: dict(TRANSLATORS))
    curves: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    sentences: tuple[Sentence, ...] = ()
    faults: tuple[str, ...] = ()
    cards: Mapping[str, ModelCard] = field(default_factory=dict)

    @property
    def modes(self) -> tuple[str, ...]:
        """The attention modes that can be chosen, in the order of the buttons."""
        return tuple(mode for mode in own("caption") if self.models.get(mode))

    @property
    def ways(self) -> tuple[str, ...]:
        """The ways to attend that translators have, in the order of the buttons."""
        return tuple(mode for mode in own("translate") if self.translators.get(mode))


def by_attention(cards: list[ModelCard], task: str) -> dict[str, tuple[str, ...]]:
    """The ids of the models for a task among some cards, by attention mode; nets for lessons are left out."""
    found = [card for card in cards if card.task == task and not card.architecture.get("lesson")]
    return {mode: tuple(card.id for card in found if card.attention == mode) for mode in own(task)}


def takes_others(mode: str) -> bool:
    """Whether captioners that people bring attend in this mode: by content, with a weighted mean of all places."""
    row = MODES[mode]
    return row.by_content and not row.draws and row.net == mode


def curves(cards: list[ModelCard]) -> dict[str, tuple[float, ...]]:
    """BLEU by length of the source of each mode's first translator, where its card tells it."""
    found = {card.attention: card.figures for card in reversed(cards) if card.task == "translate"}
    whole = {mode: found[mode] for mode in own("translate") if mode in found and set(LENGTHS) <= set(found[mode])}
    return {mode: tuple(float(figures[key]) for key in LENGTHS) for mode, figures in whole.items()}


def look_around(models: Path | None = None) -> Installed:
    """What is installed; a broken card costs its own model, and is told."""
    cards, faults = sound_cards(models or shelf())
    regions, told = any(card.task == "grounding" for card in cards), tuple(faults.values())
    captioners, translators = by_attention(cards, "caption"), by_attention(cards, "translate")
    others = [
        one.name for one in added_models(Shelf((models,)) if models else shelf()).values() if one.kind in CAPTIONING
    ]
    captioners = {mode: (*ids, *(others if ids and takes_others(mode) else ())) for mode, ids in captioners.items()}
    return Installed(
        captioners, samples(), regions, translators, curves(cards), sentences(), told, {card.id: card for card in cards}
    )


def sentences() -> tuple[Sentence, ...]:
    """The sentences to translate that ship with the program, short ones first."""
    try:
        rows = tomllib.loads((resources_dir() / "sentences.toml").read_text("utf-8"))["sentence"]
        return tuple(Sentence(row["text"], tr(row["shows"]), tr(row.get("gloss", ""))) for row in rows)
    except (OSError, ValueError, KeyError, TypeError):  # a damaged listing costs the samples, not the window
        return ()


def _sample(folder: Path, row: Mapping[str, Any]) -> Sample:
    credit = f"{row['credit']}, {row['licence']}"
    more = {"query": row.get("query", ""), "shows": tr(row.get("shows", "")), "wrong": bool(row.get("wrong", False))}
    return Sample(folder / row["file"], tr(row["title"]), credit, **more)


def samples() -> tuple[Sample, ...]:
    """The photos that ship with the program, in the order in which they are offered."""
    folder = resources_dir() / "images"
    listing = folder / "samples.toml"
    try:
        rows = tomllib.loads(listing.read_text("utf-8"))["sample"]
        return tuple(_sample(folder, row) for row in rows)
    except (OSError, ValueError, KeyError, TypeError):  # a damaged listing costs the samples, not the window
        return ()
