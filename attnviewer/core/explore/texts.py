"""The short texts that ship for the experiment with documents."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass

from attnviewer.core.paths import resources_dir


@dataclass(frozen=True)
class Text:
    """A text and what it is called."""

    name: str
    text: str


def shipped() -> tuple[Text, ...]:
    """The texts in the order in which they are offered; none where their file is damaged."""
    try:
        rows = tomllib.loads((resources_dir() / "texts.toml").read_text("utf-8"))["text"]
        return tuple(Text(row["name"], " ".join(row["text"].split())) for row in rows)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return ()
