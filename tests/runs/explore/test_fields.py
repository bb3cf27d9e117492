"""Receptive fields on the shipped encoder: the formula against what gradients reach."""

from __future__ import annotations

import copy

import numpy as np
import pytest
import torch
from helpers.pictures import corners
from torch import Tensor, nn

from attnviewer.core.errors import UserError
from attnviewer.core.explore.findings import LayerRow, Layers, Maps, Swapped, UnitField
from attnviewer.core.explore.listening import Listening
from attnviewer.core.explore.requests import LayersRequest, ListenRequest, MapsRequest, SwapRequest, UnitRequest
from attnviewer.core.images import Picture
from attnviewer.core.jobs import outcome
from attnviewer.core.request import AttendRequest
from attnviewer.nets.vision import Encoder
from attnviewer.runs.engine import Engine
from attnviewer.runs.explore.layering import layers_of, outputs, rows_of

PHOTO = Picture(np.random.default_rng(0).integers(0, 255, (90, 120, 3), np.uint8))


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(device="cpu")


def one_channel(net: nn.Module) -> nn.Module:
    """The same layers with one channel, weights of 1, means for maxima, and no activations."""
    made = copy.deepcopy(net)
    for module in made.modules():
        for name, part in list(module.named_children()):
            if isinstance(part, nn.Conv2d):
                same = nn.Conv2d(1, 1, part.kernel_size, part.stride, part.padding, part.dilation, bias=False)
                setattr(module, name, same)
            elif isinstance(part, nn.MaxPool2d):
                setattr(module, name, nn.AvgPool2d(part.kernel_size, part.stride, part.padding))
            elif isinstance(part, nn.ReLU6 | nn.ReLU | nn.BatchNorm2d):
                setattr(module, name, nn.Identity())
    for one in made.parameters():
        nn.init.constant_(one, 1.0)
    return made.double().requires_grad_(False)


def support(maps: nn.Module, pixels: int, layer: str, unit: int) -> tuple[int, int]:
    """First pixel and the one after the last, along rows, that have a gradient to a unit on the diagonal."""
    photo = torch.ones(1, 1, pixels, pixels, dtype=torch.float64, requires_grad=True)
    *_, (_, output) = outputs(maps, photo, layer)
    output[0, 0, unit, unit].backward()
    rows = _reached(photo.grad[0, 0].sum(dim=1))
    assert rows == _reached(photo.grad[0, 0].sum(dim=0))
    return rows


def _reached(sums: Tensor) -> tuple[int, int]:
    found = sums.nonzero().flatten()
    assert len(found) == found[-1] - found[0] + 1, "a field has no gaps"
    return int(found[0]), int(found[-1]) + 1


@pytest.mark.parametrize("extra", [0, 1, 16, 19])
def test_the_formula_is_the_support_of_the_gradient_on_a_photo_larger_than_the_field(
    engine: Engine, extra: int
) -> None:
    maps = engine.zoo.encoder("encoder").net.maps
    largest = max(row.field.size for row in rows_of(maps, 1))
    pixels = 2 * largest + extra
    bare = one_channel(maps)
    for row in rows_of(maps, pixels):
        unit = row.field.side // 2
        assert support(bare, pixels, row.name, unit) == row.field.span(unit, pixels), row.name
        assert row.field.span(unit, pixels)[1] - row.field.span(unit, pixels)[0] == row.field.size


def test_at_the_edge_a_field_ends_with_the_photo(engine: Engine) -> None:
    encoder = engine.zoo.encoder("encoder")
    pixels, bare = encoder.recipe.size, one_channel(encoder.net.maps)
    for row in rows_of(encoder.net.maps, pixels):
        for unit in (0, row.field.side - 1):
            assert support(bare, pixels, row.name, unit) == row.field.span(unit, pixels), row.name


@pytest.mark.parametrize("name", ["resnet18", "vgg16"])
def test_foreign_encoders_have_fields_too(name: str) -> None:
    maps = Encoder(name).eval().maps
    bare = one_channel(maps)
    pixels = 130
    for row in rows_of(maps, pixels):
        unit = row.field.side // 2
        assert support(bare, pixels, row.name, unit) == row.field.span(unit, pixels), row.name


@torch.inference_mode()
def test_the_layers_one_after_the_other_are_the_encoder(engine: Engine) -> None:
    maps = engine.zoo.encoder("encoder").net.maps
    pixels = torch.rand(1, 3, 64, 64)
    found = dict(outputs(maps, pixels))
    fine, coarse = maps(pixels)
    assert torch.equal(found[layers_of(maps)[-1].name], coarse)
    assert any(one.shape == fine.shape and torch.equal(one, fine) for one in found.values())
    for row, output in zip(rows_of(maps, 64), found.values(), strict=True):
        assert output.shape[1:] == (row.channels, row.field.side, row.field.side)


