"""What was seen, in words: the numbers of a run filled into a stop's sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence

from attnviewer.core.i18n import tr
from attnviewer.core.lessons.claims import Outcome
from attnviewer.core.lessons.stops import PLACE


def filled(text: str, outcomes: Sequence[Outcome]) -> str:
    """A text with the numbers of the claims in their places."""
    told = {one.claim.name: one.told for one in outcomes}

    def number(place: re.Match[str]) -> str:
        return told.get(place[1], {}).get(place[2], "…")

    return PLACE.sub(number, text)


def astray(outcomes: Sequence[Outcome]) -> str:
    """Where a claim doesn't hold for what was run, say so; "" where all hold."""
    other = [one for one in outcomes if not one.holds]
    if not other:
        return ""
    return tr("On what ran here it came out otherwise ({first} and {second}): one example is no proof.",
              first=other[0].told["first"], second=other[0].told["second"])  # fmt: skip
