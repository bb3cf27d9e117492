"""Traces and requests as plain data in the form `attnviewer/trace/1`; `tracefiles` writes and reads their files."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from attnviewer.core.content import ContentTrace
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.lookups import has_lookups, lookups_to_dict, with_lookups
from attnviewer.core.trace import SCHEMA, Floats, Grid, Locations, Source, Step, Tokens, Trace

LOWEST = float(np.finfo(np.float32).min)
HIGHEST = float(np.finfo(np.float32).max)
QUERY = "query"  # the task whose traces have look-ups
Plain = dict[str, Any]


def trace_to_dict(trace: Trace) -> Plain:
    """The trace as plain data; infinite scores and logprobs become the lowest or highest float32 number."""
    beside = {"query": lookups_to_dict(trace)} if isinstance(trace, ContentTrace) and has_lookups(trace) else {}
    return {
        "schema": SCHEMA,
        "task": trace.task,
        "model": trace.model,
        "text": trace.text,
        "source": _source_to_dict(trace.source),
        "locations": _LOCATIONS_OUT[trace.locations.kind](trace.locations),
        "heads": list(trace.heads),
        "steps": [step_to_dict(step) for step in trace.steps],
        "request": request_to_dict(trace.request),
        "notes": list(trace.notes),
        **({"inside": _inside(trace)} if trace.request.get("box") else {}),
        **beside,
    }


def _inside(trace: Trace) -> Plain:
    """What a box over the photo says."""
    from attnviewer.core.boxed import told

    return told(trace)


def dict_to_trace(data: Mapping[str, Any]) -> Trace:
    """The trace that `trace_to_dict` made; raises `UserError` where `data` isn't one."""
    if not isinstance(data, Mapping) or data.get("schema") != SCHEMA:
        raise UserError(
            tr("this is no trace: its schema must be {schema}; give a file saved by attnviewer.", schema=SCHEMA)
        )
    try:
        locations = _LOCATIONS_IN[data["locations"]["kind"]](data["locations"])
        trace = Trace(
            task=str(data["task"]),
            model=str(data["model"]),
            source=_source_from_dict(data["source"]),
            locations=locations,
            heads=tuple(map(str, data["heads"])),
            steps=tuple(_step_from_dict(step, len(locations)) for step in data["steps"]),
            request=dict(data.get("request") or {}),
            notes=tuple(map(str, data.get("notes") or ())),
        )
        return with_lookups(trace, data.get("query")) if trace.task == QUERY else trace
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        raise UserError(tr("this trace is damaged ({one_line}); save it again.", one_line=_one_line(error))) from None


def request_to_dict(request: Any) -> Plain:
    """A request as plain data; a picture gives its path, its size and its hash, not its pixels."""
    return dict(plain(request))


def plain(request: Any) -> Any:
    """Any value inside a request as plain data."""
    if isinstance(request, Picture):
        return {"path": request.path, "width": request.width, "height": request.height, "sha256": request.sha256}
    if dataclasses.is_dataclass(request) and not isinstance(request, type):
        head = {"task": request.task} if hasattr(request, "task") else {}
        names = [field.name for field in dataclasses.fields(request)]
        return head | {name: plain(getattr(request, name)) for name in names}
    if isinstance(request, Mapping):
        return {str(key): plain(value) for key, value in request.items()}
    if isinstance(request, (list, tuple)):
        return [plain(value) for value in request]
    return _scalar(request)


def step_to_dict(step: Step) -> Plain:
    """One word with its maps as plain data."""
    return {
        "word": step.word,
        "logprob": None if math.isnan(step.logprob) else _number(step.logprob),
        "alternatives": [[word, _number(chance)] for word, chance in step.alternatives],
        "weights": _rows(step.weights),
        "scores": None if step.scores is None else _rows(step.scores),
        "sampled": None if step.sampled is None else int(step.sampled),
        "gate": None if step.gate is None else _number(step.gate),
        "forced": bool(step.forced),
        "unknown": bool(step.unknown),
        "bits": None if step.bits is None else _number(step.bits),
        "origin": None if step.origin is None else _rows(step.origin[None])[0],
        "outside": None if step.outside is None else _rows(step.outside[None])[0],
        **({"found": step.found} if step.found else {}),
    }


def _step_from_dict(data: Mapping[str, Any], length: int) -> Step:
    scores, sampled, gate, bits, origin = (data.get(n) for n in ("scores", "sampled", "gate", "bits", "origin"))
    return Step(
        word=str(data["word"]),
        logprob=math.nan if data["logprob"] is None else float(data["logprob"]),
        weights=_array(data["weights"], length),
        alternatives=tuple((str(word), float(chance)) for word, chance in data.get("alternatives") or ()),
        scores=None if scores is None else _array(scores, length),
        sampled=None if sampled is None else int(sampled),
        gate=None if gate is None else float(gate),
        forced=bool(data.get("forced", False)),
        unknown=bool(data.get("unknown", False)),
        bits=None if bits is None else float(bits),
        origin=None if origin is None else _array([origin], length)[0],
        outside=None if data.get("outside") is None else np.asarray(data["outside"], dtype=np.float32),
        found=str(data.get("found") or ""),
    )


def _rows(values: Floats) -> list[list[float]]:
    """Shortest decimals that read back as the same float32 numbers."""
    bounded = np.nan_to_num(values, nan=np.nan, posinf=HIGHEST, neginf=LOWEST)
    return [[float(str(value)) for value in row] for row in bounded]


def _array(rows: Any, length: int) -> Floats:
    return np.asarray(rows, dtype=np.float32).reshape(len(rows), length)


def _number(value: float) -> float:
    return min(max(float(value), LOWEST), HIGHEST) if math.isinf(value) else float(value)


def _scalar(value: Any) -> Any:
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    return str(value) if isinstance(value, Path) else value


def _source_to_dict(source: Source) -> Plain:
    image = {"kind": source.kind, "path": source.path, "width": source.width, "height": source.height}
    return image if source.kind == "image" else {"kind": source.kind, "text": source.text}


def _source_from_dict(data: Mapping[str, Any]) -> Source:
    return Source(str(data["kind"]), *(data.get(name) for name in ("path", "width", "height", "text")))


def _grid_in(data: Mapping[str, Any]) -> Grid:
    left, top, right, bottom = map(float, data["extent"])
    return Grid(int(data["rows"]), int(data["columns"]), (left, top, right, bottom))


def _grid_out(grid: Any) -> Plain:
    return {"kind": "grid", "rows": grid.rows, "columns": grid.columns, "extent": [float(side) for side in grid.extent]}


def _tokens_out(tokens: Any) -> Plain:
    numbered = {} if tokens.numbers is None else {"numbers": list(tokens.numbers)}
    return {"kind": "tokens", "tokens": list(tokens.tokens)} | numbered


def _tokens_in(data: Mapping[str, Any]) -> Tokens:
    numbers = data.get("numbers")
    return Tokens(tuple(map(str, data["tokens"])), None if numbers is None else tuple(map(int, numbers)))


def _one_line(error: Exception) -> str:
    what = f"{error.args[0]} is missing" if isinstance(error, KeyError) else str(error)
    return " ".join(what.split())


_LOCATIONS_OUT: dict[str, Callable[[Any], Plain]] = {
    "grid": _grid_out,
    "tokens": _tokens_out,
}
_LOCATIONS_IN: dict[str, Callable[[Any], Locations]] = {
    "grid": _grid_in,
    "tokens": _tokens_in,
}
