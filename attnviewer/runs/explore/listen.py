"""Which places a place listens to: a row of the self-attention over a photo's cells."""

from __future__ import annotations

from typing import Any

import torch

from attnviewer.core.ablation import Ablation
from attnviewer.core.errors import UserError
from attnviewer.core.events import Loading
from attnviewer.core.explore.listening import Listening
from attnviewer.core.explore.requests import ListenRequest
from attnviewer.core.i18n import tr
from attnviewer.core.jobs import Study
from attnviewer.core.trace import frozen


def listen(engine: Any, request: ListenRequest) -> Study:
    """The row of one place."""
    yield Loading()
    model = engine.zoo.load(engine.zoo.attending(request.model, photos=True))
    last = len(model.net.encoder) - 1
    layer = last if request.layer is None else request.layer
    if not 0 <= layer <= last:
        raise UserError(
            tr("{model} has layers 0 to {last}; layer {layer} is none.", model=model.card.id, last=last, layer=layer)
        )
    annotations = engine.annotations(request.picture, model.encoder)
    side = round(annotations.shape[1] ** 0.5)
    row, column = (min(max(int(share * side), 0), side - 1) for share in request.place)
    with torch.inference_mode():
        weights = model.net.encode(annotations, Ablation())[1][layer].attended.weights[0]  # [H, L, L]
    heads = weights[:, row * side + column].reshape(-1, side, side)
    found = Listening(model.card.id, layer, row, column, frozen(heads.float().cpu().numpy()))
    yield found
    return found
