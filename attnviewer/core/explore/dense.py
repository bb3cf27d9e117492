"""What a fully connected net costs beside a convolution, as plain counting.

Letters: P side of the photo in pixels, N = P * P pixels, L layers, D numbers a layer.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr

BYTES = 4  # of a float32 number
LARGEST = 10**6
DEEPEST = 1000


@dataclass(frozen=True)
class Layer:
    """One layer: numbers in, numbers out, and what is learnt for it."""

    inputs: int
    outputs: int
    weights: int
    biases: int

    @property
    def parameters(self) -> int:
        """All that is learnt."""
        return self.weights + self.biases

    @property
    def bytes(self) -> int:
        """Memory of the parameters, 4 bytes each."""
        return BYTES * self.parameters


@dataclass(frozen=True)
class Cost:
    """What all layers of a net together learn and fill."""

    layers: tuple[Layer, ...]

    @property
    def weights(self) -> int:
        """Numbers that are multiplied."""
        return sum(layer.weights for layer in self.layers)

    @property
    def biases(self) -> int:
        """Numbers that are added."""
        return sum(layer.biases for layer in self.layers)

    @property
    def parameters(self) -> int:
        """All that is learnt."""
        return self.weights + self.biases

    @property
    def bytes(self) -> int:
        """Memory of the parameters, 4 bytes each."""
        return BYTES * self.parameters


def mlp(side: int, layers: int = 1, width: int | None = None) -> Cost:
    """An MLP on a grey photo of side x side pixels: N -> D -> D ..., with a bias for each output.

    Parameters
    ----------
    width : numbers a layer gives, D; None: as many as there are pixels, as a convolution does.

    Raises `UserError` where a size makes no sense.
    """
    pixels = _within(tr("the side of the photo"), side, LARGEST) ** 2
    _within(tr("the number of layers"), layers, DEEPEST)
    wide = pixels if width is None else _within(tr("the width"), width, LARGEST**2)
    sizes = (pixels, *[wide] * layers)
    return Cost(tuple(Layer(a, b, a * b, b) for a, b in pairwise(sizes)))


def convolution(side: int, layers: int = 1, kernel: int = 3) -> Cost:
    """Convolutions of one channel on the same photo: the same kernel everywhere, whatever the size of the photo."""
    pixels = _within(tr("the side of the photo"), side, LARGEST) ** 2
    _within(tr("the number of layers"), layers, DEEPEST)
    return Cost((Layer(pixels, pixels, _within(tr("the kernel"), kernel, LARGEST) ** 2, 1),) * layers)


def _within(what: str, value: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise UserError(
            tr("{what} must be a whole number from 1 to {most:,}, not {value}.", what=what, most=most, value=value)
        )
    return value


UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB", "RB", "QB")


def memory(count: int) -> str:
    """Bytes for a reader, with three digits: 36 bytes, 4.00 TB."""
    power = min(max(len(str(count)) - 1, 0) // 3, len(UNITS) - 1)
    shown = count / 1000**power
    if power == 0:
        return tr("{count} bytes", count=count)
    return f"{shown:.{2 if shown < 10 else 1 if shown < 100 else 0}f} {UNITS[power]}"
