"""The parameters of an MLP and of a convolution, counted by hand and by torch."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from attnviewer.core.errors import UserError
from attnviewer.core.explore.dense import convolution, memory, mlp


def test_a_photo_of_a_million_pixels_needs_a_trillion_weights_where_a_convolution_needs_nine() -> None:
    assert mlp(1000).weights == 10**12
    assert convolution(1000).weights == 9


def test_one_layer_of_16000_numbers_has_256_million_weights() -> None:
    assert mlp(1, layers=2, width=16_000).layers[1].weights == 256_000_000


@pytest.mark.parametrize(("side", "layers", "width"), [(4, 1, None), (28, 3, 50), (5, 2, 7)])
def test_the_count_is_that_of_torch(side: int, layers: int, width: int | None) -> None:
    cost = mlp(side, layers, width)
    with torch.device("meta"):
        net = nn.Sequential(*(nn.Linear(layer.inputs, layer.outputs) for layer in cost.layers))
    tensors = list(net.parameters())
    assert cost.parameters == sum(p.numel() for p in tensors)
    assert cost.bytes == sum(p.numel() * p.element_size() for p in tensors)


@pytest.mark.parametrize("kernel", [1, 3, 11])
def test_the_count_of_convolutions_is_that_of_torch(kernel: int) -> None:
    net = nn.Sequential(*(nn.Conv2d(1, 1, kernel) for _ in range(4)))
    assert convolution(99, 4, kernel).parameters == sum(p.numel() for p in net.parameters())


def test_a_convolution_costs_the_same_for_every_photo() -> None:
    assert convolution(10).bytes == convolution(100_000).bytes == 40


@pytest.mark.parametrize(
    ("count", "shown"), [(36, "36 bytes"), (4_000_000_000_000, "4.00 TB"), (12_345, "12.3 kB"), (999_000, "999 kB")]
)
def test_bytes_are_told_with_three_digits(count: int, shown: str) -> None:
    assert memory(count) == shown


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda: mlp(0), "side"),
        (lambda: mlp(5, 0), "layers"),
        (lambda: mlp(5, 1, 0), "width"),
        (lambda: convolution(5, 1, 0), "kernel"),
    ],
)
def test_sizes_that_make_no_sense_are_named(call, what: str) -> None:
    with pytest.raises(UserError, match=what):
        call()
