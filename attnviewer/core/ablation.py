"""What is changed inside a Transformer while it runs, as plain data: a request can hold it, and a net obeys it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr

MASKS = ("none", "future", "past")
Pair = tuple[int, int]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Ablation:
    """Changes to self-attention; the default changes nothing. Layers, heads and tokens count from 0.

    Parameters
    ----------
    off : heads (layer, head) that add nothing.
    uniform : heads (layer, head) that look at all visible tokens alike.
    mask : "none", "future" (a token doesn't see those behind it) or "past" (it doesn't see those before it).
    hidden : cells (from, to) that are masked on top of that: token `from` doesn't see token `to`.
    positions : whether position vectors are added to the tokens.
    residuals : whether what enters a sub-layer is added to what it gives.
    tied : whether queries are made by the keys' own weights, which makes the scores symmetric.
    ahead : whether a decoder that reads a whole translation may look at words behind the one to come; one that writes
        word by word has none to look at.
    """

    off: tuple[Pair, ...] = ()
    uniform: tuple[Pair, ...] = ()
    mask: str = "none"
    hidden: tuple[Pair, ...] = ()
    positions: bool = True
    residuals: bool = True
    tied: bool = False
    ahead: bool = False

    def __post_init__(self) -> None:
        if self.mask not in MASKS:
            raise UserError(tr("there is no mask {mask}; choose {choice}.", mask=self.mask, choice=", ".join(MASKS)))
        for name in ("off", "uniform", "hidden"):
            object.__setattr__(self, name, _pairs(getattr(self, name)))

    def heads(self, kind: str, layer: int) -> list[int]:
        """The heads of `layer` that are `kind`: "off" or "uniform"."""
        return [head for at, head in getattr(self, kind) if at == layer]

    def check(self, layers: int, heads: int) -> None:
        """Raise `UserError` for a head that a net of `layers` x `heads` doesn't have."""
        for layer, head in (*self.off, *self.uniform):
            if layer >= layers or head >= heads:
                raise UserError(
                    tr(
                        "there is no head {layer}.{head}; layers go from 0 to {layers}, heads from 0 to {heads}.",
                        layer=layer, head=head, layers=layers - 1, heads=heads - 1,
                    )
                )  # fmt: skip

    def visible(self, size: int) -> Bools | None:
        """Who sees whom, [size, size], or None where all see all; raises `UserError` for a token that sees nothing."""
        if self.mask == "none" and not self.hidden:
            return None
        seen = MADE[self.mask](size)
        for row, column in self.hidden:
            if row >= size or column >= size:
                raise UserError(
                    tr("there is no cell {row},{column} among {size} tokens.", row=row, column=column, size=size)
                )
            seen[row, column] = False
        if not seen.any(axis=1).all():
            blind = int(np.flatnonzero(~seen.any(axis=1))[0])
            raise UserError(tr("token {token} would see nothing; leave it one token to look at.", token=blind))
        return seen


@dataclass(frozen=True)
class Changes:
    """What is changed in a net of two parts: in the encoder's self-attention, in the decoder's, and in the decoder's
    look at the encoder (`cross`, of which masks and positions mean nothing, and residuals those of the look alone).
    """

    encoder: Ablation = field(default_factory=Ablation)
    decoder: Ablation = field(default_factory=Ablation)
    cross: Ablation = field(default_factory=Ablation)

    def check(self, layers: tuple[int, int], heads: int) -> None:
        """Raise `UserError` for a head that a net with (encoder, decoder) layers of so many heads doesn't have."""
        for part, count in ((self.encoder, layers[0]), (self.decoder, layers[1]), (self.cross, layers[1])):
            part.check(count, heads)


MADE: dict[str, Callable[[int], Bools]] = {
    "none": lambda size: np.ones((size, size), dtype=bool),
    "future": lambda size: np.tri(size, dtype=bool),
    "past": lambda size: np.tri(size, dtype=bool).T.copy(),
}


def _pairs(given: Iterable[Iterable[int]]) -> tuple[Pair, ...]:
    """`given` as pairs of whole numbers from 0, each once and in order, so that equal ablations are equal."""
    found = set()
    for pair in map(tuple, given):
        if len(pair) != 2 or not all(isinstance(n, Integral) and not isinstance(n, bool) and n >= 0 for n in pair):
            raise UserError(tr("heads and cells are pairs of whole numbers from 0; {pair} is none.", pair=pair))
        found.add((int(pair[0]), int(pair[1])))
    return tuple(sorted(found))
