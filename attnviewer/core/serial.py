"""Traces and requests as plain data: JSON in the form `attnviewer/trace/1`, and npz without pickled objects."""

from __future__ import annotations

import dataclasses
import io
import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from attnviewer.core.content import ContentTrace
from attnviewer.core.errors import DAMAGED, UserError, reason
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.lookups import has_lookups, lookups_to_dict, with_lookups
from attnviewer.core.photos import pack, unpack
from attnviewer.core.reading import read_bytes, read_text
from attnviewer.core.saving import remember_photo
from attnviewer.core.trace import SCHEMA, Floats, Grid, Locations, Source, Step, Tokens, Trace
from attnviewer.core.writing import replacing, spare

LOWEST = float(np.finfo(np.float32).min)
HIGHEST = float(np.finfo(np.float32).max)
QUERY = "query"  # the task whose traces have look-ups
ARRAYS = ("weights", "scores", "origin")  # of the steps, which an npz file keeps each as one
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
        "steps": [_step_to_dict(step) for step in trace.steps],
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


def save_trace(trace: Trace, path: Path, picture: Picture | None = None) -> None:
    """Write `path` in the form that its suffix names; raises `UserError` for another suffix or an unwritable place."""
    if path.suffix.lower() not in _WRITERS:
        raise UserError(
            tr(
                "a trace can't be saved as {name}; end the name in {writers}.",
                name=path.name,
                writers=" or ".join(_WRITERS),
            )
        )
    spare([path], [trace.source.path] if trace.source.path else [])
    try:
        with replacing(path) as draft:
            write_trace(trace, draft, picture)
    except OSError as error:
        raise UserError(
            tr("can't write {path}: {reason}; choose another place.", path=path, reason=reason(error))
        ) from None


def write_trace(trace: Trace, path: Path, picture: Picture | None = None) -> None:
    """Write straight to `path`, for whoever holds a draft of the file; raises `OSError` as writing does.

    An `.npz` file takes the photo along, at most 1,024 pixels long.
    """
    _WRITERS[path.suffix.lower()](trace, path, picture)


def load_trace(path: Path) -> Trace:
    """Read a `.json` or `.npz` trace, or the weights of another program; raises `UserError` where there are none."""
    from attnviewer.core.foreign import is_foreign, load_foreign

    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise UserError(
            tr(
                "{name} is no saved trace; give a file that ends in {readers}.",
                name=path.name,
                readers=" or ".join(_READERS),
            )
        )
    try:
        if path.suffix.lower() == ".npz" and is_foreign(path):
            return remember_photo(*load_foreign(path))
        data, photo = reader(path)
        trace = dict_to_trace(data)
        return remember_photo(trace, None if photo is None else unpack(photo, trace.source))
    except UserError as error:
        raise UserError(f"{path.name}: {error}") from None
    except OSError as error:
        raise UserError(
            tr("can't read {path}: {reason}; check the file.", path=path, reason=reason(error, DAMAGED))
        ) from None
    except Exception:  # a damaged file makes the readers raise nearly anything
        raise UserError(tr("{name} holds no trace; give a file saved by attnviewer.", name=path.name)) from None


def _step_to_dict(step: Step) -> Plain:
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


def _write_json(trace: Trace, path: Path, picture: Picture | None) -> None:
    path.write_text(trace.to_json() + "\n", encoding="utf-8", errors="replace")  # names may not be UTF-8


def _write_npz(trace: Trace, path: Path, picture: Picture | None) -> None:
    """Arrays under their own names for other programs, and the rest as one JSON text."""
    data = trace_to_dict(_bare(trace))
    arrays: dict[str, Any] = {"words": np.array(trace.words, dtype=np.str_), "logprobs": trace.logprobs}
    arrays["weights"] = trace.weights
    if trace.scores is not None:
        arrays["scores"] = trace.scores
    origins = [step.origin for step in trace.steps if step.origin is not None]
    if origins and len(origins) == len(trace.steps):
        arrays["origin"] = np.stack(origins)
    for step, plain_step in zip(trace.steps, data["steps"], strict=True):
        rest = _step_to_dict(dataclasses.replace(step, weights=np.zeros((0, 0), np.float32), **_kept(arrays)))
        plain_step.update({name: rest[name] for name in ARRAYS})
    arrays["trace"] = np.array(json.dumps(data, allow_nan=False))
    if picture is not None and trace.source.kind == "image":
        arrays["photo"] = pack(picture)
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)


def _kept(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a step that are among the arrays, to be left out of the text."""
    return {name: None for name in ("scores", "origin") if name in arrays}


def _bare(trace: Trace) -> Trace:
    """The trace without the arrays that an npz file keeps: millions of numbers needn't be written out for nothing."""
    none = np.zeros((0, len(trace.locations)), np.float32)
    steps = tuple(dataclasses.replace(step, weights=none, scores=None, origin=None) for step in trace.steps)
    return dataclasses.replace(trace, steps=steps)


def _read_json(path: Path) -> tuple[Any, None]:
    return json.loads(read_text(path)), None


def _read_npz(path: Path) -> tuple[Any, Any]:
    with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as arrays:
        data = json.loads(str(arrays["trace"]))
        for name in set(ARRAYS) & set(arrays.files):
            for step, rows in zip(data["steps"], arrays[name], strict=True):
                step[name] = rows
        return data, arrays["photo"] if "photo" in arrays.files else None


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
SAVED = (".json", ".npz")  # how the names of traces end
_WRITERS: dict[str, Callable[[Trace, Path, Picture | None], None]] = {".json": _write_json, ".npz": _write_npz}
_READERS: dict[str, Callable[[Path], tuple[Any, Any]]] = {".json": _read_json, ".npz": _read_npz}
