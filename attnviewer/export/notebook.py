"""What a notebook shows of a trace: a figure, or the page with the words to click."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any

from attnviewer.core.images import Picture
from attnviewer.core.trace import Trace
from attnviewer.export.fonts import letters_of
from attnviewer.export.options import Options
from attnviewer.export.page import page
from attnviewer.export.picture import figure, rendered

DPI, TALL = 90, 720


def as_png(trace: Trace, picture: Picture | None) -> bytes:
    """The figure as the bytes of a PNG file."""
    options = Options(dpi=DPI)
    return rendered(lambda: figure(trace, picture, options), ".png", options, letters_of(trace))


def as_html(trace: Trace, picture: Picture | None) -> str:
    """The page in a frame of its own, so that its style touches nothing else."""
    inside = html.escape(page(trace, picture, Options()))
    return f'<iframe srcdoc="{inside}" width="100%" height="{TALL}" style="border: 0"></iframe>'


FORMS: dict[str, Callable[[Trace, Picture | None], Any]] = {"png": as_png, "html": as_html}
