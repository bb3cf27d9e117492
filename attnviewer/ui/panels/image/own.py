"""A captioner of the user's own in the image panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnviewer.ui.installed import takes_others

if TYPE_CHECKING:
    from attnviewer.ui.panels.image.panel import ImagePanel


def open_model(panel: ImagePanel, folder: str) -> None:
    """Let the captioner in a folder write the caption, and offer it among the models from now on."""
    state = panel.state
    mode = next((mode for mode in state.modes if takes_others(mode)), None)
    if mode is None:
        return
    state.opened = tuple(dict.fromkeys((*state.opened, folder)))
    state.lead = mode
    if state.main != mode:
        state.mode = mode
    panel.desk.wanted.emit("image")
    panel.choose_model(folder)
    panel.show_all()
