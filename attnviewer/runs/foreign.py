"""Attention of a model of the user's own as a run."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from attnviewer.core.attend import attend_trace
from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.i18n import tr
from attnviewer.core.request import AttendRequest
from attnviewer.core.serial import request_to_dict
from attnviewer.core.trace import Source, Trace
from attnviewer.zoo.foreign.base import Foreign

Run = Generator[Progress | Trace, None, Trace]


def attend_foreign(request: AttendRequest, model: Foreign) -> Run:
    """Let a model look at the text or picture of a request; the trace has one step a token or chosen word."""
    maps = yield from model.maps(request.text, request.picture, request.change)
    layers = len(maps.weights)
    if request.layer is not None and request.layer >= layers:
        raise UserError(
            tr("{model} has layers 0 to {last}; layer {layer} is none.",
               model=model.name, last=layers - 1, layer=request.layer)
        )  # fmt: skip
    made = attend_trace(
        model.name, request.text or "", maps.tokens, maps.weights, None, request_to_dict(request), None, maps.pieces,
        request.layer, maps.words, maps.notes, maps.grid,
    )  # fmt: skip
    outside = maps.outside
    if outside is not None and request.layer is not None:
        outside = outside[:, request.layer * model.heads : (request.layer + 1) * model.heads]
    steps = made.steps
    if maps.logprobs is not None:
        steps = tuple(replace(step, logprob=chance) for step, chance in zip(steps, maps.logprobs, strict=True))
    picture = request.picture
    source = made.source if picture is None else Source("image", picture.path, picture.width, picture.height)
    trace = replace(made, steps=steps, source=source, outside=outside)
    yield trace
    return trace
