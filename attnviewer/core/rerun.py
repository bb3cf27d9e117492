"""The request that a trace was made with, read back from its plain data, so that the run can be made again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from attnviewer.core.ablation import Ablation, Changes
from attnviewer.core.covers import Cover
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture, load_picture
from attnviewer.core.interventions import Intervention
from attnviewer.core.request import AttendRequest, CaptionRequest, Decoding, QueryRequest, Request, TranslateRequest
from attnviewer.core.trace import Trace

REQUESTS: dict[str, type[Any]] = {
    kind.task: kind for kind in (CaptionRequest, TranslateRequest, QueryRequest, AttendRequest)
}


def request_of(trace: Trace, picture: Picture | None = None, *, other: bool = False) -> Request:
    """The request of a trace; its photo is `picture`, or the one at the path that the trace remembers. With
    `other` the photo may be another one.

    Raises `UserError` where the trace tells of no run, or its photo is gone or another.
    """
    data = trace.request
    if data.get("task") not in REQUESTS:
        raise UserError(tr("this trace doesn't tell what it was made with; run it anew."))
    kind = REQUESTS[data["task"]]
    given = {field.name: data[field.name] for field in fields(kind) if field.name in data}
    try:
        made = {name: _READ.get(name, _tuples)(value) for name, value in given.items() if name != "picture"}
        if given.get("change") is not None:
            made["change"] = CHANGES[kind](given["change"])
        asked: Request = kind(**made, **_photo(given, picture, other))
    except (TypeError, ValueError, AttributeError, KeyError):
        raise UserError(tr("what this trace was made with is damaged; run it anew.")) from None
    return asked


def _photo(given: Mapping[str, Any], picture: Picture | None, other: bool) -> dict[str, Picture]:
    """The photo of a request that has one; raises `UserError` where it is gone, or another that must not be."""
    known = given.get("picture")
    if known is None:
        return {}
    if picture is None:
        if not known.get("path") or not Path(known["path"]).is_file():
            raise UserError(tr("the photo of this trace isn't at hand; name it."))
        picture = load_picture(Path(known["path"]))
    if not other and known.get("sha256") and known["sha256"] != picture.sha256:
        raise UserError(tr("this is another photo than the one of the trace; name the same file."))
    return {"picture": picture}


def _arguments(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _tuples(value) for name, value in data.items()}


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, (list, tuple)) else value


_READ: dict[str, Callable[[Any], Any]] = {
    "decoding": lambda data: Decoding(**data),
    "interventions": lambda data: tuple(Intervention(**_arguments(one)) for one in data),
    "covers": lambda data: tuple(Cover(**_arguments(one)) for one in data),
}


def _ablation(data: Mapping[str, Any]) -> Ablation:
    return Ablation(**_arguments(data))


def _changes(data: Mapping[str, Any]) -> Changes:
    return Changes(**{part: _ablation(inside) for part, inside in data.items()})


CHANGES: dict[type[Any], Callable[[Mapping[str, Any]], Ablation | Changes]] = {
    AttendRequest: _ablation, CaptionRequest: _changes, TranslateRequest: _changes,
}  # fmt: skip
