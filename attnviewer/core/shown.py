"""Text from strangers on a terminal: nothing in it commands the terminal, and a name stays on its line."""

from __future__ import annotations

import re

_COMMANDS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def harmless(text: str) -> str:
    r"""The text with control characters written out, such as \x1b; line breaks and tabs stay."""
    return _COMMANDS.sub(_spelled, text)


def one_line(name: object) -> str:
    """A name on one line, with line breaks, tabs and control characters written out."""
    return _BREAKS.sub(_spelled, str(name))


def _spelled(found: re.Match[str]) -> str:
    letter = found.group()
    return ascii(letter)[1:-1] if letter < "\x7f" else f"\\u{ord(letter):04x}"  # this way JSON stays JSON
