"""What a notebook shows of a trace: a figure, or the page with the words to click."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any

from attnviewer.core.images import Picture
from attnviewer.core.trace import Trace
from attnviewer.export.files import as_png, seen
from attnviewer.export.options import Options
from attnviewer.export.page import page

DPI, TALL = 90, 720


def figure_of(trace: Trace, picture: Picture | None) -> bytes:
    """The figure as the bytes of a PNG file."""
    return as_png(trace, picture, Options(dpi=DPI))


def as_html(trace: Trace, picture: Picture | None) -> str:
    """The page in a frame of its own, so that its style touches nothing else."""
    inside = html.escape(page(trace, seen(trace, picture), Options()))
    return f'<iframe srcdoc="{inside}" width="100%" height="{TALL}" style="border: 0"></iframe>'


FORMS: dict[str, Callable[[Trace, Picture | None], Any]] = {"png": figure_of, "html": as_html}
