"""The rows of which the table of keys is made: those of the window, and groups that several panels share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Key:
    """An action's name, the keys that call it, and what it does in words."""

    action: str
    keys: tuple[str, ...]
    tells: str


PLAYING = (
    Key("play", ("Space",), "Play or pause"),
    Key("back", ("Left",), "Word before"),
    Key("on", ("Right",), "Next word"),
    Key("first", ("Home",), "First word"),
    Key("last", ("End",), "Last word"),
)
ATTENDING = (
    Key("soft", ("S",), "Soft attention"),
    Key("hard", ("H",), "Hard attention"),
    Key("location", ("L",), "Attention by location"),
    Key("none", ("N",), "No attention"),
    Key("compare", ("C",), "Compare side by side"),
)
MAPPING = (
    Key("shape", ("G",), "Smooth map or cells"),
    Key("stronger", ("+", "="), "Stronger map"),
    Key("fainter", ("-",), "Fainter map"),
)
WINDOW = (
    Key("open", ("Ctrl+O",), "Open photos"),
    Key("paste", ("Ctrl+V",), "Paste a photo or a text"),
    Key("export", ("Ctrl+E",), "Export"),
    Key("set_back", ("PgUp",), "Photo before, in a set"),
    Key("set_on", ("PgDown",), "Next photo, in a set"),
    Key("presenter", ("F11",), "Presenter mode"),
    Key("stop", ("Esc",), "Stop, or close this sheet"),
    Key("sheet", ("F1",), "These keys"),
)


def together(*tables: Iterable[Key]) -> tuple[Key, ...]:
    """All rows in order; what several tables share stands once."""
    return tuple(dict.fromkeys(key for table in tables for key in table))
