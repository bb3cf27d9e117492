"""Tables as text (.csv, .tsv): records with the line each begins at, and whether the first row names the columns."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

SEPARATORS = ",;\t|"
LONGEST = 64_000_000  # a cell may be as long as a file
Row = tuple[int, list[str]]
_NUMBER = re.compile(r"[+-]?[\d.,:/-]*\d[\d.,:/-]*%?\Z")
_NAME = re.compile(r"[^\W\d][\w .-]{0,30}\Z")
_PLAIN = re.compile(r'"[^"]*"')


def split_records(text: str) -> tuple[list[Row], tuple[str, ...]]:
    """Records (line number from 1, cells), and the names of the columns where the first row holds them, else ().

    Raises `csv.Error` for quotes that don't match.
    """
    csv.field_size_limit(LONGEST)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator(text), strict=True)
    rows, start = [], 1
    for cells in reader:
        if any(map(str.strip, cells)):
            rows.append((start, [cell.strip() for cell in cells if cell.strip()]))
        start = reader.line_num + 1
    if is_header([cells for _, cells in rows]):
        return rows[1:], tuple(rows[0][1])
    return rows, ()


def separator(text: str) -> str:
    """What parts the cells: the mark that stands most often in the first line outside quotes, or a comma."""
    head = _PLAIN.sub("", text.lstrip().split("\n", 1)[0])
    return max(SEPARATORS, key=head.count)


def is_header(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns: short names, and below them numbers or longer texts."""
    if len(rows) < 2 or not all(map(_NAME.match, rows[0])) or len(set(rows[0])) < len(rows[0]):
        return False
    names, below = rows[0], rows[1:101]
    return any(_differs(name, [row[at] for row in below if at < len(row)]) for at, name in enumerate(names))


def _differs(name: str, cells: Sequence[str]) -> bool:
    """Whether `name` is of another kind than the cells below it: they are all numbers, or most are longer texts."""
    if not cells:
        return False
    longer = sum(len(cell.split()) > 2 * len(name.split()) for cell in cells)
    return all(map(_NUMBER.match, cells)) or 2 * longer > len(cells)
