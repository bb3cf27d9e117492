"""The captioner without attention, unrolled: (s_t, y_t) = f(s_{t-1}, x_t) with the same f at every step.

Letters: T words, H size of the state, D size of the photo's vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from attnviewer.core.events import Loading, Progress
from attnviewer.core.explore.findings import Unrolled
from attnviewer.core.explore.requests import UnrollRequest
from attnviewer.core.i18n import tr
from attnviewer.core.jobs import Study, outcome
from attnviewer.core.request import CaptionRequest, Decoding
from attnviewer.core.text import START
from attnviewer.core.trace import frozen
from attnviewer.nets.captioner import Captioner, Memory, State
from attnviewer.runs.caption import caption
from attnviewer.runs.explore.layering import with_gradients


class Passed(NamedTuple):
    """Words read one after the other: the first state [H], states [T, H], gates [T, 3, H], log-probabilities [T]."""

    first: Tensor
    states: Tensor
    gates: Tensor
    logprobs: Tensor


def unroll(engine: Any, request: UnrollRequest) -> Study:
    """Caption the photo without attention, then read the caption again with an eye on the state."""
    yield Loading()
    model = engine.zoo.captioner(None, "none")
    yield Progress(tr("encoding the photo"))
    annotations = engine.annotations(request.picture, model.encoder)
    mean = model.encoder.mean if model.encoder.has_mean else None
    asked = CaptionRequest(request.picture, "none", Decoding(alternatives=1), request.words)
    trace = outcome(caption(asked, model, annotations, mean))
    yield Progress(tr("following the gradients"))
    ids = model.vocabulary.encode(trace.words)
    passed, gradients = remembered(with_gradients(model.net), annotations, ids)
    again = outcome(engine.run(CaptionRequest(request.picture, "uniform", Decoding(alternatives=1)))).text
    found = Unrolled(
        model=model.card.id,
        words=tuple(trace.words),
        probabilities=tuple(float(p) for p in np.exp(np.asarray(trace.logprobs, np.float64))),
        bits=tuple(trace.bits),
        first=frozen(passed.first.cpu().numpy()),
        states=frozen(passed.states.cpu().numpy()),
        changes=tuple(changes(passed.first, passed.states)),
        gates=frozen(passed.gates.cpu().numpy()),
        gradients=gradients,
        again=again,
        parameters=_shared(model.net),
    )
    yield found
    return found


def remembered(net: Any, annotations: Tensor, ids: Sequence[int]) -> tuple[Passed, tuple[float, ...]]:
    """Read words and follow each one's log-probability back to the photo's vector: lengths of the gradients [T]."""
    with torch.inference_mode(False), torch.enable_grad():
        photo = net.encode_source(annotations.clone()).mean.detach().requires_grad_()
        passed = read(net, photo, ids)
        gradients = [torch.autograd.grad(one, photo, retain_graph=True)[0] for one in passed.logprobs]
    return Passed(*(part.detach() for part in passed)), tuple(float(one.norm()) for one in gradients)


def read(net: Captioner, photo: Tensor, ids: Sequence[int]) -> Passed:
    """Read words `ids` [T] from the photo's vector [1, D]; at step t the word before is read and word t is chosen."""
    empty = photo.new_zeros(1, 0, 1)
    memory = Memory(empty, empty, photo)
    state = first = net.start(memory, 1)
    states, gates, logprobs = [], [], []
    for last, word in zip((START, *ids), ids, strict=False):
        before = torch.full((1, 1), last, device=photo.device)
        gates.append(gates_of(net, state, before))
        glance = net(memory, state, before)
        state = glance.state
        states.append(state.hidden[0, 0])
        logprobs.append(torch.log_softmax(net.logits(glance.output)[0, 0], dim=-1)[word])
    return Passed(first.hidden[0, 0], torch.stack(states), torch.stack(gates), torch.stack(logprobs))


def gates_of(net: Captioner, state: State, last: Tensor) -> Tensor:
    """Input, forget and output gate [3, H] of the step that reads the word `last` [1, 1]."""
    cell = net.lstm
    entering = torch.nn.functional.linear(net.embedding(last)[0, 0], cell.weight_ih, cell.bias_ih)
    kept = torch.nn.functional.linear(state.hidden[0, 0], cell.weight_hh, cell.bias_hh)
    let_in, forget, _, out = (entering + kept).chunk(4)  # torch's order: input, forget, cell, output
    return torch.sigmoid(torch.stack((let_in, forget, out)))


def changes(first: Tensor, states: Tensor) -> list[float]:
    """How far each state [T, H] lies from the one before, as a share of its length."""
    before = torch.cat((first.unsqueeze(0), states[:-1]))
    return [float(share) for share in (states - before).norm(dim=1) / before.norm(dim=1).clamp_min(1e-9)]


def _shared(net: Captioner) -> int:
    """Numbers that are used again at each step: all but those that read the photo once."""
    return int(sum(p.numel() for p in net.parameters()) - sum(p.numel() for p in net.first.parameters()))
