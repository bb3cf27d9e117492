"""Pictures as foreign models want them, and their patches as a grid over the picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.trace import Floats, Grid
from attnviewer.zoo.foreign.folder import read_json

SETTINGS = "preprocessor_config.json"
Triple = tuple[float, float, float]
HALF: Triple = (0.5, 0.5, 0.5)


class Eye:
    """Makes the input of a model from a picture: the whole of it, at the size of the model.

    Parameters
    ----------
    folder : of the model; its preprocessor_config.json says mean and spread of the colours.
    size, patch : pixels along a side of the input, and of a patch.
    """

    def __init__(self, folder: Path, size: int, patch: int) -> None:
        known = read_json(folder / SETTINGS) if (folder / SETTINGS).is_file() else {}
        self.size, self.side = size, size // patch
        self.mean, self.spread = (_triple(known.get(name)) for name in ("image_mean", "image_std"))
        self.cropped = bool(known.get("do_center_crop"))

    def pixels(self, picture: Picture) -> Tensor:
        """The input [1, 3, size, size]."""
        small = Image.fromarray(picture.pixels).resize((self.size, self.size), Image.Resampling.BICUBIC)
        scaled = (np.asarray(small, np.float32) / 255 - self.mean) / self.spread
        return torch.from_numpy(scaled.astype(np.float32)).permute(2, 0, 1).unsqueeze(0)

    def grid(self, picture: Picture) -> Grid:
        """The patches over the whole picture."""
        return Grid(self.side, self.side, (0, 0, picture.width, picture.height))

    def on_grid(self, weights: Floats) -> tuple[Floats, Floats]:
        """Weights [N, H, T, L] on the patches alone, rows summing to 1, and the share [T, N * H] that lay elsewhere."""
        patches = weights[..., -self.side * self.side :]
        kept = patches.sum(axis=-1, keepdims=True)
        outside = 1 - kept[..., 0].reshape(-1, weights.shape[2]).T
        uniform = np.float32(1 / patches.shape[-1])
        rows = np.where(kept > 0, patches / np.maximum(kept, 1e-12), uniform)
        return rows.astype(np.float32), np.clip(outside, 0, 1).astype(np.float32)

    def notes(self, outside: Floats) -> tuple[str, ...]:
        """What was done to the maps and to the picture."""
        share = f"{float(outside.mean()):.0%}"
        said = tr("{share} of the weights, on the average, lie on special tokens; maps show the rest.", share=share)
        squeezed = tr("The model was made for the middle of a picture; here it sees the whole, squeezed.")
        return (said, squeezed) if self.cropped else (said,)


def _triple(given: Any) -> Triple:
    """Three numbers of a setting, or one half each where there are none."""
    if isinstance(given, list) and len(given) == 3 and all(isinstance(one, int | float) for one in given):
        return (float(given[0]), float(given[1]), float(given[2]))
    return HALF
