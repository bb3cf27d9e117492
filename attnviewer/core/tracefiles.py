"""Traces as files: JSON, and npz without pickled objects, which holds the photo as well."""

from __future__ import annotations

import dataclasses
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from attnviewer.core.errors import DAMAGED, UserError, reason
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.photos import pack, unpack
from attnviewer.core.reading import read_bytes, read_text
from attnviewer.core.saving import remember_photo
from attnviewer.core.serial import dict_to_trace, step_to_dict, trace_to_dict
from attnviewer.core.trace import Trace
from attnviewer.core.writing import replacing, spare

ARRAYS = ("weights", "scores", "origin")  # of the steps, which an npz file keeps each as one


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
        rest = step_to_dict(dataclasses.replace(step, weights=np.zeros((0, 0), np.float32), **_kept(arrays)))
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


SAVED = (".json", ".npz")  # how the names of traces end
_WRITERS: dict[str, Callable[[Trace, Path, Picture | None], None]] = {".json": _write_json, ".npz": _write_npz}
_READERS: dict[str, Callable[[Path], tuple[Any, Any]]] = {".json": _read_json, ".npz": _read_npz}
