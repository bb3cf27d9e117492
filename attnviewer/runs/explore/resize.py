"""A fully connected layer meets a photo of another size: torch refuses, and a convolution doesn't mind."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from attnviewer.core.explore.findings import Refusal
from attnviewer.core.explore.requests import ResizeRequest
from attnviewer.core.jobs import Study


def resize(engine: Any, request: ResizeRequest) -> Study:
    """Feed a grown photo; the layer's weights are one number seen from everywhere, so that no size is too large."""
    grown = request.side + request.grow
    with torch.inference_mode():
        photo = torch.zeros(1, 1, 1, 1).expand(1, 1, grown, grown)
        weights = torch.zeros(1, 1).expand(request.width, request.side**2)
        message = _refused(photo.flatten(1), weights)
        output = nn.functional.conv2d(photo, torch.zeros(1, 1, 3, 3), padding=1).shape[-2:]
    found = Refusal(request.side, grown, request.width, message, (int(output[0]), int(output[1])))
    yield found
    return found


def _refused(photo: torch.Tensor, weights: torch.Tensor) -> str:
    try:
        nn.functional.linear(photo, weights)
    except RuntimeError as error:
        return " ".join(str(error).split())
    return ""
