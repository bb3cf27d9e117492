"""Alignment error rate (Och and Ney 2003): how far the links of a map are from those that people drew."""

from __future__ import annotations

from collections.abc import Sequence

from attnviewer.data.pairs import Links


def error_rate(found: Sequence[Links], gold: Sequence[Links]) -> float:
    """Alignment error rate in 0..1, where all gold links are sure: 1 - 2 |A & S| / (|A| + |S|)."""
    hits = sum(len(a & s) for a, s in zip(found, gold, strict=True))
    return 1 - 2 * hits / max(1, sum(map(len, found)) + sum(map(len, gold)))


def diagonal(source: int, target: int) -> Links:
    """One link a target word, to the source word in which its middle falls: what needs no model."""
    return frozenset(((2 * t + 1) * source // (2 * target), t) for t in range(target))
