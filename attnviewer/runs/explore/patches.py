"""What is in this patch? A captioner reads its own caption of the whole photo from patches of growing size.

Letters: B patches, T words, L locations, D size of an annotation vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attnviewer.core.errors import UserError
from attnviewer.core.events import Loading, Progress
from attnviewer.core.explore.findings import Box, Patch, Patches
from attnviewer.core.explore.requests import PatchRequest
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.jobs import Study, outcome
from attnviewer.core.labels import everyday
from attnviewer.core.lens import cell_rect, peak
from attnviewer.core.request import CaptionRequest, Decoding
from attnviewer.core.text import START
from attnviewer.core.trace import Grid, Trace
from attnviewer.nets.captioner import Memory
from attnviewer.runs.caption import caption, encode
from attnviewer.runs.decode import Decoder, DecodingPlan, beam_search
from attnviewer.runs.legal import content_words
from attnviewer.zoo.captioners import LoadedCaptioner, LoadedEncoder

SMALLEST, SIZES = 20, 10


def patches(engine: Any, request: PatchRequest) -> Study:
    """Caption the whole photo, choose the word that is to be told, and widen the patch; each patch is a finding."""
    yield Loading()
    model = engine.zoo.captioner(None, "soft")
    picture = request.picture
    annotations = engine.annotations(picture, model.encoder)
    whole = outcome(caption(CaptionRequest(picture, "soft", Decoding(alternatives=1)), model, annotations))
    ids = model.vocabulary.encode(whole.words)
    mean = _of_mean(model, ids)
    word = _word(request, whole, mean)
    chance = None if mean is None else float(mean[word])
    found = Patches(tuple(whole.words), word, chance, ())
    x, y = _place(request, whole, word)
    for side in request.sides or sides(picture):
        box = square(picture, x, y, side)
        yield Progress(tr("looking at {side} x {side} pixels", side=side))
        one = _patch(engine, model, picture, box, ids, word)
        found = Patches(found.words, word, chance, (*found.patches, one))
        yield found
    return found


def _patch(
    engine: Any, model: LoadedCaptioner, picture: Picture, box: Box, ids: Sequence[int], word: int
) -> Patch:  # fmt: skip
    left, top, right, bottom = box
    annotations = encode(Picture(picture.pixels[top:bottom, left:right]), model.encoder, engine.device)
    with torch.inference_mode():
        memory = model.net.encode_source(annotations)
        plan = DecodingPlan(Decoding(beam=1, alternatives=1), apart=content_words(model.vocabulary))
        best = beam_search(model.net, memory, plan, torch.Generator(engine.device))
    said = " ".join(model.vocabulary.word(choice.word) for choice in best[0].choices)
    return Patch(box, said, float(told(model.net, memory, ids)[word]), things_in(model.encoder, annotations))


def things_in(encoder: LoadedEncoder, annotations: Tensor, count: int = 3) -> tuple[tuple[str, float], ...]:
    """What the encoder's class head sees in `annotations` [1, L, D], in everyday words; empty where it has none."""
    if encoder.net.classes is None:
        return ()
    with torch.inference_mode():
        scores = encoder.net.class_map(annotations).mean(dim=1)[0]
    return tuple(everyday(scores.float().cpu().numpy(), count))


def told(net: Decoder, memory: Memory, ids: Sequence[int]) -> Tensor:
    """Probability [T] of each word of one given text, after the words before it."""
    with torch.inference_mode():
        state, last, found = net.start(memory, 1), START, []
        for word in ids:
            glance = net(memory, state, torch.full((1, 1), last, device=memory.mean.device))
            found.append(torch.softmax(net.logits(glance.output)[0, 0].float(), dim=-1)[word])
            state, last = glance.state, word
        return torch.stack(found).cpu()


def _of_mean(model: LoadedCaptioner, ids: Sequence[int]) -> Tensor | None:
    if not model.encoder.has_mean:
        return None
    with torch.inference_mode():
        memory = model.net.encode_source(model.encoder.mean)
    return told(model.net, memory, ids)


def _word(request: PatchRequest, whole: Trace, mean: Tensor | None) -> int:
    """The word that is to be told: the one asked for, or the one that the photo adds most to."""
    if request.word is not None:
        if not 0 <= request.word < len(whole.words):
            raise UserError(
                tr("the caption has words 0 to {last}, not {word}.", last=len(whole.words) - 1, word=request.word)
            )
        return request.word
    chances = np.exp(np.asarray(whole.logprobs, np.float64))
    return int((chances - mean.numpy()).argmax()) if mean is not None else len(chances) - 1


def _place(request: PatchRequest, whole: Trace, word: int) -> tuple[float, float]:
    """Where to cut: the place asked for, or where the model looked for the word."""
    if request.x is not None and request.y is not None:
        return request.x, request.y
    assert isinstance(whole.locations, Grid)
    left, top, right, bottom = cell_rect(whole.locations, peak(whole.steps[word].weights[0]))
    return (left + right) / 2, (top + bottom) / 2


def sides(picture: Picture) -> tuple[int, ...]:
    """Sides of patches from 20 pixels to the whole photo, each larger than the one before by the same factor."""
    most = max(picture.width, picture.height)
    return tuple(dict.fromkeys(round(side) for side in np.geomspace(min(SMALLEST, most), most, SIZES)))


def square(picture: Picture, x: float, y: float, side: int) -> Box:
    """A square of `side` pixels around (x, y), moved inside the photo; as much of it as there is photo."""
    wide, high = min(side, picture.width), min(side, picture.height)
    left = int(np.clip(round(x - wide / 2), 0, picture.width - wide))
    top = int(np.clip(round(y - high / 2), 0, picture.height - high))
    return left, top, left + wide, top + high
