"""A caption request as a run: encode the photo once, then one word a yield, each with the map that chose it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from attnviewer.core.card import Preprocessing
from attnviewer.core.doubt import Doubt, evidence
from attnviewer.core.events import Progress
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.jobs import Run
from attnviewer.core.request import CaptionRequest
from attnviewer.core.serial import request_to_dict
from attnviewer.core.text import Vocabulary
from attnviewer.core.trace import Grid, Source, Trace
from attnviewer.runs.bottleneck import Bottleneck
from attnviewer.runs.decode import DecodingPlan, content_words, settled
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


def caption(request: CaptionRequest, model: LoadedCaptioner, annotations: Tensor, mean: Tensor | None = None) -> Run:
    """Caption encoded `annotations` [1, L, D]; yields the growing trace word by word.

    With the annotations of the `mean` photo each word also tells how much of this photo is left in its choice.
    """
    request = replace(request, decoding=settled(request.decoding, model.card))
    heads = model.net.heads
    plan, typed = make_plan(request, model.vocabulary, heads, annotations.shape[1])
    side = round(annotations.shape[1] ** 0.5)
    grid = Grid(side, side, (0.0, 0.0, float(request.picture.width), float(request.picture.height)))
    source = Source("image", request.picture.path, request.picture.width, request.picture.height)
    trace = Trace("caption", model.card.id, source, grid, heads, (), request_to_dict(request))
    generator = torch.Generator(annotations.device).manual_seed(request.decoding.seed)
    with torch.inference_mode():
        memory = model.net.encode_source(annotations)
        bottleneck = None if mean is None else Bottleneck(model.net, memory, model.net.encode_source(mean), plan)
    for found in choices_of(model.net, memory, plan, generator, given=bool(request.words)):
        if isinstance(found, Progress):
            yield found
            continue
        given = typed.get(len(trace.steps))
        said = model.vocabulary.word(found.word) if given is None else given
        step = step_of(found, model.vocabulary, said, given is not None, (len(heads), len(grid)))
        with torch.inference_mode():
            bits = None if bottleneck is None else bottleneck.read(found)
        trace = replace(trace, steps=(*trace.steps, replace(step, bits=bits)))
        yield trace
    return replace(trace, notes=(*trace.notes, *guessing(trace, model)))


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