def test_the_layers_tell_their_fields_and_first_kernels(engine: Engine) -> None:
    found = outcome(engine.explore(LayersRequest()))
    assert isinstance(found, Layers)
    sizes = [row.field.size for row in found.layers]
    assert sizes == sorted(sizes)
    assert found.kernels.shape[0] == found.layers[0].channels
    assert found.kernels.shape[3] == 3


def a_layer(engine: Engine, index: int = 0) -> LayerRow:
    encoder = engine.zoo.encoder("encoder")
    return rows_of(encoder.net.maps, encoder.recipe.size)[index]


def test_feature_maps_have_the_shape_of_their_layer(engine: Engine) -> None:
    row = a_layer(engine, 3)
    found = outcome(engine.explore(MapsRequest(PHOTO, row.name)))
    assert isinstance(found, Maps)
    assert found.maps.shape == (row.channels, row.field.side, row.field.side)


@pytest.mark.parametrize("channel", [None, 2])
def test_no_gradient_leaves_the_theoretical_field(engine: Engine, channel: int | None) -> None:
    row = a_layer(engine, 4)
    found = outcome(engine.explore(UnitRequest(PHOTO, row.name, 3, 5, channel)))
    assert isinstance(found, UnitField)
    left, top, right, bottom = found.box
    outside = found.gradient.copy()
    outside[top:bottom, left:right] = 0
    assert outside.max() == 0
    assert found.gradient.max() == 1
    assert 1 <= found.width <= row.field.size


def test_gradients_flow_though_the_model_was_loaded_without() -> None:
    with torch.inference_mode():
        found = outcome(Engine(device="cpu").explore(UnitRequest(PHOTO)))
    assert found.gradient.max() == 1


def test_a_stage_stands_for_its_last_layer_and_nothing_for_the_grid_that_is_looked_at(engine: Engine) -> None:
    by_default = outcome(engine.explore(UnitRequest(PHOTO)))
    assert by_default.layer.channels == engine.zoo.encoder("encoder").net.maps.sizes[0]
    stage = by_default.layer.name.rpartition(".")[0]
    assert outcome(engine.explore(UnitRequest(PHOTO, stage))).layer.name == by_default.layer.name


def test_units_far_from_both_squares_notice_nothing_early_on(engine: Engine) -> None:
    photo = Picture(np.asarray(corners(200, 200)))
    found = outcome(engine.explore(SwapRequest(photo, (0, 0), (180, 180), 20)))
    assert isinstance(found, Swapped)
    first, last = found.changes[0], found.changes[-1]
    middle = len(first) // 2
    assert first[middle, middle] == 0
    assert first[0, 0] > 0
    assert (last > 0).mean() > (first > 0).mean()


def test_a_pixel_is_a_photo_too(engine: Engine) -> None:
    tiny = Picture(np.zeros((1, 1, 3), np.uint8))
    assert outcome(engine.explore(UnitRequest(tiny))).gradient.shape[0] == engine.zoo.encoder("encoder").recipe.size


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        (UnitRequest(PHOTO, "stage99"), "no layer 'stage99'"),
        (UnitRequest(PHOTO, None, 999, 0), "from 0 to"),
        (UnitRequest(PHOTO, None, 0, -1), "from 0 to"),
        (UnitRequest(PHOTO, None, 0, 0, 99_999), "has channels 0 to"),
        (SwapRequest(PHOTO, (0, 0), (5, 5), 20), "overlap"),
        (SwapRequest(PHOTO, (0, 0), (50, 50), 91), "doesn't fit"),
    ],
)
def test_places_that_are_not_there_are_told_in_a_sentence(engine: Engine, request_, told: str) -> None:
    with pytest.raises(UserError, match=told):
        outcome(engine.explore(request_))


def test_a_place_listens_as_the_captioning_transformer_attends(engine: Engine) -> None:
    found = outcome(engine.explore(ListenRequest(PHOTO, (0.25, 0.8))))
    assert isinstance(found, Listening)
    assert (found.model, found.layer, found.row, found.column) == ("caption-transformer", 0, 3, 11)
    attended = outcome(engine.run(AttendRequest(picture=PHOTO)))
    place = found.row * 14 + found.column
    assert np.allclose(found.heads.reshape(len(found.heads), -1), attended.inside.weights[0][:, place], atol=1e-6)
    assert np.allclose(found.heads.sum(axis=(1, 2)), 1, atol=1e-5)


def test_a_place_at_the_edge_is_inside_and_a_layer_that_is_not_there_is_told(engine: Engine) -> None:
    found = outcome(engine.explore(ListenRequest(PHOTO, (1.0, 0.0))))
    assert isinstance(found, Listening)
    assert (found.row, found.column) == (13, 0)
    with pytest.raises(UserError, match="caption-transformer has layers 0 to 0; layer 3 is none"):
        outcome(engine.explore(ListenRequest(PHOTO, layer=3)))
