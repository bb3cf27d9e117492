"""A way to attend that the program doesn't have."""

from __future__ import annotations

from attnviewer.core.modes import Mode, Use

DREAM = Mode(
    "dream",
    {"caption": Use("Dream", "Dreaming attention", "it looks at what isn't there", place=4)},
    shortcut="Z",
    colour="danger",
    dash="dotted",
)
