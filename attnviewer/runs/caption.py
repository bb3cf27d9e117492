"""A caption request as a run: encode the photo once, then one word a yield, each with the map that chose it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from attnviewer.core.card import Preprocessing
from attnviewer.core.doubt import Doubt, evidence
from attnviewer.core.events import Progress
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.interventions import kept_words
from attnviewer.core.jobs import Run
from attnviewer.core.modes import mode
from attnviewer.core.request import CaptionRequest
from attnviewer.core.serial import request_to_dict
from attnviewer.core.text import Vocabulary
from attnviewer.core.trace import Grid, Source, Trace
from attnviewer.runs.bottleneck import Bottleneck
from attnviewer.runs.changed import inside
from attnviewer.runs.decode import Choice, DecodingPlan, beam_search, settled
from attnviewer.runs.legal import content_words
from attnviewer.runs.steps import choices_of, impositions, step_of
from attnviewer.zoo.captioners import LoadedCaptioner, LoadedEncoder


def pixels_of(picture: Picture, recipe: Preprocessing) -> Tensor:
    """The whole picture squashed to the encoder's input [1, 3, S, S]: places scale with width and height alone."""
    pixels = squash(Image.fromarray(picture.pixels), recipe)
    return pixels.unsqueeze(0).contiguous(memory_format=torch.channels_last)


def squash(image: Image.Image, recipe: Preprocessing) -> Tensor:
    """An RGB image resized to a square and normalised [3, S, S]."""
    square = image.resize((recipe.size, recipe.size), Image.Resampling.BILINEAR)
    values = torch.from_numpy(np.array(square)).float().div(255)
    return ((values - torch.tensor(recipe.mean)) / torch.tensor(recipe.std)).permute(2, 0, 1)


def encode(picture: Picture, encoder: LoadedEncoder, device: str) -> Tensor:
    """Annotation vectors [1, L, D] of one picture."""
    with torch.inference_mode():
        annotations: Tensor = encoder.net(pixels_of(picture, encoder.recipe).to(device))
    return annotations


def encode_all(pictures: Sequence[Picture], encoder: LoadedEncoder, device: str) -> Tensor:
    """Annotation vectors [B, L, D] of several pictures at once."""
    pixels = torch.cat([pixels_of(picture, encoder.recipe) for picture in pictures])
    with torch.inference_mode():
        annotations: Tensor = encoder.net(pixels.contiguous(memory_format=torch.channels_last).to(device))
    return annotations


def together(request: CaptionRequest) -> bool:
    """Whether captions may be made side by side: no place is drawn by chance, and nothing is given or imposed."""
    return not (mode(request.attention).draws or request.words or request.interventions or request.covers)


def caption_all(
    requests: Sequence[CaptionRequest], model: LoadedCaptioner, annotations: Tensor, mean: Tensor | None = None
) -> list[Trace]:
    """The traces of several requests that differ in their pictures alone, as `caption` makes them one by one.

    Parameters
    ----------
    annotations : [B, L, D], one for each request.
    """
    first = replace(requests[0], decoding=settled(requests[0].decoding, model.card))
    plan, _ = make_plan(first, model.vocabulary, model.net.heads, annotations.shape[1])
    generator = torch.Generator(annotations.device).manual_seed(first.decoding.seed)
    with torch.inference_mode():
        memory = model.net.encode_source(annotations, **inside(model.net, first.change))
        found = [hypothesis.choices for hypothesis in beam_search(model.net, memory, plan, generator)]
        bits: list[list[float | None]] = [[None] * len(choices) for choices in found]
        if mean is not None:
            still = model.net.encode_source(mean.expand(len(found), -1, -1), **inside(model.net, first.change))
            bits = _bits(model.net, memory, still, plan, found)
    return [
        _whole(replace(request, decoding=first.decoding), model, annotations.shape[1], choices, left)
        for request, choices, left in zip(requests, found, bits, strict=True)
    ]


def _bits(
    net: Any, memory: Any, still: Any, plan: DecodingPlan, found: Sequence[Sequence[Choice]]
) -> list[list[float | None]]:
    """How much of each photo is left in each word of its caption; captions that have ended wait for the others."""
    reader = Bottleneck(net, memory, still, plan)
    rows = [
        reader.read_all([choices[min(word, len(choices) - 1)] for choices in found])
        for word in range(max(map(len, found)))
    ]
    return [[row[photo] for row in rows[: len(choices)]] for photo, choices in enumerate(found)]


