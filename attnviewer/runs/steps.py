"""What every run does between a request, a net and its trace: what is imposed, words as they come, steps of the trace.

Letters: H heads, L locations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.i18n import tr
from attnviewer.core.imposing import gaze_weights
from attnviewer.core.interventions import Intervention
from attnviewer.core.request import CaptionRequest, TranslateRequest
from attnviewer.core.text import UNKNOWN, Vocabulary
from attnviewer.core.trace import Floats, Step
from attnviewer.runs.decode import Choice, Decoder, DecodingPlan, Hypothesis, beam_steps, greedy

MOST_WORDS = 600  # a map that holds for the rest holds up to here; no text is longer


def impositions(
    request: CaptionRequest | TranslateRequest, vocabulary: Vocabulary, heads: Sequence[str], places: int
) -> tuple[dict[int, int], dict[int, Tensor], dict[int, str]]:
    """What the request imposes, by word: ids, weights [H, L] (heads left alone are NaN), and the words as typed."""
    typed = dict(enumerate(request.words or ()))
    weights: dict[int, Tensor] = {}
    for intervention in sorted(request.interventions, key=lambda one: not one.kept):  # a choice goes over what was kept
        if intervention.word is not None:
            typed[intervention.at] = intervention.word
    for intervention in sorted(request.interventions, key=lambda one: not one.rest):  # what one word says wins
        looked = _looked(intervention, places, grid=isinstance(request, CaptionRequest))
        if looked is not None and not heads:
            raise UserError(tr("this model has no attention to impose; impose words, or ask for another attention."))
        if looked is not None:
            for at in range(intervention.at, MOST_WORDS if intervention.rest else intervention.at + 1):
                free = weights.get(at, torch.full((len(heads), places), torch.nan))
                weights[at] = _on_head(free, heads, intervention.head, looked)
    return dict(zip(typed, vocabulary.encode(typed.values()), strict=True)), weights, typed


def _looked(one: Intervention, places: int, *, grid: bool) -> Tensor | None:
    """The map [L] of an intervention, or None where it imposes no attention."""
    if one.gaze is not None:
        rows = round(places**0.5) if grid else None
        return torch.from_numpy(gaze_weights(one.gaze, places, rows)).float()
    return None if one.weights is None else imposed(one.weights, places)


def _on_head(weights: Tensor, heads: Sequence[str], head: str | None, values: Tensor) -> Tensor:
    """`weights` [H, L] with the map `values` [L] in the row of one head, or in each row."""
    if head is None:
        return values.expand_as(weights)
    if head not in heads:
        raise UserError(tr("this model has no head {head}; choose one of {heads}.", head=head, heads=", ".join(heads)))
    changed = weights.clone()  # words that share a map are not changed with it
    changed[heads.index(head)] = values
    return changed


def imposed(weights: tuple[float, ...], places: int) -> Tensor:
    """Weights [L] to impose, made to sum to 1; raises `UserError` where they can't be."""
    try:
        values = np.asarray(weights, np.float64)
    except (TypeError, ValueError):
        raise UserError(tr("imposed attention needs {places} numbers; one of these is none.", places=places)) from None
    total = values.sum()
    if values.shape != (places,) or not np.isfinite(total) or (values < 0).any() or total == 0:
        raise UserError(
            tr("imposed attention needs {places} weights that are finite, not negative and not all 0.", places=places)
        )
    return torch.from_numpy(values / total).float()


def choices_of(
    net: Decoder, memory: Any, plan: DecodingPlan, generator: torch.Generator, given: bool
) -> Iterator[Choice | Progress]:
    """Greedy and given words as they come; of a beam, progress while it runs and its words when it has ended.

    No gradients are kept, though the caller's own code between the words runs as the caller has set it.
    """
    choices = _choices(net, memory, plan, generator, given)
    while True:
        with torch.inference_mode():  # entered anew each word: a generator must not leave it on for its caller
            found = next(choices, None)
        if found is None:
            return
        yield found


def _choices(
    net: Decoder, memory: Any, plan: DecodingPlan, generator: torch.Generator, given: bool
) -> Iterator[Choice | Progress]:
    if plan.decoding.beam == 1 or given:
        yield from greedy(net, memory, plan, generator)
        return
    best: list[Hypothesis] = []
    for t, best in enumerate(beam_steps(net, memory, plan, generator)):  # noqa: B007
        yield Progress(tr("searching, word {number}", number=t + 1))
    yield from best[0].choices


def step_of(choice: Choice, vocabulary: Vocabulary, said: str, forced: bool, shape: tuple[int, int]) -> Step:
    """The trace's step of a word that was `said`; its maps have `shape` [H, L]."""
    return Step(
        word=said,
        logprob=choice.logprob,
        weights=np.zeros(shape, np.float32) if choice.weights is None else as_array(choice.weights, shape),
        alternatives=tuple((vocabulary.word(number) or "(end)", p) for number, p in choice.alternatives),
        scores=None if choice.scores is None else as_array(choice.scores, shape),
        sampled=choice.sampled,
        gate=choice.gate,
        forced=forced or choice.imposed,
        unknown=choice.word == UNKNOWN,
    )


def as_array(values: Tensor, shape: tuple[int, ...]) -> Floats:
    """A copy that shares nothing with torch."""
    return np.array(values.float().cpu().numpy().reshape(shape))
