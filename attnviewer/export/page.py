"""A trace as one page for a browser: the words to click, the map or the links of each, and what almost came instead.

The page needs nothing beside itself: the photo, the numbers and the script are in it, and it fetches nothing.
"""

from __future__ import annotations

import base64
import html
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.lens import has_origins, origins
from attnviewer.core.paths import resources_dir
from attnviewer.core.story import story
from attnviewer.core.trace import Grid, Tokens, Trace
from attnviewer.export.options import Options
from attnviewer.export.paint import lookup, photo_of, source_size, span

LONGEST = 900  # pixels along the longer side of the photo
DIGITS = 5
TEMPLATE = "page.html"


def save_page(trace: Trace, picture: Picture | None, path: Path, options: Options) -> None:
    """Write the page; the same trace gives the same bytes."""
    path.write_text(page(trace, picture, options), encoding="utf-8", errors="replace")


def page(trace: Trace, picture: Picture | None, options: Options) -> str:
    """The page as text."""
    template = (resources_dir() / TEMPLATE).read_text("utf-8")
    data = json.dumps(page_data(trace, picture, options), ensure_ascii=False, allow_nan=False)
    safe = data.replace("<", "\\u003c")  # nothing that a user typed can end the script
    return template.replace("@TITLE@", html.escape(trace.text or trace.model)).replace("@DATA@", safe)


def page_data(trace: Trace, picture: Picture | None, options: Options) -> dict[str, Any]:
    """What the page's script reads."""
    shown = span(trace, None, options)
    return {
        "text": trace.text,
        "model": trace.model,
        "heads": list(trace.heads),
        "range": {"high": shown.high, "uniform": shown.uniform},
        "steps": [_step(trace, word) for word in range(len(trace.steps))],
        "came": _came(trace),
        "table": lookup(options.table).round().astype(int).tolist(),
        "notes": list(trace.notes),
        "say": _sentences(),
        **(_grid(trace, picture) if isinstance(trace.locations, Grid) else _tokens(trace)),
    }


def _step(trace: Trace, word: int) -> dict[str, Any]:
    step = trace.steps[word]
    return {
        "word": step.word,
        "chance": _number(float(np.exp(min(step.logprob, 0.0)))),
        "others": [[other, _number(chance)] for other, chance in step.alternatives],
        "weights": [[_number(value) for value in row] for row in step.weights],
        "taken": step.sampled,
        "gate": None if step.gate is None else _number(step.gate),
        "forced": step.forced,
        "story": story(trace, word),
    }


def _came(trace: Trace) -> list[dict[str, Any]] | None:
    """Where each word came from, for traces that tell."""
    found = origins(trace) if has_origins(trace) else None
    if found is None:
        return None
    return [{"weights": _step(found, word)["weights"], "story": story(found, word)} for word in range(len(found.steps))]


def _grid(trace: Trace, picture: Picture | None) -> dict[str, Any]:
    grid = trace.locations
    assert isinstance(grid, Grid)
    wide, high = source_size(trace, picture)
    left, top, right, bottom = grid.extent
    extent = [left / wide, top / high, right / wide, bottom / high]
    photo = photo_of(trace, picture, LONGEST)
    return {"grid": {"rows": grid.rows, "columns": grid.columns, "extent": extent, "wide": photo.width,
                     "high": photo.height}, "photo": _data_url(photo)}  # fmt: skip


def _tokens(trace: Trace) -> dict[str, Any]:
    tokens = trace.locations
    assert isinstance(tokens, Tokens)
    return {"tokens": list(tokens.tokens)}


def _data_url(photo: Image.Image) -> str:
    store = io.BytesIO()
    photo.save(store, "JPEG", quality=85)
    return f"data:image/jpeg;base64,{base64.b64encode(store.getvalue()).decode()}"


def _number(value: float) -> float:
    return round(float(value), DIGITS)


def _sentences() -> dict[str, str]:
    """The page's own words."""
    return {
        "next": tr("What almost came instead"),
        "play": tr("Play"),
        "pause": tr("Pause"),
        "photo": tr("Photo"),
        "grey": tr("grey"),
        "dim": tr("dim"),
        "colour": tr("colour"),
        "spotlight": tr("spotlight"),
        "cells": tr("Cells"),
        "strength": tr("Strength"),
        "looked": tr("Looked at"),
        "came": tr("Came from"),
        "uniform": tr("The mark at {share} is what every place would get if the network looked everywhere alike."),
        "here": tr("of the attention for"),
        "caveat": tr(
            "Bright means much attention. A map shows what was weighed, not why: the network can look at a place and "
            "not use it. The map of a word is the one by which it was chosen, so it was made before the word was known."
        ),
        "head": tr("Head"),
        "mean": tr("mean of all"),
    }
