"""Panels: the table of what the window can show. A new panel is one row here and one pair of files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attnviewer.ui.desk import Desk
    from attnviewer.ui.panels.base import Panel


@dataclass(frozen=True)
class PanelSpec:
    """One panel: its key in the settings, its name and icon on the rail, its tooltip, and how to make it."""

    key: str
    name: str
    glyph: str
    tip: str
    make: Callable[[Desk], Panel]


def _image(desk: Desk) -> Panel:
    from attnviewer.ui.panels.image import ImagePanel

    return ImagePanel(desk)


def _translate(desk: Desk) -> Panel:
    from attnviewer.ui.panels.translate import TranslatePanel

    return TranslatePanel(desk)


def _ask(desk: Desk) -> Panel:
    from attnviewer.ui.panels.ask import AskPanel

    return AskPanel(desk)


PANELS: tuple[PanelSpec, ...] = (
    PanelSpec("image", "Image", "image", "Caption a photo and see where the model looked for each word", _image),
    PanelSpec(
        "translate", "Translate", "translate", "Translate a sentence and see which word each word came from", _translate
    ),
    PanelSpec("ask", "Query", "ask", "Ask regions, words or lines by content", _ask),
)
