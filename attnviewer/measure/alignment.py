"""Alignment error rate (Och and Ney 2003): how far the links of a map are from those that people drew."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from attnviewer.core.errors import UserError

Links = frozenset[tuple[int, int]]  # (source word, target word), from 0


@dataclass(frozen=True)
class Gold:
    """A sentence pair with the links that people are sure of."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    links: Links


def load_gold(folder: Path) -> list[Gold]:
    """The hand-aligned pairs; raises `UserError` where the folder lacks its file."""
    path = folder / "es-en.gold.jsonl"
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
        return [Gold(tuple(r["es"]), tuple(r["en"]), frozenset((s, t) for s, t in r["sure"])) for r in rows]
    except OSError as error:
        reason = (error.strerror or "unknown").lower()
        raise UserError(f"can't read {path}: {reason}; give the alignment folder with --alignment.") from None
    except (ValueError, KeyError, TypeError):
        raise UserError(f"{path} holds no hand-aligned pairs; give the alignment folder with --alignment.") from None


def error_rate(found: Sequence[Links], gold: Sequence[Links]) -> float:
    """Alignment error rate in 0..1, where all gold links are sure: 1 - 2 |A & S| / (|A| + |S|)."""
    hits = sum(len(a & s) for a, s in zip(found, gold, strict=True))
    return 1 - 2 * hits / max(1, sum(map(len, found)) + sum(map(len, gold)))


def diagonal(source: int, target: int) -> Links:
    """One link a target word, to the source word in which its middle falls: what needs no model."""
    return frozenset(((2 * t + 1) * source // (2 * target), t) for t in range(target))
