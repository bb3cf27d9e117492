"""Traces as numbers for other programs: JSON, npz, and CSV with a row per word and location."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attnviewer.core.boxed import area, box_of, shares
from attnviewer.core.images import Picture
from attnviewer.core.lens import cell_rect
from attnviewer.core.trace import Grid, Step, Trace
from attnviewer.core.tracefiles import write_trace
from attnviewer.export.options import Options

COLUMNS = (
    "step", "word", "logprob", "forced", "sampled", "gate", "head", "location",
    "row", "column", "left", "top", "right", "bottom", "token", "weight", "score",
)  # fmt: skip
BOXED = ("inside_box", "box_area")


def save_data(trace: Trace, picture: Picture | None, path: Path, options: Options) -> None:
    """Write `.json`, or `.npz` with the photo in it; the options play no part."""
    write_trace(trace, path, picture)


def save_csv(trace: Trace, picture: Picture | None, path: Path, options: Options) -> None:
    """Write a row per word, head and location; a word without attention has one row with those columns empty.

    Where the trace has a box, two columns more tell how much of the word's attention lies in it, and its area.
    """
    with path.open("w", encoding="utf-8", errors="replace", newline="") as file:
        writer = csv.writer(file)
        box = box_of(trace)
        if box is None:
            writer.writerow(COLUMNS)
            writer.writerows(rows(trace))
            return
        writer.writerow((*COLUMNS, *BOXED))
        found, size = shares(trace, box), area(box)
        writer.writerows((*row, found[row[0]], size) for row in rows(trace))


def rows(trace: Trace) -> Iterator[tuple[Any, ...]]:
    """The rows of the CSV form, in the order of `COLUMNS`."""
    places = [_place(trace, location) for location in range(len(trace.locations))]
    nowhere = (None,) * (len(COLUMNS) - 6)
    for number, step in enumerate(trace.steps):
        word = (number, step.word, step.logprob, int(step.forced), step.sampled, step.gate)
        if not len(step.weights):
            yield (*word, *nowhere)
        for head, name in enumerate(trace.heads if len(step.weights) else ()):
            for location, place in enumerate(places):
                yield (*word, name, location, *place, *_values(step, head, location))


def _place(trace: Trace, location: int) -> tuple[Any, ...]:
    """Row, column and rectangle in pixels of a cell; or the token."""
    if isinstance(trace.locations, Grid):
        return (*divmod(location, trace.locations.columns), *cell_rect(trace.locations, location), None)
    return (None,) * 6 + (trace.locations.tokens[location],)


def _values(step: Step, head: int, location: int) -> tuple[Any, Any]:
    score = None if step.scores is None else str(step.scores[head, location])
    return str(step.weights[head, location]), score
