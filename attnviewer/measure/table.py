"""Plain-text tables for a terminal: texts to the left, numbers to the right."""

from __future__ import annotations

from collections.abc import Sequence

Cell = str | int | float | None
GAP = "  "


def show(value: Cell, digits: int = 3) -> str:
    """A cell as text: floats with `digits` decimals, None as a dash."""
    if value is None:
        return "-"
    return f"{value:.{digits}f}" if isinstance(value, float) else str(value)


def table(headers: Sequence[str], rows: Sequence[Sequence[Cell]], digits: int = 3) -> str:
    """Lay out `rows` below `headers`; a column whose every value is a number stands to the right."""
    shown = [[show(value, digits) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(headers, *shown, strict=True)]
    right = [_numeric(column) for column in zip(*rows, strict=True)] or [False] * len(headers)
    lines = [headers, ["-" * width for width in widths], *shown]
    return "\n".join(_line(line, widths, right) for line in lines)


def _numeric(column: Sequence[Cell]) -> bool:
    return all(value is None or isinstance(value, (int, float)) for value in column)


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = [c.rjust(w) if r else c.ljust(w) for c, w, r in zip(cells, widths, right, strict=True)]
    return GAP.join(padded).rstrip()
