"""How a tree of texts grows: its nodes, and in which column and row each stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

BEST, PLAIN, FAINT = "best", "plain", "faint"


@dataclass(frozen=True)
class Branch:
    """A node: the number of the one before it (-1 for none), what it says, a note below, how it looks, and a tip."""

    parent: int
    text: str
    note: str = ""
    look: str = PLAIN
    tip: str = ""


def depths_of(branches: Sequence[Branch]) -> list[int]:
    """The column of each node; nodes come behind their parents."""
    found: list[int] = []
    for branch in branches:
        found.append(0 if branch.parent < 0 else found[branch.parent] + 1)
    return found


def rows_of(branches: Sequence[Branch]) -> list[int]:
    """The row of each node: a way on from node to first child is straight, and no row is left free for nothing."""
    children: dict[int, list[int]] = {}
    for number, branch in enumerate(branches):
        children.setdefault(branch.parent, []).append(number)
    rows, taken = [0] * len(branches), [0] * (len(branches) + 1)  # the first free row of each column

    def place(number: int, depth: int) -> None:
        way = [number]
        while below := children.get(way[-1]):
            way.append(below[0])
        row = max(taken[depth + step] for step in range(len(way)))
        for step, one in enumerate(way):
            rows[one], taken[depth + step] = row, row + 1
        for step, one in reversed(list(enumerate(way))):
            for other in children.get(one, ())[1:]:
                place(other, depth + step + 1)

    for top in children.get(-1, ()):
        place(top, 0)
    return rows
