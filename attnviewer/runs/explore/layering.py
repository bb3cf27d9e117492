"""An encoder as the row of layers that it is: names, filters, and the output of each.

Letters: C channels, n units along a side, S side of the input.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar, cast
from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn

from attnviewer.core.errors import UserError
from attnviewer.core.explore.fields import Filter, fields
from attnviewer.core.explore.findings import LayerRow
from attnviewer.core.i18n import tr
from attnviewer.nets.vision import EfficientNetLite, SamePad
from attnviewer.zoo.captioners import LoadedEncoder

ASIDE = "downsample"  # the way round a block of a ResNet; no wider than the block itself


@dataclass(frozen=True)
class Layer:
    """A part of the encoder that the photo passes as a whole."""

    name: str
    module: nn.Module

    @property
    def filters(self) -> tuple[Filter, ...]:
        """What widens the field: its convolutions and poolings, one after the other."""
        return tuple(_filters(self.module))


def layers_of(maps: nn.Module) -> tuple[Layer, ...]:
    """The layers of an encoder's maps in the order in which the photo passes them."""
    named = _lite(maps) if isinstance(maps, EfficientNetLite) else _children(maps)
    return tuple(Layer(name, module) for name, module in named)


def _lite(maps: EfficientNetLite) -> Iterator[tuple[str, nn.Module]]:
    yield "stem", maps.stem
    for number, stage in enumerate((*maps.fine, *maps.coarse), start=1):
        for block, module in enumerate(stage):
            yield f"stage{number}.{block}", module
    yield "head", maps.head


def _children(maps: nn.Module) -> Iterator[tuple[str, nn.Module]]:
    for part, modules in maps.named_children():
        for name, module in modules.named_children():
            inner = list(module.named_children()) if isinstance(module, nn.Sequential) else []
            yield from ((f"{part}.{name}.{n}", one) for n, one in inner) if inner else [(f"{part}.{name}", module)]


def _filters(module: nn.Module) -> Iterator[Filter]:
    same = False
    for name, part in module.named_modules():
        if ASIDE in name:
            continue
        if isinstance(part, SamePad):
            same = True
        elif isinstance(part, nn.Conv2d | nn.MaxPool2d):
            kernel, stride, padding, dilation = (
                _side(one) for one in (part.kernel_size, part.stride, part.padding, part.dilation)
            )
            yield Filter(kernel, stride, None if same else padding, dilation)
            same = False


def _side(value: int | tuple[int, ...] | str) -> int:
    return int(value[0] if isinstance(value, tuple) else value)


def rows_of(maps: nn.Module, pixels: int) -> tuple[LayerRow, ...]:
    """Each layer's field for a photo of `pixels` a side, and its channels."""
    layers = layers_of(maps)
    found = fields(((layer.name, layer.filters) for layer in layers), pixels)
    channels = 3
    rows = []
    for layer, field in zip(layers, found, strict=True):
        channels = _channels(layer.module, channels)
        rows.append(LayerRow(field, channels))
    return tuple(rows)


def _channels(module: nn.Module, before: int) -> int:
    convs = [part for name, part in module.named_modules() if isinstance(part, nn.Conv2d) and ASIDE not in name]
    return int(convs[-1].out_channels) if convs else before


def outputs(maps: nn.Module, pixels: Tensor, upto: str | None = None) -> Iterator[tuple[str, Tensor]]:
    """The output [B, C, n, n] of each layer for `pixels` [B, 3, S, S], up to the one named `upto`."""
    passed = pixels
    for layer in layers_of(maps):
        passed = layer.module(passed)
        yield layer.name, passed
        if layer.name == upto:
            return


def find(rows: tuple[LayerRow, ...], wanted: str) -> LayerRow:
    """The layer called `wanted`, or the last one of a stage of that name; raises `UserError` where there is none."""
    for row in reversed(rows):
        if wanted in (row.name, row.name.rpartition(".")[0]):
            return row
    names = ", ".join(row.name for row in rows)
    raise UserError(tr("the encoder has no layer {name!r}; choose of {names}.", name=wanted, names=names))


N = TypeVar("N", bound=nn.Module)
_copies: WeakKeyDictionary[nn.Module, nn.Module] = WeakKeyDictionary()


def with_gradients(net: N) -> N:
    """A copy of a net that gradients can flow through; the net itself may have been made without."""
    if net not in _copies:
        with torch.inference_mode(False):
            _copies[net] = copy.deepcopy(net).requires_grad_(False).eval()
    return cast("N", _copies[net])


def input_side(encoder: LoadedEncoder) -> int:
    """Pixels along a side of what the encoder takes."""
    return encoder.recipe.size
