"""The experiments that need a net, as runs; what runs a request is found by its type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnviewer.core.explore.requests import (
    AlikeRequest,
    Exploration,
    LayersRequest,
    LearnRequest,
    ListenRequest,
    MapsRequest,
    MatterRequest,
    PatchRequest,
    ResizeRequest,
    SourceMatterRequest,
    SwapRequest,
    TreeRequest,
    UnitRequest,
    UnrollRequest,
)
from attnviewer.core.jobs import Study
from attnviewer.runs.explore.alike import alike
from attnviewer.runs.explore.learn import learn
from attnviewer.runs.explore.listen import listen
from attnviewer.runs.explore.matter import matter
from attnviewer.runs.explore.patches import patches
from attnviewer.runs.explore.resize import resize
from attnviewer.runs.explore.source import source_matter
from attnviewer.runs.explore.tree import tree
from attnviewer.runs.explore.units import layers, maps, swap, unit
from attnviewer.runs.explore.unroll import unroll

STUDIES: dict[type[Exploration], Callable[[Any, Any], Study]] = {
    ResizeRequest: resize,
    LearnRequest: learn,
    LayersRequest: layers,
    MapsRequest: maps,
    UnitRequest: unit,
    ListenRequest: listen,
    SwapRequest: swap,
    PatchRequest: patches,
    AlikeRequest: alike,
    MatterRequest: matter,
    SourceMatterRequest: source_matter,
    TreeRequest: tree,
    UnrollRequest: unroll,
}


def study(engine: Any, request: Exploration) -> Study:
    """The run of an experiment on an engine: its zoo and its device."""
    from attnviewer.runs.transformer import STUDIES as INSIDE

    return (STUDIES | INSIDE)[type(request)](engine, request)
