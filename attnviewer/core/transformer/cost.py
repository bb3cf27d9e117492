"""What a layer of self-attention, a recurrent and a convolutional one cost: weights, multiplications, numbers kept.

L tokens, D numbers each; a convolution sees k tokens at a time.
"""

from __future__ import annotations

from dataclasses import dataclass

from attnviewer.core.i18n import later

KERNEL = 3
NAMES = (later("self-attention"), later("recurrent"), later("convolution"))


@dataclass(frozen=True)
class Cost:
    """One kind of layer for a text.

    Parameters
    ----------
    name : of the layer.
    weights : numbers that are learnt.
    products : multiplications for the whole text.
    memory : numbers that have to be held at once, beside the weights.
    steps : how many things have to happen one after another.
    apart : how many layers two tokens at the ends of the text need to hear of each other.
    """

    name: str
    weights: int
    products: int
    memory: int
    steps: int
    apart: int


def costs(length: int, size: int, kernel: int = KERNEL) -> tuple[Cost, ...]:
    """Self-attention, recurrent and convolutional layers side by side."""
    square = size * size
    return (
        Cost(NAMES[0], 4 * square, 4 * length * square + 2 * length**2 * size,
             4 * length * size + length**2, 1, 1),
        Cost(NAMES[1], 2 * square, 2 * length * square, 2 * length * size, length, 1),
        Cost(NAMES[2], kernel * square, kernel * length * square, 2 * length * size, 1,
             max(1, -(-(length - 1) // (kernel - 1)))),
    )  # fmt: skip
