"""Self-attention of a whole net as one trace, and all that the net computed on the way.

Letters: N layers, H heads a layer, T tokens that look, L tokens (or cells) that are looked at, D size of a token's
vector, S size of a head.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.trace import Floats, Grid, Locations, Source, Step, Tokens, Trace

MOST_AS_TEXT = 2_000_000  # weights that are still sensible as JSON
MOST_SCORES = 2_000_000  # above this the steps hold weights alone
NO_CHANCE = float("nan")  # the log-probability of a token that was read, not chosen


@dataclass(frozen=True, eq=False)
class Inside:
    """What an encoder computed for one text or photo; arrays are read-only.

    Parameters
    ----------
    hidden : [N + 1, T, D], the tokens' vectors before the first layer and after each.
    queries, keys, values : [N, H, T, S].
    scores, weights : [N, H, T, T]; masked scores are -inf.
    value_norms : [N, H, T], length of each value behind its head's share of W_o.
    attended, middle, fed : [N, T, D], what attention adds, the sum behind it, what the feed-forward network adds.
    projections : [N, 3, H, D, S] W_q, W_k and W_v of each head, so that q = x W_q + b.
    biases : [N, 3, H, S].
    normed : [N, T, D], the vectors that W_q, W_k and W_v were given.
    pre_norm : whether vectors are normalised before attention (else behind it).
    """

    hidden: Floats
    queries: Floats
    keys: Floats
    values: Floats
    scores: Floats
    weights: Floats
    value_norms: Floats
    attended: Floats
    middle: Floats
    fed: Floats
    projections: Floats
    biases: Floats
    normed: Floats
    pre_norm: bool = False

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    @property
    def shape(self) -> tuple[int, int, int]:
        """Layers, heads and tokens."""
        layers, heads, tokens = self.weights.shape[:3]
        return layers, heads, tokens


@dataclass(frozen=True, eq=False)
class AttendTrace(Trace):
    """One step a token, and heads named "layer.head".

    Parameters
    ----------
    inside : what else is known, where a net of ours ran.
    pieces : the word of the text that each token is of, None for special tokens.
    outside : [T, H], of maps over a picture the share that lay on special tokens, which have no place in it.
    """

    inside: Inside | None = None
    pieces: tuple[int | None, ...] = ()
    outside: Floats | None = None


def head_name(layer: int, head: int) -> str:
    """A head as it is named in traces, options and sentences."""
    return f"{layer}.{head}"


def parse_head(name: str) -> tuple[int, int]:
    """Layer and head of a name such as "2.3"; raises `UserError` for another text."""
    parts = name.split(".")
    if len(parts) != 2 or not all(part.isdecimal() for part in parts):
        raise UserError(tr("a head is named LAYER.HEAD, such as 2.3, both from 0; {name} is none.", name=name))
    return int(parts[0]), int(parts[1])


def attend_trace(
    model: str, text: str, tokens: Sequence[str], weights: Floats, scores: Floats | None = None,
    request: dict[str, object] | None = None, inside: Inside | None = None,
    pieces: Sequence[int | None] = (), only: int | None = None, words: Sequence[str] | None = None,
    notes: tuple[str, ...] = (), locations: Locations | None = None,
) -> AttendTrace:  # fmt: skip
    """The trace of `weights` [N, H, T, L] over `tokens` [L]; `words` [T] are those that look, by default the tokens.

    `locations` are given where they aren't the tokens: a grid. `only` keeps one layer, whose heads still have its
    number in their names.
    """
    layers, heads = weights.shape[:2]
    chosen = range(layers) if only is None else [only]
    flat = weights[list(chosen)].reshape(-1, *weights.shape[2:]).swapaxes(0, 1)  # [T, N * H, L]
    before = None
    if scores is not None and flat.size <= MOST_SCORES:
        before = scores[list(chosen)].reshape(-1, *weights.shape[2:]).swapaxes(0, 1)
    looking = tokens if words is None else words
    steps = tuple(
        Step(word, NO_CHANCE, flat[at], scores=None if before is None else before[at])
        for at, word in enumerate(looking)
    )
    names = tuple(head_name(layer, head) for layer in chosen for head in range(heads))
    places = Tokens(tuple(tokens)) if locations is None else locations
    source = Source("text", text=text)
    if isinstance(places, Grid):
        source = Source("image", None, round(places.extent[2]), round(places.extent[3]))
    return AttendTrace("attend", model, source, places, names, steps, request or {}, notes, inside, tuple(pieces))


def layers_of(trace: Trace) -> dict[int, list[int]]:
    """The heads of each layer of a trace, as places in its list of heads; heads without a layer are one layer, 0."""
    found: dict[int, list[int]] = {}
    for place, name in enumerate(trace.heads):
        layer = name.partition(".")[0]
        found.setdefault(int(layer) if layer.isdecimal() and "." in name else 0, []).append(place)
    return found


def maps_of(trace: Trace) -> NDArray[np.float32]:
    """All maps of a trace as [N, H, T, L]; raises `UserError` where its layers have unequally many heads."""
    if (
        isinstance(trace, AttendTrace)
        and trace.inside is not None
        and len(trace.heads) == np.prod(trace.inside.shape[:2])
    ):
        return trace.inside.weights
    groups = layers_of(trace)
    if len({len(heads) for heads in groups.values()}) > 1:
        raise UserError(tr("the layers of this trace have unequally many heads; it can't be shown as a table."))
    stacked = np.stack([step.weights for step in trace.steps], axis=1)  # [N * H, T, L]
    return stacked[[head for heads in groups.values() for head in heads]].reshape(len(groups), -1, *stacked.shape[1:])
