"""One stop of a kernel written out: every brightness times its weight, and the sum."""

from __future__ import annotations

from attnviewer.core.explore.convolution import Doubles, Window
from attnviewer.core.i18n import tr

MOST = 3  # rows and columns of a kernel that are written out
COLOURS = ("R", "G", "B")


def told(seen: Window) -> str:
    """The products of a window line by line; of a large kernel the sum alone."""
    total = tr("sum of {count} products: {total}", count=seen.products.size, total=f"{seen.total:.1f}")
    if seen.products.shape[0] > MOST:
        return total
    if seen.products.ndim == 2:
        return "\n".join([*_lines(seen.values, seen.weights), total])
    parts = []
    for channel, name in enumerate(COLOURS):
        values, weights = seen.values[..., channel], seen.weights[..., channel]
        part = float((values * weights).sum())
        parts.append(
            tr("{name}: {count} products, together {total}", name=name, count=values.size, total=f"{part:.1f}")
        )
    return "\n".join([*parts, total])


def _lines(values: Doubles, weights: Doubles) -> list[str]:
    return [
        "   ".join(f"{value:.0f}·{_short(weight)}" for value, weight in zip(*both, strict=True))
        for both in zip(values, weights, strict=True)
    ]


def _short(weight: float) -> str:
    return f"{weight:.2g}".replace("-", "−")
