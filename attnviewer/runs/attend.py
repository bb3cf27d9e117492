"""Self-attention as a run: a text goes through an encoder once, and all that it computed comes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from attnviewer.core.ablation import Ablation
from attnviewer.core.attend import Inside, attend_trace
from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.i18n import tr
from attnviewer.core.jobs import Run
from attnviewer.core.request import AttendRequest
from attnviewer.core.serial import request_to_dict
from attnviewer.core.trace import Floats, Grid, Source
from attnviewer.nets.bert import Bert, BertSeen
from attnviewer.nets.layers import EncoderSeen
from attnviewer.nets.looker import Looker
from attnviewer.nets.transformer import Transformer

if TYPE_CHECKING:
    from attnviewer.zoo.bert import Encoder

SEEN = ("queries", "keys", "values", "weights")


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
    check_layer(request, encoder.net.config.layers, name)
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


def attend_words(request: AttendRequest, net: Transformer, words: Sequence[str], name: str, speller: Any) -> Run:
    """Let the encoder of a translating Transformer read words; the trace has one step a word."""
    request.change.check(net.config.layers, net.config.heads)
    yield Progress(tr("reading {count} tokens", count=len(words)))
    with torch.inference_mode():
        ids, groups = (part.to(net.bias.device) for part in speller([words]))
        embedded = net.words.source(ids) + net.words.embed_ngrams(groups)
        found = net.encode(embedded, ids != 0, request.change)
        inside = inside_of_encoder(net.encoder, *found, request.change)
    trace = attend_trace(
        name, request.text or "", words, inside.weights, inside.scores, request_to_dict(request), inside,
        range(len(words)), request.layer,
    )  # fmt: skip
    yield trace
    return trace


def attend_places(request: AttendRequest, net: Looker, annotations: Tensor, name: str) -> Run:
    """Let the places of a photo look at each other, as a captioning Transformer does before it says a word."""
    picture, side = request.picture, round(annotations.shape[1] ** 0.5)
    assert picture is not None
    request.change.check(net.config.before, net.config.heads)
    yield Progress(tr("reading {count} tokens", count=annotations.shape[1]))
    with torch.inference_mode():
        inside = inside_of_encoder(net.encoder, *net.encode(annotations, request.change), request.change)
    where = Grid(side, side, (0.0, 0.0, float(picture.width), float(picture.height)))
    tokens = [f"{place // side},{place % side}" for place in range(side * side)]
    made = attend_trace(
        name, "", tokens, inside.weights, inside.scores, request_to_dict(request), inside, (), request.layer,
        locations=where,
    )  # fmt: skip
    trace = replace(made, source=Source("image", picture.path, picture.width, picture.height))
    yield trace
    return trace


def check_layer(request: AttendRequest, layers: int, name: str) -> None:
    """Raise `UserError` for a layer that a net doesn't have."""
    if request.layer is not None and request.layer >= layers:
        raise UserError(
            tr("{model} has layers 0 to {last}; layer {layer} is none.", model=name, last=layers - 1,
               layer=request.layer)
        )  # fmt: skip


def inside_of_encoder(layers: Any, first: Tensor, seen: Sequence[EncoderSeen], change: Ablation) -> Inside:
    """What pre-norm layers computed for one text or photo, as numpy."""
    attended = [one.attended for one in seen]
    hidden = torch.stack([first[0], *(one.out[0] for one in seen)])
    owns = [layer.own for layer in layers]
    makers = [(own.query, own.key, own.value) for own in owns]
    heads = owns[0].heads
    return Inside(
        hidden=_array(hidden),
        normed=_stack([layer.before_own(x) for layer, x in zip(layers, hidden[:-1], strict=True)]),
        projections=_stack(
            [torch.stack([made.weight.unflatten(0, (heads, -1)).transpose(1, 2) for made in row]) for row in makers]
        ),
        biases=_stack([torch.stack([made.bias.unflatten(0, (heads, -1)) for made in row]) for row in makers]),
        value_norms=_stack([_norms(own, one.values[0]) for own, one in zip(owns, attended, strict=True)]),
        attended=_stack([one.out[0] for one in attended]),
        middle=_stack([one.middle[0] for one in seen]),
        fed=_stack([one.fed[0] for one in seen]),
        scores=_masked(_stack([one.scores[0] for one in attended]), change),
        pre_norm=True,
        **{name: _stack([getattr(one, name)[0] for one in attended]) for name in SEEN},
    )


def _masked(scores: Floats, change: Ablation) -> Floats:
    """Scores [N, H, T, T] with minus infinity where a token doesn't see another."""
    visible = change.visible(scores.shape[-1])
    return scores if visible is None else np.where(visible, scores, -np.inf).astype(np.float32)


def _norms(own: Any, values: Tensor) -> Tensor:
    """Lengths [H, T] of the values [H, T, S] after each head's own columns of W_o."""
    columns = own.out.weight.unflatten(1, (own.heads, -1))  # [D, H, S]
    norms: Tensor = torch.einsum("hts,dhs->htd", values, columns).norm(dim=-1)
    return norms


def _stack(parts: list[Tensor]) -> Floats:
    return _array(torch.stack(parts))


def _array(values: Tensor) -> Floats:
    return np.array(values.float().cpu().numpy())
