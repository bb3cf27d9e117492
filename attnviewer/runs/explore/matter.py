"""Does it matter? A word's probability as the photo is covered, in the order of its attention and in others.

Deletion and insertion curves (Petsiuk et al. 2018) over the places of the map. The attention itself is not held: the
net looks anew at every covered photo.

Letters: B photos, H heads, L places, S side of the encoder's input.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.explore.findings import Matter
from attnviewer.core.explore.requests import MatterRequest
from attnviewer.core.i18n import tr
from attnviewer.core.jobs import Study, outcome
from attnviewer.core.request import CaptionRequest, Decoding
from attnviewer.core.text import START
from attnviewer.core.trace import Trace, frozen
from attnviewer.runs.caption import caption, pixels_of
from attnviewer.runs.decode import DecodingPlan
from attnviewer.runs.explore.layering import with_gradients
from attnviewer.zoo.captioners import LoadedCaptioner

ATTENTION, GRADIENT, OCCLUSION, RANDOM = "attention", "gradient", "occlusion", "random"
GREY = 0.0  # of a normalised pixel: the mean
BATCH = 16
Order = NDArray[np.int64]
Curve = tuple[float, ...]


class Covered:
    """The probability of one word of a given caption, for a photo some places of which are covered by grey."""

    def __init__(
        self, model: LoadedCaptioner, pixels: Tensor, ids: Sequence[int], places: int, plan: DecodingPlan
    ) -> None:
        self._model, self.pixels, self._ids, self._plan = model, pixels, tuple(ids), plan
        self.cell = cells_of(places, pixels.shape[-1]).to(pixels.device)  # [S, S]

    def __call__(self, shown: Tensor) -> Generator[Progress, None, NDArray[np.float64]]:
        """Probabilities [B] with only the places `shown` [B, L] uncovered."""
        found: list[Tensor] = []
        for part in shown.split(BATCH):
            seen = part.to(self.pixels.device)[:, self.cell].unsqueeze(1)  # [B, 1, S, S]
            with torch.inference_mode():
                annotations = self._model.encoder.net(torch.where(seen, self.pixels, GREY))
                found.append(chance(self._model.net, annotations, self._ids, self._plan).exp().cpu())
            yield Progress(tr("covering the photo"))
        chances: NDArray[np.float64] = torch.cat(found).double().numpy()
        return chances


def cells_of(places: int, side: int) -> Tensor:
    """The place [S, S] that each pixel of the input belongs to."""
    grid = round(places**0.5)
    along = torch.arange(side) * grid // side
    return torch.as_tensor(along[:, None] * grid + along[None, :])


def chance(net: Any, annotations: Tensor, ids: Sequence[int], plan: DecodingPlan) -> Tensor:
    """Log-probability [B] of the last of the words `ids` after those before it, for `annotations` [B, L, D]."""
    memory = net.encode_source(annotations)
    step = plan.drive(net, memory, torch.Generator(annotations.device))
    state, last = net.start(memory, 1), START
    for t, word in enumerate(ids):
        glance = step(state, torch.full((len(annotations), 1), last, device=annotations.device), t)
        state, last = glance.state, word
    return torch.log_softmax(net.logits(glance.output)[:, 0].float(), dim=-1)[:, last]


def matter(engine: Any, request: MatterRequest) -> Study:
    """Rank the places in several ways, then cover and uncover the photo in these orders."""
    _check(request)
    yield Progress(tr("loading the model"))
    model = engine.zoo.captioner(request.model, request.attention)
    if not model.net.has_attention:
        raise UserError(tr("this model has no attention that could matter; choose another."))
    trace = _trace(engine, request, model)
    places = len(trace.locations)
    plan = DecodingPlan(Decoding(pick="argmax"), request.attention)
    ids = model.vocabulary.encode(trace.words)[: request.word + 1]
    covered = Covered(model, pixels_of(request.picture, model.encoder.recipe).to(engine.device), ids, places, plan)
    maps = {ATTENTION: trace.steps[request.word].weights.mean(axis=0)}
    yield Progress(tr("following the gradient"))
    maps[GRADIENT] = gradient_map(model, covered, plan, ids, places)
    if request.occlusion:
        whole = (yield from covered(torch.ones(1, places, dtype=torch.bool)))[0]
        maps[OCCLUSION] = whole - (yield from covered(~torch.eye(places, dtype=torch.bool)))
    orders = {name: [np.argsort(-np.asarray(one), kind="stable")] for name, one in maps.items()}
    random = np.random.default_rng(request.seed)
    orders[RANDOM] = [random.permutation(places) for _ in range(request.shuffles)]
    curves = {}
    for name, several in orders.items():
        curves[name] = yield from _curves(covered, several, request.steps)
    found = _finding(trace, request.word, maps, curves)
    yield found
    return found


def _check(request: MatterRequest) -> None:
    if not 1 <= request.steps <= 1000 or not 1 <= request.shuffles <= 100:
        raise UserError(tr("cover the photo in 1 to 1000 steps, in 1 to 100 random orders."))


def _trace(engine: Any, request: MatterRequest, model: LoadedCaptioner) -> Trace:
    annotations = engine.annotations(request.picture, model.encoder)
    decoding = Decoding(alternatives=1, pick="argmax")
    asked = CaptionRequest(request.picture, request.attention, decoding, request.words, request.model)
    trace = outcome(caption(asked, model, annotations))
    if not 0 <= request.word < len(trace.words):
        told = {"last": len(trace.words) - 1, "word": request.word}
        raise UserError(tr("the caption has words 0 to {last}, not {word}.", **told))
    return trace


def gradient_map(
    model: LoadedCaptioner, covered: Covered, plan: DecodingPlan, ids: Sequence[int], places: int
) -> NDArray[np.float64]:
    """How strongly the word's log-probability hangs on the pixels of each place [L]: the mean size of its gradient."""
    encoder, net = with_gradients(model.encoder.net), with_gradients(model.net)
    with torch.inference_mode(False), torch.enable_grad():
        photo = covered.pixels.clone().requires_grad_()
        chance(net, encoder(photo), ids, plan).sum().backward()
        assert photo.grad is not None  # it was asked for
        size = photo.grad[0].abs().sum(dim=0)  # [S, S]
    cell = covered.cell.flatten().cpu()
    total = torch.zeros(places).index_add(0, cell, size.flatten().cpu().float())
    mean: NDArray[np.float64] = (total / torch.bincount(cell, minlength=places).clamp_min(1)).double().numpy()
    return mean


