"""An engine without a network that also says what matters: curves that grow, for photos and for sentences."""

from __future__ import annotations

import threading
from collections.abc import Generator
from dataclasses import replace

import numpy as np

from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.explore.beam import DROPPED, ENDED, KEPT, BeamTree, Node
from attnviewer.core.explore.finding import Finding
from attnviewer.core.explore.findings import Matter
from attnviewer.core.explore.matters import ATTENTION, GRADIENT, OCCLUSION, ORDERS
from attnviewer.core.explore.requests import Exploration, SourceMatterRequest, TreeRequest
from attnviewer.core.trace import frozen
from helpers.fake_engine import CELLS, WORDS, blob
from helpers.translate_engine import ENGLISH, TranslateEngine

STEPS = 4
FALLING = {name: tuple(float(0.8 * x**power) for x in (1, 0.75, 0.5, 0.25, 0)) for power, name in
           zip((4, 3, 2, 1), ORDERS, strict=True)}  # fmt: skip


TREE = BeamTree(
    "fake", 2, 0.9,
    (Node(-1, "the", -0.1, -0.1, KEPT, True), Node(-1, "a", -2.0, -2.0, DROPPED),
     Node(0, "house", -0.2, -0.3, KEPT, True), Node(0, "home", -3.0, -3.1, DROPPED),
     Node(2, "", -0.1, -0.4, ENDED, True)),
)  # fmt: skip


class MatterEngine(TranslateEngine):
    """Keeps the experiments it was asked; `hold` stops each after its first curve until it is set."""

    def __init__(self) -> None:
        super().__init__()
        self.explored: list[Exploration] = []
        self.fault = ""
        self.hold = threading.Event()
        self.hold.set()

    def explore(self, request: Exploration) -> Generator[Progress | Finding, None, Finding]:
        """One question about a word."""
        self.explored.append(request)
        yield Progress("covering", 0.1)
        if self.fault:
            raise UserError(self.fault)
        if isinstance(request, TreeRequest):
            yield TREE
            return TREE
        whole = _found(request)
        first = {ATTENTION: FALLING[ATTENTION]}
        yield replace(whole, deletion=first, insertion=first, deletion_area={}, insertion_area={})
        self.hold.wait(5)
        yield whole
        return whole


def _found(request: Exploration) -> Matter:
    source = isinstance(request, SourceMatterRequest)
    places = ("La", "casa", "blanca") if source else ()
    values = frozen([0.2, 0.5, 0.3]) if source else frozen(blob(0.4, 0.4, CELLS, CELLS)[0])
    words = tuple(ENGLISH.get(word.lower(), word) for word in request.asked.sentence.split()) if source else (
        request.words or WORDS)  # fmt: skip
    areas = dict(zip(ORDERS, (0.2, 0.25, 0.33, 0.5), strict=True))
    return Matter(
        words, request.word, 0.8, dict.fromkeys((ATTENTION, GRADIENT, OCCLUSION), values), FALLING,
        {name: tuple(np.array(curve)[::-1].tolist()) for name, curve in FALLING.items()}, areas,
        {name: 1 - area for name, area in areas.items()}, 0.4, places, STEPS,
    )  # fmt: skip
