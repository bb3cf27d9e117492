"""Many heads at once: their mean and maximum, rollout through the layers, and what each tends to look at.

Letters: N layers, H heads a layer, T tokens that look, L tokens that are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.trace import Floats, Trace

if TYPE_CHECKING:
    from attnviewer.core.card import ModelCard

MEAN, MAX, ALL = "mean", "max", "all"
Doubles = NDArray[np.float64]
TELLING = 0.5  # a head is named after what gets more than this share of its attention


@dataclass(frozen=True, eq=False)
class HeadView(Trace):
    """A trace with the head whose maps are to be shown: mean, max, all or a name. Its steps keep the weights of all.

    Views, figures and films read maps through `lens`, which asks for `head`; the maximum is drawn so and never stored.
    """

    head: str = MEAN


@lru_cache(maxsize=16)
def looking(trace: Trace, head: str) -> Trace:
    """The trace as one of its heads sees; itself where it has one head or none. Raises `UserError` for no such head."""
    if len(trace.heads) < 2 or (head == MEAN and not isinstance(trace, HeadView)):
        return trace
    if head not in (MEAN, MAX, ALL, *trace.heads):
        raise no_such_head(trace, head)
    return HeadView(**{part.name: getattr(trace, part.name) for part in fields(Trace)}, head=head)


def each_head(trace: Trace) -> dict[str, Trace]:
    """The trace as each of its heads sees, by their names."""
    return {name: looking(trace, name) for name in trace.heads}


def shown_head(trace: Trace) -> str:
    """The head whose maps are shown of a trace."""
    return trace.head if isinstance(trace, HeadView) else MEAN


def usual_head(trace: Trace, cards: Mapping[str, ModelCard]) -> str:
    """The head that is shown unless another is asked for: the one that the model's card names, else the mean."""
    card = cards.get(trace.model)
    head = str(card.architecture.get("head", MEAN)) if card is not None else MEAN
    return head if head in trace.heads else MEAN


def told(trace: Trace) -> str:
    """Which head is shown, in words; "" where there is one or none."""
    if len(trace.heads) < 2:
        return ""
    head = shown_head(trace)
    ways = {MAX: tr("maximum of {count} heads", count=len(trace.heads))}
    mean = tr("mean of {count} heads", count=len(trace.heads))
    return ways.get(head) or (tr("head {name}", name=head) if head in trace.heads else mean)


def no_such_head(trace: Trace, head: str) -> UserError:
    """The complaint that a trace has no such head."""
    return UserError(
        tr("there is no head {head}; choose {first} to {last}, or mean, max, all.",
           head=head, first=trace.heads[0], last=trace.heads[-1])
    )  # fmt: skip


def one_head(trace: Trace, head: str) -> Trace:
    """The trace with one head: the one named `head`, or the mean of all; raises `UserError` where there is none."""
    if head != MEAN and head not in trace.heads:
        raise no_such_head(trace, head)
    kept = slice(None) if head == MEAN else slice(trace.heads.index(head), trace.heads.index(head) + 1)
    steps = tuple(
        replace(
            step,
            weights=step.weights[kept].mean(axis=0, keepdims=True),
            scores=None if step.scores is None or head == MEAN else step.scores[kept],
            outside=None if step.outside is None else step.outside[kept].mean(keepdims=True),
        )
        for step in trace.steps
    )
    return replace(trace, heads=(head,), steps=steps)


def rollout(weights: Floats) -> Floats:
    """Attention rollout (Abnar & Zuidema 2020) of maps [N, H, T, T]: for each layer [N, T, T], where information of
    each token came from in the text, if half of it stays and half is mixed by the mean of the heads. Rows sum to 1.
    """
    size = weights.shape[-1]
    found = np.eye(size)
    layers = []
    for layer in weights:
        mixed = (layer.mean(axis=0, dtype=np.float64) + np.eye(size)) / 2
        found = mixed @ found
        layers.append(found)
    return np.asarray(np.stack(layers), dtype=np.float32)


