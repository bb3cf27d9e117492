"""The tree of a beam search: every hypothesis that was kept or dropped, as a node below the words before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from attnviewer.core.explore.finding import Finding

KEPT, DROPPED, ENDED = "kept", "dropped", "ended"


@dataclass(frozen=True)
class Node:
    """One word after others.

    Parameters
    ----------
    parent : number of the node before; -1 for the first words.
    word : the word; "" where the text ends.
    logprob, total : natural log-probability of the word, and of all words up to it.
    fate : "kept" in the beam, "dropped" from it, or "ended" as a whole text.
    best : whether it lies on the way to the text that won.
    """

    parent: int
    word: str
    logprob: float
    total: float
    fate: str = KEPT
    best: bool = False


@dataclass(frozen=True, eq=False)
class BeamTree(Finding):
    """All hypotheses of a search; a node comes behind its parent.

    Parameters
    ----------
    model, beam, penalty : who searched, how many hypotheses were kept, and how length counts in the ranking of whole
        texts: by log-probability / length ** penalty.
    before, after : the words of the text around the sentence that was searched.
    """

    task: ClassVar[str] = "beam"
    model: str
    beam: int
    penalty: float
    nodes: tuple[Node, ...]
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    def path(self, number: int) -> tuple[str, ...]:
        """The words from the first up to a node, without the end."""
        found: list[str] = []
        while number >= 0:
            node = self.nodes[number]
            found.append(node.word)
            number = node.parent
        return tuple(word for word in reversed(found) if word)

    def words(self, number: int) -> tuple[str, ...]:
        """The whole text with the words up to a node in place of the sentence."""
        ended = self.nodes[number].fate == ENDED
        return (*self.before, *self.path(number), *(self.after if ended else ()))

    def score(self, number: int) -> float:
        """What whole texts are ranked by."""
        return self.nodes[number].total / float(max(1, len(self.path(number))) ** self.penalty)

    def children(self, number: int) -> list[int]:
        """The nodes below one, the most probable first."""
        return self._children.get(number, [])

    @property
    def _children(self) -> dict[int, list[int]]:
        if "_below" not in self.__dict__:
            below: dict[int, list[int]] = {}
            for number, node in enumerate(self.nodes):
                below.setdefault(node.parent, []).append(number)
            for many in below.values():
                many.sort(key=lambda one: (not self.nodes[one].best, -self.nodes[one].total))
            object.__setattr__(self, "_below", below)
        found: dict[int, list[int]] = self.__dict__["_below"]
        return found

    def lives(self, number: int) -> bool:
        """Whether a node leads to a text that ended or to one that was still in the beam at the end."""
        return number in self._living

    @property
    def _living(self) -> set[int]:
        if "_alive" not in self.__dict__:
            alive: set[int] = set()
            for number, node in enumerate(self.nodes):
                if node.fate == ENDED or node.best:
                    alive.update(self._up(number))
            object.__setattr__(self, "_alive", alive)
        found: set[int] = self.__dict__["_alive"]
        return found

    def _up(self, number: int) -> Iterator[int]:
        while number >= 0:
            yield number
            number = self.nodes[number].parent


def rows(tree: BeamTree) -> list[list[str]]:
    """The whole texts as rows of a table, the best first."""
    ended = [number for number, node in enumerate(tree.nodes) if node.fate == ENDED]
    ended.sort(key=lambda number: -tree.score(number))
    return [[" ".join(tree.path(n)), f"{tree.nodes[n].total:.2f}", f"{tree.score(n):.3f}"] for n in ended]
