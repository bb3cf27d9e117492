"""The Transformer panel's experiments as runs; what runs a request is found by its type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnviewer.core.explore.requests import Exploration
from attnviewer.core.jobs import Study
from attnviewer.core.transformer.requests import (
    ContextRequest,
    GridRequest,
    LensRequest,
    PairRequest,
    PlacesRequest,
    ShuffleRequest,
    TimesRequest,
)
from attnviewer.runs.transformer.context import context
from attnviewer.runs.transformer.lens import lens
from attnviewer.runs.transformer.pair import pair
from attnviewer.runs.transformer.positions import grid, places, shuffled
from attnviewer.runs.transformer.times import times

STUDIES: dict[type[Exploration], Callable[[Any, Any], Study]] = {
    PlacesRequest: places,
    GridRequest: grid,
    ShuffleRequest: shuffled,
    ContextRequest: context,
    LensRequest: lens,
    PairRequest: pair,
    TimesRequest: times,
}
