"""Reads TOML that people write, and says on which line a fault lies."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.lines import read_text

Path_ = Sequence[str | int]
_AT = re.compile(r"\(at line (\d+), column (\d+)\)")
_HEAD = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""^\s*["']?([\w-]+)["']?\s*(?:\.\s*["']?([\w-]+)["']?\s*)?=""")
_TRIPLE = re.compile(r'"""|\'\'\'')


class Document:
    """A TOML file: its `data`, and the line of each of its keys.

    Raises
    ------
    UserError
        Where the file can't be read or isn't TOML; the line says where.
    """

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name
        try:
            self.data: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise self._syntax(error) from None

    @classmethod
    def of(cls, path: str | Path) -> Document:
        """The document in a file."""
        return cls(read_text(path), Path(path).name)

    def _syntax(self, error: Exception) -> UserError:
        found = _AT.search(str(error))
        line = int(found[1]) if found else len(self.text.splitlines())
        said = _AT.sub("", str(error)).strip().rstrip(".")
        told = tr("{name}, line {line}: this is no TOML ({said}); mend the line.", name=self.name, line=line, said=said)
        return UserError(told)

    def fault(self, place: Path_, what: str) -> UserError:
        """The fault `what` of the key at a place, as one line with the file and the line."""
        return UserError(tr("{name}, line {line}: {what}", name=self.name, line=self.line_of(place), what=what))

    def line_of(self, place: Path_) -> int:
        """The line (from 1) where the key at a place stands, or the nearest one around it."""
        known = _places(self.text)
        wanted = tuple(place)
        while wanted and wanted not in known:
            wanted = wanted[:-1]
        return known.get(wanted, 1)


def _places(text: str) -> dict[tuple[str | int, ...], int]:
    """The line of each table and key; tables of a list are numbered from 0."""
    found: dict[tuple[str | int, ...], int] = {(): 1}
    counts: dict[tuple[str | int, ...], int] = {}
    table: tuple[str | int, ...] = ()
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        quotes = len(_TRIPLE.findall(line))
        if inside:
            inside = quotes % 2 == 0
            continue
        inside = quotes % 2 == 1
        if head := _HEAD.match(line):
            table = _table(head, counts)
            found.setdefault(table, number)
        elif key := _KEY.match(line):
            found.setdefault((*table, key[1]), number)
            if key[2]:
                found.setdefault((*table, key[1], key[2]), number)
    return found


def _table(head: re.Match[str], counts: dict[tuple[str | int, ...], int]) -> tuple[str | int, ...]:
    """The place of a table's head; below a list of tables it belongs to the last one."""
    names = [name.strip().strip("\"'") for name in head[2].split(".")]
    place: tuple[str | int, ...] = ()
    for at, name in enumerate(names):
        place = (*place, name)
        if head[1] == "[[" and at == len(names) - 1:
            counts[place] = counts.get(place, -1) + 1
        if place in counts:
            place = (*place, counts[place])
    return place
