"""What was measured of the heads of an installed net, as its card has it."""

from __future__ import annotations

from collections.abc import Mapping

from attnviewer.core.card import sound_cards
from attnviewer.core.habits import MIXED, Habit
from attnviewer.core.i18n import tr
from attnviewer.core.paths import shelf

NONE: Mapping[str, Habit] = {}


def habits_of_model(model: str) -> Mapping[str, Habit]:
    """The habits of a net's heads by names such as encoder:0.1; none where nothing was measured."""
    return next((card.heads for card in sound_cards(shelf())[0] if card.id == model), NONE) if model else NONE


def table_of(habits: Mapping[str, Habit], part: str, layers: int, heads: int) -> list[list[Habit | None]]:
    """The habits of one part of a net, a row a layer; empty where none of them was measured."""
    found = [[habits.get(f"{part}:{layer}.{head}") for head in range(heads)] for layer in range(layers)]
    return found if any(one is not None for row in found for one in row) else []


def told(habit: Habit | None) -> str:
    """What was measured of a head, as a phrase; "" where nothing was."""
    if habit is None:
        return ""
    if habit.does == MIXED:
        does = tr("no one thing gets most of its weight")
    else:
        does = tr("{label} gets {share} of its weight", label=habit.label, share=f"{habit.share:.0%}")
    if habit.lost is None:
        return does
    change = f"{-habit.lost:+.2f}".replace("-", "−")
    return tr("{does}; BLEU without it {change}", does=does, change=change)


def short(habit: Habit | None) -> str:
    """The name below a small map; "" where no one thing gets most of the head's weight."""
    return "" if habit is None or habit.does == MIXED else habit.label
