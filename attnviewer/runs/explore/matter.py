"""Does the map of a caption's word matter? Its probability as the photo is covered place by place.

The attention itself is not held: the net looks anew at every covered photo.

Letters: B photos, H heads, L places, S side of the encoder's input.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviewer.core.errors import UserError
from attnviewer.core.events import Loading, Progress
from attnviewer.core.explore.requests import MatterRequest
from attnviewer.core.i18n import tr
from attnviewer.core.jobs import Study, outcome
from attnviewer.core.request import CaptionRequest, Decoding
from attnviewer.core.text import START
from attnviewer.core.trace import Trace
from attnviewer.runs.caption import caption, pixels_of
from attnviewer.runs.decode import DecodingPlan
from attnviewer.runs.explore.layering import with_gradients
from attnviewer.runs.explore.ranking import Subject, check, check_word, ranked
from attnviewer.zoo.captioners import LoadedCaptioner
from attnviewer.zoo.foreign import check_ours

GREY = 0.0  # of a normalised pixel: the mean


class Covered:
    """The probability of one word of a given caption, for a photo some places of which are covered by grey."""

    def __init__(
        self, model: LoadedCaptioner, pixels: Tensor, ids: Sequence[int], places: int, plan: DecodingPlan
    ) -> None:
        self._model, self.pixels, self._ids, self._plan = model, pixels, tuple(ids), plan
        self.cell = cells_of(places, pixels.shape[-1]).to(pixels.device)  # [S, S]

    def __call__(self, shown: Tensor) -> NDArray[np.float64]:
        """Probabilities [B] with only the places `shown` [B, L] uncovered."""
        seen = shown.to(self.pixels.device)[:, self.cell].unsqueeze(1)  # [B, 1, S, S]
        with torch.inference_mode():
            annotations = self._model.encoder.net(torch.where(seen, self.pixels, GREY))
            found = photo_chance(self._model.net, annotations, self._ids, self._plan).exp().cpu()
        chances: NDArray[np.float64] = found.double().numpy()
        return chances


def cells_of(places: int, side: int) -> Tensor:
    """The place [S, S] that each pixel of the input belongs to."""
    grid = round(places**0.5)
    along = torch.arange(side) * grid // side
    return torch.as_tensor(along[:, None] * grid + along[None, :])


def photo_chance(net: Any, annotations: Tensor, ids: Sequence[int], plan: DecodingPlan) -> Tensor:
    """Log-probability [B] of the last of the words `ids` after those before it, for `annotations` [B, L, D]."""
    return chance(net, net.encode_source(annotations), ids, plan)


def chance(net: Any, memory: Any, ids: Sequence[int], plan: DecodingPlan) -> Tensor:
    """Log-probability [B] of the last of the words `ids` after those before it, for a `memory` of B sources."""
    count, device = len(memory.mean), memory.mean.device
    step = plan.drive(net, memory, torch.Generator(device))
    state, last = net.start(memory, 1), START
    for t, word in enumerate(ids):
        glance = step(state, torch.full((count, 1), last, device=device), t)
        state, last = glance.state, word
    return torch.log_softmax(net.logits(glance.output)[:, 0].float(), dim=-1)[:, last]


def matter(engine: Any, request: MatterRequest) -> Study:
    """Rank the places in several ways, then cover and uncover the photo in these orders."""
    check(request.steps, request.shuffles)
    yield Loading()
    check_ours(request.model)
    model = engine.zoo.captioner(request.model, request.attention)
    if not model.net.has_attention:
        raise UserError(tr("this model has no attention that could matter; choose another."))
    trace = _trace(engine, request, model)
    word, places = _word(trace, request.word), len(trace.locations)
    plan = DecodingPlan(Decoding(pick="argmax"), request.attention)
    ids = model.vocabulary.encode(trace.words)[: word + 1]
    covered = Covered(model, pixels_of(request.picture, model.encoder.recipe).to(engine.device), ids, places, plan)
    attention = np.asarray(trace.steps[word].weights.mean(axis=0), np.float64)
    yield Progress(tr("following the gradient"))
    gradient = gradient_map(model, covered, plan, ids, places)
    subject = Subject(tuple(trace.words), word, (), attention, gradient, covered)
    return (yield from ranked(subject, request.steps, request.shuffles, request.seed, occlusion=request.occlusion))


def _word(trace: Trace, word: int | None) -> int:
    """The word in question: by default the one that the photo adds most to."""
    if word is None:
        return int(np.argmax([bits or 0.0 for bits in trace.bits]))
    check_word(word, trace.words)
    return word


def _trace(engine: Any, request: MatterRequest, model: LoadedCaptioner) -> Trace:
    annotations = engine.annotations(request.picture, model.encoder)
    mean = model.encoder.mean if request.word is None and model.encoder.has_mean else None
    decoding = Decoding(alternatives=1, pick="argmax")
    asked = CaptionRequest(request.picture, request.attention, decoding, request.words, request.model)
    return outcome(caption(asked, model, annotations, mean))


def gradient_map(
    model: LoadedCaptioner, covered: Covered, plan: DecodingPlan, ids: Sequence[int], places: int
) -> NDArray[np.float64]:
    """How strongly the word's log-probability hangs on the pixels of each place [L]: the mean size of its gradient."""
    encoder, net = with_gradients(model.encoder.net), with_gradients(model.net)
    with torch.inference_mode(False), torch.enable_grad():
        photo = covered.pixels.clone().requires_grad_()
        photo_chance(net, encoder(photo), ids, plan).sum().backward()
        assert photo.grad is not None  # it was asked for
        size = photo.grad[0].abs().sum(dim=0)  # [S, S]
    cell = covered.cell.flatten().cpu()
    total = torch.zeros(places).index_add(0, cell, size.flatten().cpu().float())
    mean: NDArray[np.float64] = (total / torch.bincount(cell, minlength=places).clamp_min(1)).double().numpy()
    return mean
