"""The terms that the window explains: read once from `resources/terms.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from attnviewer.core.i18n import tr
from attnviewer.core.lessons.titles import stop_title
from attnviewer.core.paths import resources_dir

FILE = "terms.toml"


@dataclass(frozen=True)
class Term:
    """A term as it is written, and what it means in a sentence or two.

    Parameters
    ----------
    formula : what it is in symbols.
    paper : where it comes from.
    stop : the stop of the tour that shows it, by the name of its file; "" where none does.
    """

    term: str
    says: str
    formula: str = ""
    paper: str = ""
    stop: str = ""


@lru_cache
def terms() -> Mapping[str, Term]:
    """All terms by their keys; none where the file is damaged, which costs the explanations and not the window."""
    try:
        rows = tomllib.loads((resources_dir() / FILE).read_text("utf-8"))
        return {key: _term(row) for key, row in rows.items()}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _term(row: Mapping[str, object]) -> Term:
    more = (str(row.get(name, "")) for name in ("formula", "paper", "stop"))
    return Term(str(row["term"]), str(row["says"]), *more)


def lines(key: str) -> tuple[str, ...]:
    """All that is told of a term, line by line: its meaning, formula, paper, and the stop of the tour."""
    found = terms().get(key)
    if found is None:
        return ()
    title = stop_title(found.stop)
    stop = tr("Learn, stop {number}: {title}", number=found.stop[:2].lstrip("0"), title=title) if title else ""
    paper = tr("From: {paper}", paper=found.paper) if found.paper else ""
    return tuple(filter(None, (explained(key), found.formula, paper, stop)))


def explained(key: str) -> str:
    """A term and its meaning on one line, for a tooltip; "" where there is none."""
    found = terms().get(key)
    return f"{tr(found.term)}: {tr(found.says)}" if found else ""


def found_in(text: str) -> tuple[str, ...]:
    """The keys of the terms that stand in a text as words of their own, also in the plural."""
    return tuple(key for key, one in terms().items() if re.search(_pattern(tr(one.term)), text, re.IGNORECASE))


@lru_cache(maxsize=256)
def _pattern(term: str) -> str:
    """A term between letters of other words; scripts that put no spaces between words have no such letters."""
    before, after = (r"(?<![a-z0-9])" if term[:1].isascii() else ""), (r"s?(?![a-z0-9])" if term[-1:].isascii() else "")
    return before + re.escape(term) + after
