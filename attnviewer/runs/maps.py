"""Maps between torch and the trace: weights that a request imposes, and arrays that leave the model thread.

Letters: L locations.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from attnviewer.core.errors import UserError
from attnviewer.core.trace import Floats


def imposed(weights: tuple[float, ...], places: int) -> Tensor:
    """Weights [L] to impose, made to sum to 1; raises `UserError` where they can't be."""
    values = np.asarray(weights, np.float64)
    total = values.sum()
    if values.shape != (places,) or not np.isfinite(total) or (values < 0).any() or total == 0:
        raise UserError(f"imposed attention needs {places} weights that are finite, not negative and not all 0.")
    return torch.from_numpy(values / total).float()


def as_array(values: Tensor, shape: tuple[int, int]) -> Floats:
    return np.array(values.float().cpu().numpy().reshape(shape))
