"""The rows of which the table of keys is made: those of the window, and groups that several panels share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from attnviewer.core.i18n import later
from attnviewer.core.modes import MODES, of


@dataclass(frozen=True)
class Key:
    """An action's name, the keys that call it, and what it does in words."""

    action: str
    keys: tuple[str, ...]
    tells: str


PLAYING = (
    Key("play", ("Space",), later("Play or pause")),
    Key("back", ("Left",), later("Word before")),
    Key("on", ("Right",), later("Next word")),
    Key("first", ("Home",), later("First word")),
    Key("last", ("End",), later("Last word")),
    Key("how", ("W",), later("How it works: the arithmetic of this word")),
)
DOUBTING = (
    Key("matter", ("M",), later("Does it matter where it looked?")),
    Key("beam", ("B",), later("What the beam search kept and dropped")),
)
COMPARING = Key("compare", ("C",), later("Compare side by side"))
MAPPING = (
    Key("shape", ("G",), later("Smooth map or cells")),
    Key("ground", ("P",), later("Photo grey, dim, in colour, or in a spotlight")),
    Key("stronger", ("+", "="), later("Stronger map")),
    Key("fainter", ("-",), later("Fainter map")),
)
WINDOW = (
    Key("open", ("Ctrl+O",), later("Open photos")),
    Key("paste", ("Ctrl+V",), later("Paste a photo or a text")),
    Key("copy", ("Ctrl+C",), later("Copy the figure and its text")),
    Key("export", ("Ctrl+E",), later("Export")),
    Key("set_back", ("PgUp",), later("Photo before, in a set")),
    Key("set_on", ("PgDown",), later("Next photo, in a set")),
    Key("presenter", ("F11",), later("Presenter mode")),
    Key("larger", ("Ctrl++", "Ctrl+="), later("Larger text")),
    Key("smaller", ("Ctrl+-",), later("Smaller text")),
    Key("usual", ("Ctrl+0",), later("Usual text")),
    Key("stop", ("Esc",), later("Stop, or close this sheet")),
    Key("sheet", ("F1",), later("These keys")),
    Key("close", ("Ctrl+Q", "Ctrl+W"), later("Close the window")),
)


def attending(tasks: Iterable[str]) -> tuple[Key, ...]:
    """A row for each mode of some tasks that a key chooses, in the words of the first task that has it."""
    named = {mode: task for task in reversed(tuple(tasks)) for mode in of(task) if MODES[mode].shortcut}
    return tuple(Key(mode, (row.shortcut,), row.title(named[mode])) for mode, row in MODES.items() if mode in named)


def together(*tables: Iterable[Key]) -> tuple[Key, ...]:
    """All rows in order; what several tables share stands once."""
    return tuple(dict.fromkeys(key for table in tables for key in table))
