"""The titles of the stops that ship, read by themselves: a term names the stop that shows it."""

from __future__ import annotations

import tomllib
from functools import lru_cache

from attnviewer.core.i18n import language
from attnviewer.core.paths import resources_dir


def stop_title(name: str) -> str:
    """The title of a stop by the name of its file, in the language in use; "" where there is no such stop."""
    return _title(name, language()) if name else ""


@lru_cache(maxsize=128)
def _title(name: str, spoken: str) -> str:
    folder = resources_dir() / "lessons"
    tried = [folder / f"{name}.{spoken}.toml"] if spoken else []
    for path in (*tried, folder / f"{name}.toml"):
        try:
            return str(tomllib.loads(path.read_text("utf-8"))["title"])
        except (OSError, ValueError, KeyError):
            continue
    return ""
