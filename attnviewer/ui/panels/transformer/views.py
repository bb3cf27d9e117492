"""The views of the Transformer panel, a row each, and the nets that can read in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from attnviewer.core.added import added_models
from attnviewer.core.card import sound_cards
from attnviewer.core.i18n import later, tr
from attnviewer.core.paths import shelf

HERE = "attnviewer.ui.panels.transformer"
READER, ENGLISH = "transformer-translator", "all-MiniLM-L6-v2"


@dataclass(frozen=True)
class View:
    """One way to look: its key, name, tip, and the class that shows the state, as "module:Class".

    `text` and `heads` tell whether the line of text and the choosers of layer and head above belong to it.
    """

    key: str
    name: str
    tip: str
    home: str
    text: bool = True
    heads: bool = True

    def make(self) -> Any:
        """Import the view and make it."""
        module, _, name = self.home.partition(":")
        return getattr(import_module(f"{HERE}.{module}"), name)()


VIEWS = (
    View("steps", later("Step by step"), later("Build self-attention up, matrix by matrix"), "steps:StepsView"),
    View("glance", later("Heads"), later("All heads of all layers at a glance"), "glance:GlanceView"),
    View("change", later("Change"), later("Switch heads off, mask, and see what that does"), "change:ChangeView"),
    View(
        "layer",
        later("Layer"),
        later("One layer unrolled: how much each part adds to a token's vector"),
        "layer:LayerView",
    ),
    View(
        "positions",
        later("Positions"),
        later("How a net is told where tokens stand"),
        "positions:PositionsView",
        heads=False,
    ),
    View(
        "context",
        later("Context"),
        later("One word in two sentences, layer by layer"),
        "context:ContextView",
        False,
        False,
    ),
    View(
        "pair",
        later("Decoder"),
        later("Encoder, decoder and the look between them, masks and all"),
        "pair:PairView",
        False,
        False,
    ),
    View(
        "beside",
        "RNN",
        later("RNN beside Transformer: one sentence, both maps, one clock"),
        "beside:BesideView",
        False,
        False,
    ),
    View(
        "cost",
        later("Cost"),
        later("What self-attention, recurrence and convolution cost"),
        "cost:CostView",
        heads=False,
    ),
)


def readers(opened: Sequence[str] = ()) -> list[tuple[str, str]]:
    """The nets that can read here, by id and name: the English encoder, the encoders of installed translators, models
    that were added, and the folders that were `opened`.
    """
    own = [(card.id, tr("{id} (Spanish)", id=card.id)) for card in sound_cards(shelf())[0] if card.kind == READER]
    added = [(one.name, one.name) for one in added_models().values()]
    return [
        ("", tr("{name} (English)", name=ENGLISH)),
        *own,
        *added,
        *((folder, Path(folder).name) for folder in opened),
    ]
