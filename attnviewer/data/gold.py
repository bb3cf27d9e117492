"""Sentence pairs whose links people drew: to measure with, never to learn from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from attnviewer.core.errors import UserError, reason
from attnviewer.data.pairs import Links


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
        raise UserError(f"can't read {path}: {reason(error)}; give the alignment folder with --alignment.") from None
    except (ValueError, KeyError, TypeError):
        raise UserError(f"{path} holds no hand-aligned pairs; give the alignment folder with --alignment.") from None