def norm_weighted(weights: Floats, value_norms: Floats) -> Floats:
    """||p v|| (Kobayashi et al. 2020) for maps [..., H, T, L] and lengths of values [..., H, L]: what arrives, not how
    much was asked for. Rows don't sum to 1.
    """
    return np.asarray(weights * value_norms[..., None, :])


def combined(weights: Floats, how: str) -> Floats:
    """Maps [N, H, T, L] of each layer as one [N, T, L]: the mean or the maximum of its heads."""
    return np.asarray(COMBINED[how](weights), dtype=np.float32)


COMBINED: dict[str, Callable[[Floats], NDArray[np.floating]]] = {
    MEAN: lambda weights: weights.mean(axis=1, dtype=np.float64),
    MAX: lambda weights: weights.max(axis=1),
}


def strongest(weights: Floats, token: int, most: int, least: float = 0.02) -> list[tuple[int, int, float]]:
    """The links (head, place, weight) of one token in maps [H, T, L] of a layer, the strongest first."""
    row = weights[:, token]  # [H, L]
    order = np.argsort(-row, axis=None, kind="stable")[:most]
    found = [(int(at // row.shape[1]), int(at % row.shape[1]), float(row.flat[at])) for at in order]
    return [link for link in found if link[2] >= least]


def tendencies(weights: Floats, tokens: Sequence[str], specials: Sequence[bool]) -> dict[str, Floats]:
    """What heads tend to look at: for each kind of target the mean share [N, H] of the attention of the tokens that
    are no special ones.

    Parameters
    ----------
    weights : [N, H, T, T].
    specials : which tokens are special, such as [CLS].
    """
    words = ~np.asarray(specials, dtype=bool)
    if not words.any():
        words = np.ones(len(tokens), dtype=bool)
    targets = {name: made(tokens, ~words if words.any() else words) for name, made in TARGETS.items()}
    return {
        name: np.asarray(
            (weights[:, :, words] * target[words]).sum(axis=-1, dtype=np.float64).mean(axis=-1), np.float32
        )
        for name, target in targets.items()
    }


def labels(shares: dict[str, Floats]) -> list[list[str]]:
    """A name for each head after what gets most of its attention, "" where nothing gets more than half."""
    names = list(shares)
    stacked = np.stack([shares[name] for name in names])  # [kinds, N, H]
    best = stacked.argmax(axis=0)
    return [
        [names[best[n, h]] if stacked[best[n, h], n, h] > TELLING else "" for h in range(best.shape[1])]
        for n in range(best.shape[0])
    ]


def _offset(by: int) -> Callable[[Sequence[str], NDArray[np.bool_]], NDArray[np.bool_]]:
    return lambda tokens, specials: np.eye(len(tokens), k=by, dtype=bool)


def _columns(chosen: Callable[[str], bool]) -> Callable[[Sequence[str], NDArray[np.bool_]], NDArray[np.bool_]]:
    def made(tokens: Sequence[str], specials: NDArray[np.bool_]) -> NDArray[np.bool_]:
        row = np.array([chosen(token) for token in tokens]) & ~specials
        return np.broadcast_to(row, (len(tokens), len(tokens)))

    return made


def _same(tokens: Sequence[str], specials: NDArray[np.bool_]) -> NDArray[np.bool_]:
    names = np.array(tokens)
    return np.asarray((names[:, None] == names[None, :]) & ~np.eye(len(tokens), dtype=bool))


def _special(first: bool) -> Callable[[Sequence[str], NDArray[np.bool_]], NDArray[np.bool_]]:
    def made(tokens: Sequence[str], specials: NDArray[np.bool_]) -> NDArray[np.bool_]:
        row = specials & ((np.arange(len(tokens)) == 0) == first)
        return np.broadcast_to(row, (len(tokens), len(tokens)))

    return made


TARGETS: dict[str, Callable[[Sequence[str], NDArray[np.bool_]], NDArray[np.bool_]]] = {
    "previous": _offset(-1),
    "next": _offset(1),
    "itself": _offset(0),
    "same word": _same,
    "start": _special(True),
    "end": _special(False),
    "punctuation": _columns(lambda token: not any(map(str.isalnum, token))),
}