def _whole(
    request: CaptionRequest, model: LoadedCaptioner, cells: int, choices: Sequence[Choice], bits: Sequence[float | None]
) -> Trace:
    heads, shape = model.net.heads, (len(model.net.heads), cells)
    steps = (step_of(one, model.vocabulary, model.vocabulary.word(one.word), False, shape) for one in choices)
    whole = tuple(replace(step, bits=left) for step, left in zip(steps, bits, strict=True))
    trace = Trace("caption", model.card.id, *_where(request.picture, cells), heads, whole, request_to_dict(request))
    return replace(trace, notes=guessing(trace, model))


def _where(picture: Picture, cells: int) -> tuple[Source, Grid]:
    """The picture as a source, and its square grid of cells."""
    side = round(cells**0.5)
    grid = Grid(side, side, (0.0, 0.0, float(picture.width), float(picture.height)))
    return Source("image", picture.path, picture.width, picture.height), grid


def caption(request: CaptionRequest, model: LoadedCaptioner, annotations: Tensor, mean: Tensor | None = None) -> Run:
    """Caption encoded `annotations` [1, L, D]; yields the growing trace word by word.

    With the annotations of the `mean` photo each word also tells how much of this photo is left in its choice.
    """
    request = replace(request, decoding=settled(request.decoding, model.card))
    heads = model.net.heads
    plan, typed = make_plan(request, model.vocabulary, heads, annotations.shape[1])
    source, grid = _where(request.picture, annotations.shape[1])
    trace = Trace("caption", model.card.id, source, grid, heads, (), request_to_dict(request))
    kept, unread = kept_words(request.interventions), list[Choice]()
    generator = torch.Generator(annotations.device).manual_seed(request.decoding.seed)
    with torch.inference_mode():
        change = inside(model.net, request.change)
        memory = model.net.encode_source(annotations, **change)
        still = None if mean is None else model.net.encode_source(mean, **change)
        bottleneck = None if still is None else Bottleneck(model.net, memory, still, plan)
    for found in choices_of(model.net, memory, plan, generator, given=bool(request.words)):
        if isinstance(found, Progress):
            yield found
            continue
        given = typed.get(len(trace.steps))
        said = model.vocabulary.word(found.word) if given is None else given
        forced = given is not None and len(trace.steps) not in kept
        step = step_of(found, model.vocabulary, said, forced, (len(heads), len(grid)))
        trace, unread = replace(trace, steps=(*trace.steps, step)), [*unread, found]
        if (
            not kept or len(trace.steps) > len(kept) + 1
        ):  # words that stay, and the one that is waited for, are measured later
            trace, unread = _measured(trace, bottleneck, unread), []
        yield trace
    trace = _measured(trace, bottleneck, unread)
    return replace(trace, notes=(*trace.notes, *guessing(trace, model)))


def _measured(trace: Trace, bottleneck: Bottleneck | None, unread: Sequence[Choice]) -> Trace:
    """The trace with the bits of its last words, those that are `unread`."""
    if bottleneck is None or not unread:
        return trace
    with torch.inference_mode():
        bits = [bottleneck.read(choice) for choice in unread]
    steps = (replace(step, bits=one) for step, one in zip(trace.steps[-len(bits) :], bits, strict=True))
    return replace(trace, steps=(*trace.steps[: -len(bits)], *steps))


def guessing(trace: Trace, model: LoadedCaptioner) -> tuple[str, ...]:
    """A sentence where the net's own words look like a guess; none where words or maps were imposed."""
    doubt = Doubt.of(model.card.architecture)
    if doubt is None or any(step.forced for step in trace.steps):
        return ()
    found = evidence(trace.words, [step.logprob for step in trace.steps if step.logprob is not None])
    if doubt.score(found) <= 0:
        return ()
    return (tr("I am probably guessing: this photo, or a thing I named, is unlike what I learnt from."),)


def make_plan(
    request: CaptionRequest, vocabulary: Vocabulary, heads: Sequence[str], cells: int
) -> tuple[DecodingPlan, dict[int, str]]:
    """What the request imposes, as ids and weights by word; and the imposed words as they were typed."""
    ids, weights, typed = impositions(request, vocabulary, heads, cells)
    decoding = request.decoding
    if request.words:
        decoding = replace(decoding, max_words=len(request.words))
    return DecodingPlan(decoding, request.attention, ids, weights, apart=content_words(vocabulary)), typed
