"""Sentence pairs whose links people drew: to measure with, never to learn from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from attnviewer.core.errors import UserError, reason
from attnviewer.core.i18n import tr
from attnviewer.data.pairs import Links

GOLD, XLWA = "es-en.gold.jsonl", "es-en.xlwa.{split}.gold.jsonl"


@dataclass(frozen=True)
class Gold:
    """A sentence pair with the links that people are sure of."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    links: Links


def load_xlwa(folder: Path, split: str) -> list[Gold]:
    """The hand-aligned pairs of XL-WA (Martelli et al. 2023), cased, where the folder has them for the split."""
    path = folder / XLWA.format(split=split)
    return _load(path) if path.is_file() else []


def load_gold(folder: Path) -> list[Gold]:
    """The hand-aligned pairs to report, in small letters; raises `UserError` where the folder lacks its file."""
    return _load(folder / GOLD)


def _load(path: Path) -> list[Gold]:
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
        return [Gold(tuple(r["es"]), tuple(r["en"]), frozenset((s, t) for s, t in r["sure"])) for r in rows]
    except OSError as error:
        raise UserError(
            tr(
                "can't read {path}: {reason}; give the alignment folder with --alignment.",
                path=path,
                reason=reason(error),
            )
        ) from None
    except (ValueError, KeyError, TypeError):
        raise UserError(
            tr("{path} holds no hand-aligned pairs; give the alignment folder with --alignment.", path=path)
        ) from None