def _curves(
    covered: Callable[[Tensor], Generator[Progress, None, NDArray[np.float64]]], orders: Sequence[Order], steps: int
) -> Generator[Progress, None, tuple[Curve, Curve]]:
    """The mean deletion and insertion curve of some orders."""
    both = []
    for order in orders:
        gone = removed(order, steps)  # [steps + 1, L]
        deletion = yield from covered(~gone)
        insertion = yield from covered(gone)
        both.append((deletion, insertion))
    means = np.mean(both, axis=0)
    return tuple(map(float, means[0])), tuple(map(float, means[1]))


def removed(order: Order, steps: int) -> Tensor:
    """Which places [steps + 1, L] are taken after each step, from none to all."""
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    counts = np.linspace(0, len(order), steps + 1).round()
    return torch.from_numpy(rank[None, :] < counts[:, None])


def area(curve: Sequence[float], whole: float) -> float:
    """The mean of a curve, by trapezia, as a share of the probability for the whole photo."""
    values = np.asarray(curve, np.float64)
    mean = float((values[1:] + values[:-1]).mean() / 2)
    return mean / whole if whole > 0 else 0.0


def _finding(trace: Trace, word: int, maps: dict[str, Any], curves: dict[str, tuple[Curve, Curve]]) -> Matter:
    whole = next(iter(curves.values()))[0][0]
    deletion, insertion = ({name: pair[n] for name, pair in curves.items()} for n in (0, 1))
    return Matter(
        words=tuple(trace.words),
        word=word,
        probability=whole,
        maps={name: frozen(one) for name, one in maps.items()},
        deletion=deletion,
        insertion=insertion,
        deletion_area={name: area(curve, whole) for name, curve in deletion.items()},
        insertion_area={name: area(curve, whole) for name, curve in insertion.items()},
        tau=agreement(maps[ATTENTION], maps[GRADIENT]),
    )


def agreement(first: Any, second: Any) -> float | None:
    """Kendall's tau between two maps, or None where one of them is flat."""
    from scipy.stats import kendalltau

    found = float(kendalltau(np.asarray(first), np.asarray(second)).statistic)
    return found if np.isfinite(found) else None
