"""Which panel takes what was opened, dropped or pasted: text files, saved traces, states."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.trace import Trace
from attnviewer.ui.sources import text_file, worth_taking

if TYPE_CHECKING:
    from attnviewer.ui.panels import PanelSpec
    from attnviewer.ui.window import Window


def take(window: Window, mime: QMimeData | None) -> None:
    """Open what was dropped or pasted: a state, a text where a panel has a use for it, or a photo."""
    path = text_file(mime) if mime is not None else None
    if path is not None and take_file(window, path):
        return
    if mime is not None and window.guide.states.paste(mime.text()):
        return
    if mime is None or worth_taking(mime) or not window.panel.take_text(mime.text()):
        window.show_photo(window.opener.open_mime(mime))


def take_file(window: Window, path: Path) -> bool:
    """Give a text file to the panel in sight, else to the first that reads any: lines are asked before translated."""
    others = sorted(window.panels.items(), key=lambda named: not named[1].photos)
    panels = {key: panel for key, panel in others if panel is window.panel} | dict(others)
    for key, panel in panels.items():
        if panel.take_file(path):
            window.show_panel(key)
            return True
    return False


def show_trace(window: Window, specs: Sequence[PanelSpec], trace: Trace, picture: Picture | None) -> None:
    """Show a saved trace in the panel of its task."""
    key = next((spec.key for spec in specs if spec.task == trace.task), None)
    if key is None:
        return window.desk.say(tr("There is no view of {task} traces here; export it.", task=trace.task), fault=True)
    try:
        window.panels[key].show_trace(trace, picture)
    except UserError as error:
        return window.desk.say(str(error), fault=True)
    window.show_panel(key)
    return window.desk.say(tr("A saved trace, made by {model}; no model runs.", model=trace.model), key=key)
