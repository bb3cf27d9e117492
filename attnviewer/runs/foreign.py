"""Attention of a model of the user's own as a run."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from attnviewer.core.ablation import Ablation
from attnviewer.core.attend import attend_trace, head_name
from attnviewer.core.covers import covered
from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.i18n import tr
from attnviewer.core.request import AttendRequest, CaptionRequest
from attnviewer.core.serial import request_to_dict
from attnviewer.core.trace import Source, Step, Trace
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
        model.name, request.text or "", maps.tokens, maps.weights, None, request_to_dict(request), maps.inside,
        maps.pieces, request.layer, maps.words, maps.notes, maps.grid,
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


def caption_foreign(request: CaptionRequest, model: Foreign) -> Run:
    """Let a model of the user's own caption a photo; yields the growing trace word by word, each with its map.

    Raises `UserError` for a model that writes no captions, and for what can't be asked of it.
    """
    _check_caption(request, model)
    maps = yield from model.maps(None, covered(request.picture, request.covers), Ablation())
    layers, heads = maps.weights.shape[:2]
    assert maps.grid is not None
    flat = maps.weights.reshape(layers * heads, *maps.weights.shape[2:])  # [N * H, T, L]
    chances = maps.logprobs or ()
    names = tuple(head_name(layer, head) for layer in range(layers) for head in range(heads))
    picture = request.picture
    source = Source("image", picture.path, picture.width, picture.height)
    trace = Trace(
        "caption", model.name, source, maps.grid, names, (), request_to_dict(request), notes=maps.notes
    )  # fmt: skip
    for at, word in enumerate(maps.words):
        outside = None if maps.outside is None else maps.outside[at]
        step = Step(word, chances[at], flat[:, at], maps.alternatives[at], outside=outside)
        trace = replace(trace, steps=(*trace.steps, step))
        yield trace
    return trace


def _check_caption(request: CaptionRequest, model: Foreign) -> None:
    if not model.captions:
        raise UserError(tr("{model} writes no captions; look inside it with attend.", model=model.name))
    if request.attention != "soft":
        raise UserError(tr("{model} has soft attention alone; leave out the other.", model=model.name))
    if request.words or request.interventions or request.change:
        raise UserError(
            tr("a model of your own says its own words; only the photo can be covered for it.", model=model.name)
        )
