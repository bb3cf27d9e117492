"""A caption request as a run: encode the photo once, then one word a yield, each with the map that chose it."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from attnviewer.core.card import Preprocessing
from attnviewer.core.events import Progress
from attnviewer.core.images import Picture
from attnviewer.core.request import CaptionRequest
from attnviewer.core.serial import request_to_dict
from attnviewer.core.text import UNKNOWN, Vocabulary
from attnviewer.core.trace import Grid, Source, Step, Trace
from attnviewer.nets.captioner import Memory
from attnviewer.runs.bottleneck import Bottleneck
from attnviewer.runs.decode import Hypothesis, Look, Plan, beam_steps, greedy, settled
from attnviewer.runs.maps import as_array, imposed
from attnviewer.zoo.store import LoadedCaptioner, LoadedEncoder

Run = Generator[Progress | Trace, None, Trace]


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
        return encoder.net(pixels_of(picture, encoder.recipe).to(device))


def caption(request: CaptionRequest, model: LoadedCaptioner, annotations: Tensor, mean: Tensor | None = None) -> Run:
    """Caption encoded `annotations` [1, L, D]; yields the growing trace word by word.

    With the annotations of the `mean` photo each word also tells how much of this photo is left in its choice.
    """
    request = replace(request, decoding=settled(request.decoding, model.card))
    plan, typed = make_plan(request, model.vocabulary, annotations.shape[1])
    side = round(annotations.shape[1] ** 0.5)
    grid = Grid(side, side, (0.0, 0.0, float(request.picture.width), float(request.picture.height)))
    source = Source("image", request.picture.path, request.picture.width, request.picture.height)
    heads = ("attention",) if model.net.looks else ()
    trace = Trace("caption", model.card.id, source, grid, heads, (), request_to_dict(request))
    generator = torch.Generator(annotations.device).manual_seed(request.decoding.seed)
    with torch.inference_mode():
        memory = model.net.remember(annotations)
        bottleneck = None if mean is None else Bottleneck(model.net, memory, model.net.remember(mean), plan)
    looks = _looks(model, memory, plan, generator, len(request.words or ()))
    while True:
        with torch.inference_mode():  # entered anew each word: a generator must not leave it on for its caller
            found = next(looks, None)
            bits = bottleneck.read(found) if bottleneck is not None and isinstance(found, Look) else None
        if found is None:
            return trace
        if isinstance(found, Progress):
            yield found
            continue
        step = _step(found, model.vocabulary, typed.get(len(trace.steps)), len(heads), len(grid))
        trace = replace(trace, steps=(*trace.steps, replace(step, bits=bits)))
        yield trace


def _looks(
    model: LoadedCaptioner, memory: Memory, plan: Plan, generator: torch.Generator, given: int
) -> Iterator[Look | Progress]:
    """Greedy and forced words as they come; of a beam, progress while it runs and its words when it has ended."""
    if plan.decoding.beam == 1 or given:
        yield from greedy(model.net, memory, plan, generator)
        return
    best: list[Hypothesis] = []
    for t, best in enumerate(beam_steps(model.net, memory, plan, generator)):  # noqa: B007
        yield Progress(f"beam search, word {t + 1}")
    yield from best[0].looks


def make_plan(request: CaptionRequest, vocabulary: Vocabulary, cells: int) -> tuple[Plan, dict[int, str]]:
    """What the request imposes, as ids and weights by word; and the imposed words as they were typed."""
    typed = dict(enumerate(request.words or ()))
    weights: dict[int, Tensor] = {}
    for intervention in request.interventions:
        if intervention.word is not None:
            typed[intervention.at] = intervention.word
        if intervention.weights is not None:
            weights[intervention.at] = imposed(intervention.weights, cells)
    ids = dict(zip(typed, vocabulary.encode(typed.values()), strict=True))
    decoding = request.decoding
    if request.words:
        decoding = replace(decoding, max_words=len(request.words))
    return Plan(decoding, request.attention, ids, weights), typed


def _step(look: Look, vocabulary: Vocabulary, typed: str | None, heads: int, cells: int) -> Step:
    shape = (heads, cells)
    return Step(
        word=vocabulary.word(look.word) if typed is None else typed,
        logprob=look.logprob,
        weights=np.zeros(shape, np.float32) if look.weights is None else as_array(look.weights, shape),
        alternatives=tuple((vocabulary.word(number) or "(end)", p) for number, p in look.alternatives),
        scores=None if look.scores is None else as_array(look.scores, shape),
        sampled=look.sampled,
        gate=look.gate,
        forced=typed is not None or look.imposed,
        unknown=look.word == UNKNOWN,
    )
