"""What a study of what matters says in plain words; a word's probability as places are covered in several orders."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from attnviewer.core.explore.findings import Matter
from attnviewer.core.i18n import later, tr
from attnviewer.core.story import percent

ORDERS = ATTENTION, GRADIENT, OCCLUSION, RANDOM = "attention", "gradient", "occlusion", "random"
NAMES = {
    ATTENTION: later("Attention"), GRADIENT: later("Gradient"), OCCLUSION: later("Covered alone"),
    RANDOM: later("At random"),
}  # fmt: skip
TIPS = {
    ATTENTION: later("Where the model looked when it chose this word, most first"),
    GRADIENT: later("Where a small change would change the word's log-probability most: the size of its gradient"),
    OCCLUSION: later("Each place covered alone: those whose loss costs the word most come first"),
    RANDOM: later("The mean of several random orders: what any order must beat"),
}
CLEARLY = 0.9  # an area of at most so much of random's says that the order found what matters
VERDICTS = {
    "matters": later("So the places it looked at matter for this word."),
    "hardly": later("So the places it looked at matter hardly more than any others."),
    "not": later("So other places matter more than those it looked at."),
}
ALIKE = ((0.5, later("much alike")), (0.25, later("somewhat alike")), (0.1, later("hardly alike")))


def at_share(curve: Sequence[float], steps: int, share: float = 0.25) -> float:
    """The value of a curve where this share of the places is covered."""
    return float(np.interp(share * steps, np.arange(len(curve)), curve))


def verdict(found: Matter) -> str:
    """Whether the places looked at matter: "matters", "hardly", "not", or "" while it can't be told."""
    areas = found.deletion_area
    if ATTENTION not in areas or RANDOM not in areas:
        return ""
    ratio = areas[ATTENTION] / areas[RANDOM] if areas[RANDOM] > 0 else 1.0
    return "matters" if ratio <= CLEARLY else "hardly" if ratio <= 2 - CLEARLY else "not"


def told(found: Matter) -> str:
    """One or two sentences in plain words, with the numbers; as much of them as is known."""
    said = verdict(found)
    if not said:
        return ""
    own, chance = (at_share(found.deletion[name], found.steps) for name in (ATTENTION, RANDOM))
    first = tr(
        "“{word}” has a probability of {whole}. Cover the quarter that it looked at most, and that becomes {own}; "
        "cover as much at random: {chance}.",
        word=found.words[found.word], own=percent(own), whole=percent(found.probability), chance=percent(chance),
    )  # fmt: skip
    return f"{first} {tr(VERDICTS[said])}"


def agreed(found: Matter) -> str:
    """How far attention and gradient agree; "" where it can't be told."""
    if found.tau is None:
        return ""
    how = next((text for least, text in ALIKE if found.tau >= least), None)
    if how is None:
        how = later("not alike") if found.tau > -ALIKE[-1][0] else later("rather the other way round")
    return tr("Attention and gradient rank the places {how}: Kendall's tau {tau}.", how=tr(how), tau=f"{found.tau:.2f}")


def table(found: Matter) -> list[list[str]]:
    """The areas as rows of a table, the first of them names."""
    rows = [[tr("order"), tr("deletion"), tr("insertion")]]
    for name in ORDERS:
        if name in found.deletion_area:
            areas = found.deletion_area[name], found.insertion_area[name]
            rows.append([tr(NAMES[name]), *(f"{one:.3f}" for one in areas)])
    return rows


def place_table(found: Matter) -> list[list[str]]:
    """How much each place counts, as rows of a table; of places that have names."""
    orders = [name for name in ORDERS if name in found.maps]
    rows = [[tr("word read"), *(tr(NAMES[name]) for name in orders)]]
    return rows + [[place, *(f"{float(found.maps[name][n]):.4f}" for name in orders)]
                   for n, place in enumerate(found.places)]  # fmt: skip
