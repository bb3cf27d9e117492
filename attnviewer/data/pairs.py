"""Pairs of sentences with their translations, read from a data folder."""

from __future__ import annotations

import gzip
import zlib
from dataclasses import dataclass
from pathlib import Path

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.sentence import tokenize

Links = frozenset[tuple[int, int]]  # (source word, target word), from 0


@dataclass(frozen=True)
class Pair:
    """A sentence and its translation, as words and as they were written."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    texts: tuple[str, str]


def load_pairs(folder: Path, split: str) -> list[Pair]:
    """The pairs of a split that have words on both sides; raises `UserError` without any."""
    path = folder / f"es-en.{split}.tsv.gz"
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            rows = [line.rstrip("\n").split("\t")[:2] for line in file if "\t" in line]
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise UserError(
            tr("can't read {path} ({error}); give the tatoeba folder with --data.", path=path, error=error)
        ) from None
    pairs = [Pair(tuple(tokenize(source)), tuple(tokenize(target)), (source, target)) for source, target in rows]
    kept = [pair for pair in pairs if pair.source and pair.target]
    if not kept:
        raise UserError(tr("{path} holds no pair of sentences; give the tatoeba folder with --data.", path=path))
    return kept
