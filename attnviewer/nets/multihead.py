"""Multi-head attention (Vaswani et al. 2017) and the ways to tell it where tokens stand.

Letters: H heads, T tokens that ask, L tokens that are looked at, D size of a token's vector, S = D / H size of a head;
"..." are any axes in front, such as batch and hypotheses.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from attnviewer.core.ablation import Ablation
from attnviewer.nets.attention import impose, softmax

POSITIONS = ("sinusoidal", "learnt", "relative", "none")
UNCHANGED = Ablation()


@dataclass(frozen=True, eq=False)
class Attended:
    """What one attention computed: `queries` [..., H, T, S], `keys` and `values` [..., H, L, S], `scores` and `weights`
    [..., H, T, L], and `out` [..., T, D], which is what it adds to the tokens' vectors.
    """

    queries: Tensor
    keys: Tensor
    values: Tensor
    scores: Tensor
    weights: Tensor
    out: Tensor


class MultiHead(nn.Module):
    """Several small attentions side by side.

    Parameters
    ----------
    size, heads : D and H.
    reach : with more than 0, scores also ask for the distance between tokens, clipped to this (Shaw et al. 2018).
    """

    def __init__(self, size: int, heads: int, reach: int = 0) -> None:
        super().__init__()
        self.heads, self.reach = heads, reach
        self.query, self.key, self.value, self.out = (nn.Linear(size, size) for _ in range(4))
        for layer in (self.query, self.key, self.value, self.out):
            nn.init.xavier_uniform_(layer.weight)
        if reach:
            self.distance = nn.Parameter(torch.randn(2 * reach + 1, size // heads) * 0.02)

    def split(self, x: Tensor) -> Tensor:
        """[..., T, D] as [..., H, T, S]."""
        return x.unflatten(-1, (self.heads, -1)).transpose(-2, -3)

    def join(self, heads: Tensor) -> Tensor:
        """[..., H, T, S] as [..., T, D]: the heads side by side."""
        return heads.transpose(-2, -3).flatten(-2)

    def forward(
        self, x: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None, *, start: int = 0,
        given: Tensor | None = None, change: Ablation = UNCHANGED, layer: int = 0,
    ) -> Attended:  # fmt: skip
        """Tokens `x` [..., T, D] look at prepared `keys` and `values` [..., H, L, S].

        Parameters
        ----------
        mask : [..., 1, T or 1, L], False where nothing may be seen.
        start : the place of the first of `x` among the tokens looked at; relative positions need it.
        given : [..., H, T, L] weights imposed instead of the net's own, save NaN.
        change, layer : what is changed in this layer's heads.
        """
        queries = self.split((self.key if change.tied else self.query)(x))
        scores = queries @ keys.transpose(-1, -2) / math.sqrt(queries.shape[-1])  # [..., H, T, L]
        if self.reach and change.positions:
            scores = scores + self._distances(queries, start, keys.shape[-2])
        weights = impose(self._weights(scores, mask, change.heads("uniform", layer)), given)
        mixed = weights.to(values.dtype) @ values  # [..., H, T, S]
        if off := change.heads("off", layer):
            mixed = mixed.index_fill(-3, torch.tensor(off, device=x.device), 0.0)
        return Attended(queries, keys, values, scores, weights, self.out(self.join(mixed)))

    @staticmethod
    def _weights(scores: Tensor, mask: Tensor | None, uniform: list[int]) -> Tensor:
        if uniform:
            scores = scores.index_fill(-3, torch.tensor(uniform, device=scores.device), 0.0)
        return softmax(scores, None if mask is None else mask.expand_as(scores))

    def _distances(self, queries: Tensor, start: int, length: int) -> Tensor:
        """What the distance from each of the asking tokens to each token adds to the scores: [..., H, T, L]."""
        asked = queries @ self.distance.T / math.sqrt(queries.shape[-1])  # [..., H, T, 2R + 1]
        here = torch.arange(start, start + queries.shape[-2], device=queries.device)
        apart = torch.arange(length, device=queries.device) - here.unsqueeze(1)  # [T, L]
        index = apart.clamp(-self.reach, self.reach) + self.reach
        return asked.gather(-1, index.expand(*asked.shape[:-1], length))


class FeedForward(nn.Sequential):
    """The small network at each token: wider, ReLU, narrow again."""

    def __init__(self, size: int, inner: int, dropout: float) -> None:
        super().__init__(nn.Linear(size, inner), nn.ReLU(), nn.Dropout(dropout), nn.Linear(inner, size))


def sinusoidal(length: int, size: int, start: int = 0) -> Tensor:
    """Position vectors [T, D] of Vaswani et al. 2017: sines in the first half, cosines in the second."""
    rates = torch.exp(torch.arange(0, size, 2) * (-math.log(10000.0) / size))  # [D / 2]
    angles = torch.arange(start, start + length).unsqueeze(1) * rates
    return torch.cat((angles.sin(), angles.cos()), dim=-1)


def sinusoidal_2d(rows: int, columns: int, size: int) -> Tensor:
    """Position vectors [rows * columns, D] of a grid, row by row: the row in one half, the column in the other."""
    down = sinusoidal(rows, size // 2).unsqueeze(1).expand(-1, columns, -1)
    across = sinusoidal(columns, size // 2).unsqueeze(0).expand(rows, -1, -1)
    return torch.cat((down, across), dim=-1).flatten(0, 1)


class Positions(nn.Module):
    """Adds to tokens [..., T, D] where they stand; relative positions and none add nothing here."""

    def __init__(self, kind: str, size: int, longest: int = 512) -> None:
        super().__init__()
        self.kind, self.size = kind, size
        if kind == "learnt":
            self.table = nn.Parameter(torch.randn(longest, size) * 0.5)

    def forward(self, x: Tensor, start: int = 0) -> Tensor:
        """`x` with positions from `start` on."""
        made = MADE.get(self.kind)
        return x if made is None else x + made(self, start, x.shape[-2]).to(x)

    def vectors(self, length: int) -> Tensor | None:
        """The vectors [T, D] of the first positions, or None where none are added."""
        made = MADE.get(self.kind)
        return None if made is None else made(self, 0, length)


def _learnt(positions: Positions, start: int, length: int) -> Tensor:
    last = len(positions.table) - 1  # places beyond the last share its vector
    return positions.table[torch.arange(start, start + length, device=positions.table.device).clamp(max=last)]


MADE: dict[str, Callable[[Positions, int, int], Tensor]] = {
    "sinusoidal": lambda positions, start, length: sinusoidal(length, positions.size, start),
    "learnt": _learnt,
}
