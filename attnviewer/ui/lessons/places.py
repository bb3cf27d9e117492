"""Where to look: the names that a lesson gives to widgets.

A name is `panel.place`, such as `image.words`. A row says how the widget is reached from its panel; any other name is
looked for among the object names below the panel, so that a new widget needs no row.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from attnviewer.ui.panels.base import Panel

PLACES: Mapping[str, str] = {
    "image.stage": "stages",
    "image.story": "story",
    "image.words": "side.chips",
    "image.next": "side.bars",
    "image.facts": "side.facts",
    "image.strip": "strip",
    "translate.stage": "stage",
    "translate.shuffle": "stage.shuffle",
    "translate.seen": "stage.seen",
    "translate.next": "side.bars",
    "translate.sentence": "head",
    "query.photo": "source",
    "query.score": "side.score",
    "query.temperature": "side.heat",
    "query.query": "side.fields.query-first",
    "query.items": "side.items",
    "transformer.stage": "stack",
    "transformer.text": "head",
    "transformer.change": "views.change",
    "transformer.positions": "views.change.flags.positions",
    "transformer.layers": "views.glance.links",
    "transformer.context": "views.context.plot",
    "transformer.layer": "views.layer",
    "transformer.cost": "views.cost",
    "foundations.stage": "stack",
    "mlp.count": "experiment.dense_count",
    "mlp.cost": "experiment.cost_plot",
    "mlp.shift": "experiment.shift_plot",
    "field.patches": "experiment.patch_view",
    "documents.matrix": "experiment.matrix",
    "documents.alike": "experiment.likeness",
}


def find(panel: Panel, name: str) -> QWidget | None:
    """The widget of a name in a panel; None where there is none now."""
    path = PLACES.get(name)
    if path is None:
        return panel.findChild(QWidget, name) if name else None
    found: object = panel
    for part in path.split("."):
        try:
            found = found[part] if isinstance(found, Mapping) else attrgetter(part)(found)
        except (AttributeError, KeyError):
            return None
    return found if isinstance(found, QWidget) else None
