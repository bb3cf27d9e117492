"""Position vectors of nets, and what becomes of a text whose tokens are shuffled."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from attnviewer.core.ablation import Ablation
from attnviewer.core.errors import UserError
from attnviewer.core.events import Loading, Progress
from attnviewer.core.i18n import tr
from attnviewer.core.jobs import Study
from attnviewer.core.trace import Floats, frozen
from attnviewer.core.transformer.context import cosines
from attnviewer.core.transformer.findings import GridPlaces, Places, Shuffled
from attnviewer.core.transformer.positions import apart, put_back, shuffled_order, sinusoidal_2d
from attnviewer.core.transformer.requests import GridRequest, PlacesRequest, ShuffleRequest
from attnviewer.nets.looker import LookerConfig
from attnviewer.nets.transformer import Transformer

LONGEST = 512
LEAST = 2  # words that can be shuffled


def places(engine: Any, request: PlacesRequest) -> Study:
    """The position vectors of a net."""
    from attnviewer.zoo.bert import NAME

    yield Loading()
    if request.model in (None, NAME):
        made = Places(NAME, "learnt", frozen(engine.encoder.net.places.weight.cpu().numpy()))
    else:
        made = _of(request.model or "", engine.zoo.translator(request.model).net)
    yield made
    return made


def _of(name: str, net: Any) -> Places:
    if not isinstance(net, Transformer):
        raise UserError(tr("{model} has no positions; choose a Transformer.", model=name))
    order, reach = net.config.order, net.config.reach
    if order == "relative":
        own: Any = net.encoder[0]
        return Places(name, order, frozen(own.own.distance.cpu().numpy()), -reach)
    vectors = net.places.vectors(LONGEST)
    if vectors is None:
        return Places(name, order, frozen(np.zeros((0, net.config.width))))
    return Places(name, order, frozen(vectors.detach().cpu().numpy()))


def grid(engine: Any, request: GridRequest) -> Study:
    """The position vectors of a photo's places."""
    yield Progress(tr("encoding the photo"))
    count = engine.annotations(request.picture, engine.zoo.captioner(None, "soft").encoder).shape[1]
    side = round(count**0.5)
    made = GridPlaces(side, side, frozen(sinusoidal_2d(side, side, LookerConfig(0).width)))
    yield made
    return made


def shuffled(engine: Any, request: ShuffleRequest) -> Study:
    """Read a text four times: with positions and without, as it is and shuffled."""
    from attnviewer.zoo.bert import NAME

    yield Loading()
    found = engine.encoder.tokens(request.text)
    if len(found.ids) < LEAST + 2 or len(found.ids) > LONGEST:
        raise UserError(tr("a text of 2 to 510 word pieces can be shuffled; type such a one."))
    order = shuffled_order(len(found.ids), request.seed)
    yield Progress(tr("reading {count} tokens four times", count=len(found.ids)))
    (placed, near), (free, same) = (_differ(engine.encoder.net, found.ids, order, on) for on in (True, False))
    made = Shuffled(NAME, tuple(found.tokens), tuple(map(int, order)), placed, free, near, same)
    yield made
    return made


def _differ(net: Any, ids: list[int], order: Any, positions: bool) -> tuple[Floats, Floats]:
    """How far each token's last vector is from its vector in the shuffled text, and the cosine of both."""
    change = Ablation(positions=positions)
    with torch.inference_mode():
        plain, moved = (
            net.see(torch.tensor([list(row)]), None, change).hidden[-1, 0].float().cpu().numpy()
            for row in (ids, np.asarray(ids)[order].tolist())
        )
    back = put_back(moved, order)
    return frozen(apart(plain, back)), frozen(cosines(plain, back))
