"""The terms that the window explains: read once from `resources/terms.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from attnviewer.core.i18n import tr
from attnviewer.core.paths import resources_dir

FILE = "terms.toml"


@dataclass(frozen=True)
class Term:
    """A term as it is written, and what it means in a sentence or two."""

    term: str
    says: str


@lru_cache
def terms() -> Mapping[str, Term]:
    """All terms by their keys; none where the file is damaged, which costs the explanations and not the window."""
    try:
        rows = tomllib.loads((resources_dir() / FILE).read_text("utf-8"))
        return {key: Term(str(row["term"]), str(row["says"])) for key, row in rows.items()}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def explained(key: str) -> str:
    """A term and its meaning on one line, for a tooltip; "" where there is none."""
    found = terms().get(key)
    return f"{tr(found.term)}: {tr(found.says)}" if found else ""
