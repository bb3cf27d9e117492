"""A model that is kept as a change of another: whole tensors, or products of two thin matrices added to the other's.

Source: Hu et al. 2021, *LoRA: low-rank adaptation of large language models*; here the change is cut down afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr

UP, DOWN = ".up", ".down"  # the two thin matrices of a change
State = dict[str, Tensor]


def change_of(base: Mapping[str, Tensor], state: Mapping[str, Tensor], rank: int) -> State:
    """What makes `state` of `base`: thin matrices [O, rank] and [rank, I] where they are smaller, else whole tensors.

    The product is the best of its rank in the sum of squares, each factor in half precision.
    """
    kept: State = {}
    for name, value in state.items():
        if value.ndim != 2 or rank * sum(value.shape) >= value.numel() or name not in base:
            kept[name] = value.half()
            continue
        left, size, right = torch.linalg.svd(value.float() - base[name].float(), full_matrices=False)
        root = size[:rank].sqrt()
        kept[name + UP], kept[name + DOWN] = (left[:, :rank] * root).half(), (root[:, None] * right[:rank]).half()
    return kept


def changed(base: Mapping[str, Tensor], change: Mapping[str, Tensor], source: str) -> State:
    """The weights that `change` makes of `base`; raises `UserError` that names `source` where they don't fit."""
    made = {name: value for name, value in change.items() if not name.endswith((UP, DOWN))}
    for name in (name.removesuffix(UP) for name in change if name.endswith(UP)):
        try:
            made[name] = base[name].float() + change[name + UP].float() @ change[name + DOWN].float()
        except (KeyError, RuntimeError):
            raise UserError(
                tr(
                    "{source} holds a change of {name} that doesn't fit its base; copy it again.",
                    source=source,
                    name=name,
                )
            ) from None
    return made
