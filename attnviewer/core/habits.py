"""What each head of a net tends to do, and how much is lost without it: measured once, and written on the card."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from attnviewer.core.i18n import later, tr

MIXED = "mixed"
LABELS = {  # what a head can be found to look at, and how that is said
    "previous": later("previous token"),
    "next": later("next token"),
    "first": later("first token"),
    "same": later("same word"),
    "aligned": later("aligned word"),
    "read": later("aligned word of the word before"),
    "punctuation": later("punctuation"),
    MIXED: later("no one thing"),
}


@dataclass(frozen=True)
class Habit:
    """What a head tends to do.

    Parameters
    ----------
    does : a key of `LABELS`.
    share : of its weight, 0..1, that lies there, on the average of the words that have such a place.
    lost : BLEU points that are lost with the head switched off; None where that wasn't measured.
    """

    does: str
    share: float
    lost: float | None = None

    @property
    def label(self) -> str:
        """What it does, in the language of the user."""
        return tr(LABELS[self.does])


def habits_of(table: Any) -> dict[str, Habit]:
    """The habits by the names of heads, of a card's table; raises `ValueError` that says what it should be."""
    if not isinstance(table, Mapping) or not all(isinstance(row, Mapping) for row in table.values()):
        raise ValueError("a table of heads")
    return {str(name): _habit(row) for name, row in table.items()}


def _habit(row: Mapping[str, Any]) -> Habit:
    does, numbers = row.get("does"), [row.get("share"), row.get("lost", 0)]
    sound = all(isinstance(one, int | float) and math.isfinite(one) for one in numbers)
    if does not in LABELS or not sound:
        raise ValueError(f"a table of heads, each with share, lost and does, one of {', '.join(LABELS)}")
    lost = row.get("lost")
    return Habit(str(does), float(row["share"]), None if lost is None else float(lost))
