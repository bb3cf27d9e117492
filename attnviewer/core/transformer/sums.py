"""One cell of a matrix product written out with its numbers: the largest terms, how many more there are, the sum."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from attnviewer.core.i18n import tr
from attnviewer.core.trace import Floats

SHOWN = 4


def plain(value: float) -> str:
    """A number with three digits that count, minus as a real minus."""
    text = f"{float(value):.3g}" if math.isfinite(value) else "∞"
    return ("−" if value < 0 else "") + text.lstrip("-")


def cell_sum(
    name: str, left: Floats, right: Floats, what: str, bias: float = 0.0, divide: float = 1.0,
    names: Sequence[str] = (),
) -> str:  # fmt: skip
    """The inner product of two rows of numbers as text.

    Parameters
    ----------
    name : what the cell is called.
    what : the two factors in letters, such as "q k".
    bias : added at the end; 0 isn't shown.
    divide : the sum is divided by it; 1 isn't shown.
    names : what each term belongs to, where that is more than a number.
    """
    terms = np.asarray(left, np.float64) * np.asarray(right, np.float64)
    order = np.argsort(-np.abs(terms), kind="stable")[:SHOWN]
    shown = [f"{plain(left[at])}·{plain(right[at])}{f' ({names[at]})' if names else ''}" for at in order]
    rest = float(terms.sum() - terms[order].sum())
    more = len(terms) - len(order)
    added = " + ".join(shown) + (tr(" + {rest} ({more} more)", rest=plain(rest), more=more) if more > 0 else "")
    total = float(terms.sum())
    head = f"{name} = Σ {what} = {added}" + (f" + {plain(bias)} (b)" if bias else "")
    result = (total + bias) / divide
    if divide != 1.0:
        return f"{head} = {plain(total)};  {plain(total)} / {plain(divide)} = {plain(result)}"
    return f"{head} = {plain(result)}"


def fraction(scores: Floats, place: int, weight: float | None = None) -> str:
    """One weight of a softmax row as text; `weight` is told where it is another than the softmax gives."""
    finite = scores.astype(np.float64)
    powers = np.exp(finite - finite.max())
    own = float(powers[place] / powers.sum())
    if not math.isfinite(float(scores[place])):
        return tr("masked: exp(−∞) = 0")
    total = math.log(powers.sum()) + float(finite.max())
    text = f"p = exp(s) / Σ exp = exp({plain(float(scores[place]))} − {plain(total)}) = {plain(own)}"
    if weight is not None and abs(weight - own) > 1e-4:
        return tr("{text}; but this head was made uniform: {weight}", text=text, weight=plain(weight))
    return text
