"""A saved caption in the image panel: every view reads it, and no model runs until something else is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnviewer.core.again import again, compared, other_photo
from attnviewer.core.errors import UserError
from attnviewer.core.images import Picture
from attnviewer.core.modes import MODES, of
from attnviewer.core.trace import Trace
from attnviewer.ui.panels.image.state import lane_of
from attnviewer.ui.widgets.missing import grey

if TYPE_CHECKING:
    from attnviewer.ui.panels.image.panel import ImagePanel

TASK = "caption"


def mode_of(trace: Trace) -> str:
    """The way to attend that a trace was made with; the first where it doesn't say."""
    asked = str(trace.request.get("attention"))
    return asked if asked in MODES and asked in of(TASK) else of(TASK)[0]


def show_saved(panel: ImagePanel, trace: Trace, picture: Picture | None) -> None:
    """Show a trace as it was saved, over its photo or a grey field."""
    for mode in panel.state.columns:
        panel.desk.worker.cancel(lane_of(mode))
    panel.echoes.stop()
    panel.state.take_saved(mode_of(trace), trace, picture)
    panel.missing.show_for(trace.source if picture is None else None)
    panel.player.clear()
    lay_under(panel, picture or grey(trace.source))
    panel.show_all()
    panel.player.finish(panel.state.count)


def run_again(panel: ImagePanel) -> None:
    """Run a saved caption again as it was asked, to compare."""
    state, mode = panel.state, panel.state.main
    saved, picture = state.traces.get(mode), state.picture
    if saved is None or picture is None:
        return
    try:
        request = again(saved, picture)
    except UserError as error:
        panel.say(str(error), fault=True)
        return
    panel.hands.saved, panel.hands.at = saved, len(saved.steps)
    state.done.discard(mode)
    panel.desk.worker.ask(lane_of(mode), request)


def tell_again(panel: ImagePanel, trace: Trace) -> None:
    """A run has ended; where it was one of a saved caption, say what came of it."""
    saved, panel.hands.saved = panel.hands.saved, None
    if saved is not None and panel.state.picture is not None:
        other = other_photo(saved, panel.state.picture)
        panel.say(compared(saved, trace, other=other), fault=other)


def take_found(panel: ImagePanel, picture: Picture) -> None:
    """Lay the photo that was missing under the maps."""
    panel.state.picture = picture
    lay_under(panel, picture)
    panel.show_all()


def lay_under(panel: ImagePanel, picture: Picture) -> None:
    """Lay a photo under the maps; what was drawn on the one before is gone."""
    panel.stages.show_picture(picture)
    panel.foot.show_picture(picture)
    panel.hands.take_photo()
