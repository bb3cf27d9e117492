"""How long one layer of each kind takes, measured with this program's own modules.

Letters: L tokens, D numbers a token.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.i18n import tr
from attnviewer.core.jobs import Study
from attnviewer.core.transformer.cost import KERNEL, NAMES
from attnviewer.core.transformer.findings import Times
from attnviewer.core.transformer.requests import TimesRequest
from attnviewer.nets.multihead import MultiHead

HEADS = 4
RUNS = 3  # of which the fastest counts
LARGEST = 2048  # numbers a token, so that a measurement ends


def times(engine: Any, request: TimesRequest) -> Study:
    """Measure length by length; each yields what is known so far."""
    if not 0 < request.size <= LARGEST or request.size % HEADS:
        raise UserError(
            tr("vectors of {size} numbers can't be measured; choose up to {most}.", size=request.size, most=LARGEST)
        )
    layers = [make(request.size, engine.device) for make in LAYERS.values()]
    seconds: list[list[float]] = [[] for _ in layers]
    made = _so_far(engine, request, seconds)
    for number, length in enumerate(request.lengths):
        for name, layer, found in zip(LAYERS, layers, seconds, strict=True):
            yield Progress(
                tr("measuring {name} on {length} tokens", name=name, length=f"{length:,}"),
                number / len(request.lengths),
            )
            found.append(_fastest(layer, torch.randn(1, length, request.size, device=engine.device)))
        made = _so_far(engine, request, seconds)
        yield made
    return made


def _so_far(engine: Any, request: TimesRequest, seconds: list[list[float]]) -> Times:
    done = tuple(map(tuple, seconds))
    return Times(request.size, request.lengths, tuple(LAYERS), done, torch.get_num_threads(), engine.device)


def _fastest(layer: Callable[[Tensor], object], x: Tensor) -> float:
    """Seconds of the fastest of some runs; the first warms up."""
    found = []
    with torch.inference_mode():
        for _ in range(RUNS):
            began = time.perf_counter()
            layer(x)
            if x.is_cuda:
                torch.cuda.synchronize()
            found.append(time.perf_counter() - began)
    return min(found)


def _attention(size: int, device: str) -> Callable[[Tensor], object]:
    net = MultiHead(size, HEADS).to(device).eval()

    def run(x: Tensor) -> Tensor:
        keys, values = (net.split(made(x)) for made in (net.key, net.value))
        found: Tensor = net(x, keys, values).out
        return found

    return run


def _recurrent(size: int, device: str) -> Callable[[Tensor], object]:
    cell = nn.RNNCell(size, size).to(device).eval()

    def run(x: Tensor) -> Tensor:
        state = torch.zeros(1, size, device=device)
        for place in range(x.shape[1]):  # each state needs the one before
            state = cell(x[:, place], state)
        return state

    return run


def _convolution(size: int, device: str) -> Callable[[Tensor], object]:
    net = nn.Conv1d(size, size, KERNEL, padding=KERNEL // 2).to(device).eval()
    return lambda x: net(x.transpose(1, 2))


LAYERS: dict[str, Callable[[int, str], Callable[[Tensor], object]]] = dict(
    zip(NAMES, (_attention, _recurrent, _convolution), strict=True)
)
