"""Vision Transformers: every patch of a picture, and the class token, look at all patches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from attnviewer.core.events import Progress
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.zoo.foreign.base import Foreign, Found, Maps, stacked
from attnviewer.zoo.foreign.pictures import Eye

SPECIAL = ("[CLS]", "[DISTIL]")


class Vit(Foreign):
    """ViT, DeiT."""

    net_class, reads = "AutoModel", "picture"
    projections = r"(?:encoder\.)?layers?\.(\d+)\.attention\.(?:o_proj|output\.dense)"

    def __init__(self, folder: Path, config: dict[str, Any]) -> None:
        super().__init__(folder, config)
        self.eye = Eye(folder, int(self.net.config.image_size), int(self.net.config.patch_size))

    def look(self, given: Picture) -> Found:
        """Self-attention; who looks is a special token, or the patch at a row and column."""
        yield Progress(tr("looking at {count} patches", count=self.eye.side**2))
        seen = self.net(pixel_values=self.eye.pixels(given), output_attentions=True)
        weights, outside = self.eye.on_grid(stacked(seen.attentions))
        places = [f"{row},{column}" for row, column in np.ndindex(self.eye.side, self.eye.side)]
        words = (*SPECIAL[: weights.shape[2] - len(places)], *places)
        return Maps(words, (), weights, self.eye.grid(given), outside=outside, notes=self.eye.notes(outside))
