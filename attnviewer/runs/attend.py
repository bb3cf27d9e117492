"""Self-attention as a run: a text goes through an encoder once, and all that it computed comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from attnviewer.core.attend import Inside, attend_trace
from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.i18n import tr
from attnviewer.core.jobs import Run
from attnviewer.core.request import AttendRequest
from attnviewer.core.serial import request_to_dict
from attnviewer.core.trace import Floats
from attnviewer.nets.bert import Bert, BertSeen

if TYPE_CHECKING:
    from attnviewer.zoo.bert import Encoder


def attend(request: AttendRequest, encoder: Encoder, name: str, longest: int) -> Run:
    """Read a text; the trace has one step a token. Raises `UserError` for a text that is too long or has no word."""
    found = encoder.tokens(request.text or "")
    if len(found.ids) > longest:
        raise UserError(
            tr(
                "the text has {count} tokens; {model} reads at most {longest}, so shorten it.",
                count=len(found.ids), model=name, longest=longest,
            )
        )  # fmt: skip
    layers = encoder.net.config.layers
    if request.layer is not None and request.layer >= layers:
        raise UserError(
            tr(
                "{model} has layers 0 to {last}; layer {layer} is none.",
                model=name,
                last=layers - 1,
                layer=request.layer,
            )
        )
    yield Progress(tr("reading {count} tokens", count=len(found.ids)))
    with torch.inference_mode():
        seen = encoder.net.see(torch.tensor([found.ids]), None, request.change)
        inside = inside_of(encoder.net, seen)
    trace = attend_trace(
        name, request.text or "", found.tokens, inside.weights, inside.scores, request_to_dict(request), inside,
        found.word_ids, request.layer,
    )  # fmt: skip
    yield trace
    return trace


def inside_of(net: Bert, seen: BertSeen) -> Inside:
    """What a net computed for one text, as numpy."""
    layers: Any = list(net.layers)
    parts: dict[str, Any] = {
        name: _stack([getattr(layer, name)[0] for layer in seen.layers])
        for name in ("queries", "keys", "values", "scores", "weights", "value_norms", "attended", "middle", "fed")
    }
    heads = net.config.heads
    makers = [(layer.query, layer.key, layer.value) for layer in layers]
    hidden = _array(seen.hidden[:, 0])
    return Inside(
        hidden=hidden,
        normed=hidden[:-1],
        projections=_stack(
            [torch.stack([made.weight.unflatten(0, (heads, -1)).transpose(1, 2) for made in row]) for row in makers]
        ),
        biases=_stack([torch.stack([made.bias.unflatten(0, (heads, -1)) for made in row]) for row in makers]),
        **parts,
    )


def _stack(parts: list[Tensor]) -> Floats:
    return _array(torch.stack(parts))


def _array(values: Tensor) -> Floats:
    return np.array(values.float().cpu().numpy())
