"""Self-attention built up step by step, as matrices with real numbers, for one head of one layer.

Letters: T tokens, D size of a token's vector, S size of a head.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnviewer.core.ablation import Ablation
from attnviewer.core.attend import Inside
from attnviewer.core.i18n import later, tr
from attnviewer.core.trace import Floats
from attnviewer.core.transformer.sums import cell_sum, fraction, plain

TOKENS, SIZES = "tokens", "sizes"  # what the rows or columns of a matrix stand for


@dataclass(frozen=True, eq=False)
class Matrix:
    """One matrix of a stage.

    Parameters
    ----------
    name : such as "Q".
    values : [rows, columns]; -inf is what a mask took away.
    rows, columns : TOKENS or SIZES.
    signed : whether 0 is the middle of its colours, else the least.
    sign : what stands before it in the formula: "", "×", "→" or "=".
    """

    name: str
    values: Floats
    rows: str = TOKENS
    columns: str = SIZES
    signed: bool = True
    sign: str = ""


@dataclass(frozen=True, eq=False)
class Stage:
    """One step: its `matrices`, a sentence about them and the formula; `sum_of` writes out one cell of the last."""

    key: str
    title: str
    text: str
    formula: str
    matrices: tuple[Matrix, ...]
    sum_of: Callable[[int, int], str]


@dataclass(frozen=True, eq=False)
class Head:
    """The arrays of one head that every stage is made from; `x` [T, D] is what W_q, W_k and W_v are given."""

    x: Floats
    queries: Floats
    keys: Floats
    values: Floats
    scores: Floats
    weights: Floats
    makers: Floats
    biases: Floats
    visible: NDArray[np.bool_] | None

    @property
    def size(self) -> int:
        """S."""
        return int(self.queries.shape[1])

    @property
    def answers(self) -> Floats:
        """Z [T, S], the weighted sums of the values."""
        return np.asarray(self.weights @ self.values)


def head_of(inside: Inside, layer: int, head: int, change: Ablation) -> Head:
    """The arrays of one head."""
    queries, keys = inside.queries[layer, head], inside.keys[layer, head]
    makers = inside.projections[layer, :, head]  # [3, D, S] of q, k, v
    if change.tied:
        makers = makers[[1, 1, 2]]
    biases = inside.biases[layer, :, head]
    return Head(
        inside.normed[layer], queries, keys, inside.values[layer, head], inside.scores[layer, head],
        inside.weights[layer, head], makers, biases[[1, 1, 2]] if change.tied else biases,
        change.visible(len(queries)),
    )  # fmt: skip


def softmax(scores: Floats) -> Floats:
    """Rows of weights for rows of scores."""
    powers = np.exp(scores.astype(np.float64) - scores.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), dtype=np.float32)


def asymmetry(scores: Floats) -> float:
    """How far scores [T, T] are from symmetric: 0 where each pair asks alike both ways, about 1 where they have nothing
    in common; masked cells are left out.
    """
    seen = np.isfinite(scores) & np.isfinite(scores.T)
    apart = np.abs(np.where(seen, scores, 0) - np.where(seen, scores.T, 0)).sum()
    level = np.abs(np.where(seen, scores - scores[seen].mean(), 0)).sum() if seen.any() else 0.0
    return float(apart / (2 * level)) if level else 0.0


def stages(head: Head, tokens: Sequence[str]) -> tuple[Stage, ...]:
    """All steps in the order in which they are taught."""
    return tuple(make(head, tokens) for make in MAKERS)


def _tokens(head: Head, tokens: Sequence[str]) -> Stage:
    size = head.x.shape[1]
    return Stage(
        "x", tr("Tokens"),
        tr("Each token comes in as a vector of {size} numbers. One row is one token.", size=size),
        "X", (Matrix("X", head.x),),
        lambda i, j: tr("x of {token}, number {place}: {value}", token=tokens[i], place=j, value=plain(head.x[i, j])),
    )  # fmt: skip


def _itself(head: Head, tokens: Sequence[str]) -> Stage:
    scores = head.x @ head.x.T / np.float32(head.x.shape[1] ** 0.5)
    weights = softmax(scores)
    return Stage(
        "xx", tr("x as key and value"),
        tr(
            "The simplest self-attention: compare each vector with all, and average them by what fits. "
            "With nothing learnt, a token finds mostly itself: {share} of the weight.",
            share=f"{float(np.diagonal(weights).mean()):.0%}",
        ),
        "softmax(X Xᵀ / √D)",
        (Matrix("X", head.x), Matrix("X Xᵀ / √D", scores, TOKENS, TOKENS, sign="→"),
         Matrix("softmax", weights, TOKENS, TOKENS, False, sign="→")),
        lambda i, j: fraction(scores[i], j),
    )  # fmt: skip


def _made(key: str, letter: str, place: int, title: str, text: str) -> Callable[[Head, Sequence[str]], Stage]:
    def make(head: Head, tokens: Sequence[str]) -> Stage:
        maker, bias = head.makers[place], head.biases[place]
        made = (head.queries, head.keys, head.values)[place]
        return Stage(
            key, tr(title), tr(text, size=made.shape[1]), f"{letter} = X W + b",
            (Matrix("X", head.x), Matrix(f"W{letter.lower()}", maker, SIZES, SIZES, sign="×"),
             Matrix(letter, made, sign="=")),
            lambda i, j: cell_sum(f"{letter.lower()}({tokens[i]})[{j}]", head.x[i], maker[:, j], "x W", float(bias[j])),
        )  # fmt: skip

    return make


def _scores(head: Head, tokens: Sequence[str]) -> Stage:
    clean = head.queries @ head.keys.T / np.float32(head.size**0.5)
    even = asymmetry(clean)
    told = (
        tr("Here queries and keys are made alike, so each pair asks the same both ways: the matrix is symmetric.")
        if even < 1e-4
        else tr("Who looks for whom isn't mutual: both ways differ by {share} of all that varies.", share=f"{even:.0%}")
    )  # fmt: skip
    return Stage(
        "scores", tr("Scores"),
        tr("Each query is compared with each key by an inner product. {told}", told=told),
        "S = Q Kᵀ / √S".replace("√S", f"√{head.size}"),
        (Matrix("Q", head.queries), Matrix("K", head.keys, sign="×"), Matrix("S", clean, TOKENS, TOKENS, sign="=")),
        lambda i, j: cell_sum(
            f"s({tokens[i]}, {tokens[j]})", head.queries[i], head.keys[j], "q k", divide=head.size**0.5
        ),
    )  # fmt: skip


def _mask(head: Head, tokens: Sequence[str]) -> Stage:
    clean = head.queries @ head.keys.T / np.float32(head.size**0.5)
    visible = np.ones_like(clean, dtype=bool) if head.visible is None else head.visible
    masked = np.where(visible, clean, -np.inf).astype(np.float32)

    def tell(i: int, j: int) -> str:
        if visible[i, j]:
            return tr("{one} may look at {other}: the score {value} stays", one=tokens[i], other=tokens[j],
                      value=plain(clean[i, j]))  # fmt: skip
        return tr("{one} may not look at {other}: its score is minus infinity", one=tokens[i], other=tokens[j])

    text = (
        tr("An encoder may look both ways, so nothing is masked here. Choose a mask under Change to see links vanish.")
        if head.visible is None
        else tr("Masked scores become minus infinity: {share} of all pairs.", share=f"{1 - visible.mean():.0%}")
    )
    return Stage(
        "mask", tr("Mask"), text, "S + M",
        (Matrix("S", clean, TOKENS, TOKENS), Matrix("M", visible.astype(np.float32), TOKENS, TOKENS, False, "+"),
         Matrix("S + M", masked, TOKENS, TOKENS, sign="=")),
        tell,
    )  # fmt: skip


def _softmax(head: Head, tokens: Sequence[str]) -> Stage:
    return Stage(
        "softmax", tr("Softmax"),
        tr("Each row becomes shares that sum to 1: how much this token takes from each other one."),
        "P = softmax(S)",
        (Matrix("S", head.scores, TOKENS, TOKENS), Matrix("P", head.weights, TOKENS, TOKENS, False, "→")),
        lambda i, j: fraction(head.scores[i], j, float(head.weights[i, j])),
    )  # fmt: skip


def _answers(head: Head, tokens: Sequence[str]) -> Stage:
    return Stage(
        "z", tr("Weighted sum"),
        tr("The values are added up by the weights of the row: z is what this head brings to the token."),
        "Z = P V",
        (Matrix("P", head.weights, TOKENS, TOKENS, False), Matrix("V", head.values, sign="×"),
         Matrix("Z", head.answers, sign="=")),
        lambda i, j: cell_sum(f"z({tokens[i]})[{j}]", head.weights[i], head.values[:, j], "p v", names=tokens),
    )  # fmt: skip


def _whole(head: Head, tokens: Sequence[str]) -> Stage:
    return Stage(
        "all", tr("All at once"),
        tr("The same for all tokens in one line of matrices. Every head of every layer does just this."),
        f"Z = softmax(Q Kᵀ / √{head.size}) V",
        (Matrix("Q", head.queries), Matrix("K", head.keys), Matrix("V", head.values),
         Matrix("S", head.scores, TOKENS, TOKENS, sign="→"), Matrix("P", head.weights, TOKENS, TOKENS, False, "→"),
         Matrix("Z", head.answers, sign="=")),
        lambda i, j: cell_sum(f"z({tokens[i]})[{j}]", head.weights[i], head.values[:, j], "p v", names=tokens),
    )  # fmt: skip


MAKERS: tuple[Callable[[Head, Sequence[str]], Stage], ...] = (
    _tokens,
    _itself,
    _made(
        "v",
        "V",
        2,
        later("Values"),
        later("A learnt matrix turns each token into a value of {size} numbers: what it gives to others."),
    ),
    _made(
        "k",
        "K",
        1,
        later("Keys"),
        later("A second matrix makes keys of {size} numbers: what a token offers to be found by."),
    ),
    _made(
        "q", "Q", 0, later("Queries"), later("A third matrix makes queries of {size} numbers: what a token looks for.")
    ),
    _scores,
    _mask,
    _softmax,
    _answers,
    _whole,
)
