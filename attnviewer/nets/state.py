"""What a decoder keeps between two words, put in another order when a beam search drops some hypotheses.

Letters: B photos (or sentences), K hypotheses each.
"""

from __future__ import annotations

from typing import TypeVar

from torch import Tensor

S = TypeVar("S", bound="tuple[Tensor, ...]")


def reorder(state: S, order: Tensor) -> S:
    """A named tuple of tensors [B, K, ...] whose hypotheses are those that `order` [B, K] names."""
    return type(state)(*(_reordered(part, order) for part in state))


def _reordered(part: Tensor, order: Tensor) -> Tensor:
    index = order.view(*order.shape, *(1,) * (part.ndim - 2))
    return part.gather(1, index.expand(*order.shape, *part.shape[2:]))
