"""The four things to do with one photo in the experiment with fields: a row each."""

from __future__ import annotations

from dataclasses import dataclass

from attnviewer.core.i18n import later

UNIT, LISTEN, PATCH, SWAP = "unit", "listen", "patch", "swap"


@dataclass(frozen=True)
class Way:
    """One of them: its name and tooltip, what to do with the photo, and the button that does it afresh."""

    key: str
    name: str
    tip: str
    hint: str
    again: str


WAYS = (
    Way(
        UNIT,
        later("Unit"),
        later("Click a unit and see its field"),
        later(
            "Click the photo, or move with the arrow keys. The box is what the unit can see; the glow is what it does "
            "see: the gradient of the unit to each pixel."
        ),
        later("Middle unit"),
    ),
    Way(
        LISTEN,
        later("Attend"),
        later("Which places a place listens to in self-attention, at any distance"),
        later(
            "Click a place. In self-attention it compares its query with the key of every other place, near or far. "
            "The box is what a 3x3 convolution would reach from there in one step."
        ),
        later("Middle place"),
    ),
    Way(
        PATCH,
        later("Patch"),
        later("Cut a patch out, and let the captioner say what it is"),
        later(
            "Click a place. Patches of growing size are cut out there, each on its own, and the captioner says what it "
            "sees."
        ),
        later("Where it looked"),
    ),
    Way(
        SWAP,
        later("Swap"),
        later("Two squares change places: who notices?"),
        later("Click to move the nearer square. Only units whose field holds a part of a square can notice."),
        later("Swap again"),
    ),
)
