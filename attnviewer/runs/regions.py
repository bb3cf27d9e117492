"""The regions of a picture as items: keys by the grounder, values the annotation vectors themselves."""

from __future__ import annotations

from collections.abc import Callable, Generator

import numpy as np
import torch
from torch import Tensor

from attnviewer.core.content import Items
from attnviewer.core.events import Loading, Progress
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.trace import Grid, Locations
from attnviewer.runs.keys import Floats, Index, Library
from attnviewer.zoo.grounding import NAME, Grounding

Annotate = Callable[[Picture, str], Tensor]


class RegionIndexer:
    """Makes the index over a picture's regions and keeps the last one.

    Parameters
    ----------
    annotate : gives a picture's annotation vectors [1, L, D] by the encoder with an id.
    load : gives the grounder.
    """

    def __init__(self, annotate: Annotate, load: Callable[[], Grounding]) -> None:
        self._annotate, self._load = annotate, load
        self._grounding: Grounding | None = None
        self._last: tuple[Picture, Index] | None = None

    def __call__(self, picture: Picture, library: Library) -> Generator[Progress, None, tuple[Index, Locations, float]]:
        """The index over `picture`, its grid, and the temperature that suits it."""
        if self._grounding is None:
            yield Loading(tr("Loading the grounder"))
            self._grounding = self._load()
            yield from library.sentences.load()
        if self._last is None or self._last[0] is not picture:
            yield Progress(tr("Looking at the photo"))
            self._last = picture, self._index(picture, self._grounding, library)
        side = self._grounding.net.config.side
        grid = Grid(side, side, (0, 0, picture.width, picture.height))
        return self._last[1], grid, self._grounding.temperature

    def _index(self, picture: Picture, grounding: Grounding, library: Library) -> Index:
        net = grounding.net
        with torch.inference_mode():
            mirrored, annotations = (  # the photo itself last: the engine keeps what it saw last
                self._annotate(seen, grounding.encoder).float().cpu() for seen in (picture.mirrored(), picture)
            )
            keys = net.keys(annotations, mirrored).squeeze(0)  # [L, K]

        def encode(text: str) -> Floats:
            with torch.inference_mode():
                found = net.query(torch.from_numpy(library.sentences.one(text)).unsqueeze(0))
            return np.array(found.squeeze(0).numpy(), dtype=np.float32)

        def presence(text: str) -> float:
            return grounding.presence(keys @ torch.from_numpy(encode(text)))

        values = Items.of(annotations.squeeze(0).numpy().copy())
        return Index(NAME, Items.of(keys.numpy().copy()), encode, values=values, presence=presence)
