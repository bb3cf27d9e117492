"""A saved query in the query panel: every view reads it, and nothing is asked until something is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnviewer.core.content import ContentTrace
from attnviewer.core.images import Picture
from attnviewer.ui.panels.query.state import LANES, REGIONS
from attnviewer.ui.widgets.missing import grey

if TYPE_CHECKING:
    from attnviewer.ui.panels.query.panel import QueryPanel


def show_saved(panel: QueryPanel, trace: ContentTrace, picture: Picture | None) -> None:
    """Show an answer as it was saved, over its photo or a grey field."""
    for lane in LANES:
        panel.desk.worker.cancel(lane)
    panel.state.take_saved(trace, picture)
    regions = panel.state.kind == REGIONS
    panel.source.show_saved(panel.state)
    panel.source.missing.show_for(trace.source if regions and picture is None else None)
    if regions:
        panel.source.show_picture(picture or grey(trace.source))
    panel.show_all()


def take_found(panel: QueryPanel, picture: Picture) -> None:
    """Lay the photo that was missing under the map."""
    panel.state.picture = picture
    panel.source.show_picture(picture)
    panel.show_all()
