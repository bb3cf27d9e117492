"""Lines of a figure's text, also in scripts whose letters are twice as wide and stand without spaces."""

from __future__ import annotations

import textwrap
import unicodedata


def wide(text: str) -> int:
    """How many columns a text takes: Chinese, Japanese and Korean letters take two."""
    return sum(1 + (unicodedata.east_asian_width(letter) in "WF") for letter in text)


def wrapped(text: str, columns: int) -> list[str]:
    """The text in lines of at most so many columns, roughly where scripts are mixed."""
    return textwrap.wrap(text, max(1, columns * len(text) // wide(text))) if text else []
