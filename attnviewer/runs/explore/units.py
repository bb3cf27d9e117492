"""Layers, feature maps and single units of the encoder: what they see by formula, and what a gradient tells.

Letters: C channels, n units along a side, S side of the input.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from attnviewer.core.errors import UserError
from attnviewer.core.events import Loading
from attnviewer.core.explore.findings import Box, LayerRow, Layers, Maps, Swapped, UnitField
from attnviewer.core.explore.requests import LayersRequest, MapsRequest, SwapRequest, UnitRequest
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.jobs import Study
from attnviewer.core.trace import Floats, frozen
from attnviewer.runs.caption import pixels_of
from attnviewer.runs.explore.layering import find, input_side, layers_of, outputs, rows_of, with_gradients
from attnviewer.zoo.captioners import LoadedEncoder

COUNTED = 1 - 0.9545  # a pixel belongs to the effective field where its gradient is this share of the largest


def layers(engine: Any, request: LayersRequest) -> Study:
    """All layers and the first kernels of the encoder."""
    yield Loading()
    encoder = engine.zoo.encoder(request.encoder)
    found = Layers(encoder.card.id, input_side(encoder), _rows(encoder), _kernels(encoder))
    yield found
    return found


def _rows(encoder: LoadedEncoder) -> tuple[LayerRow, ...]:
    return rows_of(encoder.net.maps, input_side(encoder))


def _kernels(encoder: LoadedEncoder) -> Floats:
    """The first layer's kernels [C, k, k, 3], as they meet brightness in 0..255."""
    first = next(part for part in layers_of(encoder.net.maps)[0].module.modules() if isinstance(part, torch.nn.Conv2d))
    scale = 255 * torch.tensor(encoder.recipe.std, device=first.weight.device).view(1, 3, 1, 1)
    return frozen((first.weight / scale).permute(0, 2, 3, 1).cpu().numpy())


def maps(engine: Any, request: MapsRequest) -> Study:
    """The feature maps of a layer."""
    yield Loading()
    encoder = engine.zoo.encoder(request.encoder)
    row = find(_rows(encoder), request.layer)
    with torch.inference_mode():
        *_, (_, output) = outputs(encoder.net.maps, _pixels(engine, encoder, request.picture), row.name)
    found = Maps(row, frozen(output[0].float().cpu().numpy()))
    yield found
    return found


def _pixels(engine: Any, encoder: LoadedEncoder, picture: Picture) -> Tensor:
    return pixels_of(picture, encoder.recipe).to(engine.device)


def unit(engine: Any, request: UnitRequest) -> Study:
    """The field of a unit."""
    yield Loading()
    encoder = engine.zoo.encoder(request.encoder)
    rows, side = _rows(encoder), input_side(encoder)
    row = find(rows, request.layer) if request.layer is not None else _looked_at(encoder, rows)
    place = tuple(_place(at, row.field.side) for at in (request.row, request.column))
    if request.channel is not None and not 0 <= request.channel < row.channels:
        raise UserError(
            tr("{layer} has channels 0 to {last}, not {channel}.",
               layer=row.name, last=row.channels - 1, channel=request.channel)
        )  # fmt: skip
    gradient = gradient_of(encoder, _pixels(engine, encoder, request.picture), row.name, place, request.channel)
    (top, bottom), (left, right) = (row.field.span(at, side) for at in place)
    width = float((gradient > COUNTED).sum() ** 0.5)
    found = UnitField(row, place[0], place[1], request.channel, side, (left, top, right, bottom), gradient, width)
    yield found
    return found


def _looked_at(encoder: LoadedEncoder, rows: tuple[LayerRow, ...]) -> LayerRow:
    """The last layer of the grid that captioners look at."""
    return [row for row in rows if row.channels == encoder.net.maps.sizes[0]][-1]


def _place(at: int | None, side: int) -> int:
    if at is None:
        return side // 2
    if not 0 <= at < side:
        raise UserError(tr("rows and columns of this layer go from 0 to {last}, not {at}.", last=side - 1, at=at))
    return at


def gradient_of(
    encoder: LoadedEncoder, pixels: Tensor, layer: str, place: tuple[int, ...], channel: int | None
) -> Floats:
    """Size of the gradient of a unit to each pixel [S, S], summed over RGB; the largest is 1, or all are 0."""
    net = with_gradients(encoder.net)
    with torch.inference_mode(False), torch.enable_grad():
        photo = pixels.clone().requires_grad_()
        *_, (_, output) = outputs(net.maps, photo, layer)
        seen = output[0, :, place[0], place[1]]
        (seen.sum() if channel is None else seen[channel]).backward()
        assert photo.grad is not None
        found = photo.grad[0].abs().sum(dim=0)
    top = float(found.max())
    return frozen((found / (top or 1.0)).cpu().numpy())


def swap(engine: Any, request: SwapRequest) -> Study:
    """Let two squares change places; each layer's units tell how much they changed."""
    yield Loading()
    encoder = engine.zoo.encoder(request.encoder)
    boxes = _squares(request)
    changed = swapped(request.picture, boxes)
    pair = torch.cat([_pixels(engine, encoder, one) for one in (request.picture, changed)])
    with torch.inference_mode():
        changes = tuple(_change(output) for _, output in outputs(encoder.net.maps, pair))
    scale = input_side(encoder) / request.picture.width, input_side(encoder) / request.picture.height
    inside = tuple(_scaled(box, scale) for box in boxes)
    found = Swapped(_rows(encoder), (inside[0], inside[1]), changes)
    yield found
    return found


def _change(pair: Tensor) -> Floats:
    before, after = pair.float()
    length = before.norm(dim=0).clamp_min(1e-6)
    return frozen(((after - before).norm(dim=0) / length).cpu().numpy())


def _squares(request: SwapRequest) -> tuple[Box, Box]:
    wide, high = request.picture.width, request.picture.height
    side = request.side
    if not 1 <= side <= min(wide, high):
        raise UserError(
            tr(
                "a square of {side} pixels doesn't fit into a photo of {wide} x {high}.",
                side=side,
                wide=wide,
                high=high,
            )
        )
    first, second = (_inside(at, side, wide, high) for at in (request.first, request.second))
    if abs(first[0] - second[0]) < side and abs(first[1] - second[1]) < side:
        raise UserError(tr("the two squares overlap; move them apart or make them smaller."))
    return first, second


def _inside(at: tuple[int, int], side: int, wide: int, high: int) -> Box:
    left, top = (int(np.clip(value, 0, most - side)) for value, most in zip(at, (wide, high), strict=True))
    return left, top, left + side, top + side


def _scaled(box: Box, scale: tuple[float, float]) -> Box:
    left, top, right, bottom = box
    return round(left * scale[0]), round(top * scale[1]), round(right * scale[0]), round(bottom * scale[1])


def swapped(picture: Picture, boxes: tuple[Box, Box]) -> Picture:
    """The photo with two boxes of one size in each other's place."""
    pixels = picture.pixels.copy()
    for (left, top, right, bottom), (from_left, from_top, from_right, from_bottom) in (boxes, boxes[::-1]):
        pixels[top:bottom, left:right] = picture.pixels[from_top:from_bottom, from_left:from_right]
    return Picture(pixels, picture.path)
