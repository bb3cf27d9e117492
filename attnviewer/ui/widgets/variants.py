"""The page with the texts that were kept: a tree of what came from what, and any two of them on one clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from PySide6.QtCore import QRect, Signal
from PySide6.QtWidgets import QWidget

from attnviewer.core.i18n import tr
from attnviewer.core.trace import Tokens as Words
from attnviewer.ui.controls import button, column, label, row
from attnviewer.ui.theme import Tokens
from attnviewer.ui.whatif import Variant
from attnviewer.ui.widgets.branches import Branches
from attnviewer.ui.widgets.growth import BEST, PLAIN, Branch
from attnviewer.ui.widgets.links import Links
from attnviewer.ui.widgets.overlay import Overlay

ROOMY = 2000  # a page that is wider has room for large letters
SIDES = ("first", "second")


class Side(Protocol):
    """What shows one of the two: any widget that can do this; `chosen(int)` tells of a word that was clicked."""

    chosen: Any

    def show_variant(self, variant: Variant, *, large: bool) -> None: ...
    def show_word(self, word: int) -> None: ...
    def set_tokens(self, tokens: Tokens) -> None: ...
    def setMinimumHeight(self, height: int) -> None: ...


class VariantsPage(Overlay):
    """A click on a variant shows it with the one that was clicked before; `across` puts them side by side.

    Signals
    -------
    taken(object) : a variant that is to be shown in the panel again.
    dropped(object) : one that isn't wanted any more.
    moved(int) : a word was clicked.
    """

    taken = Signal(object)
    dropped = Signal(object)
    moved = Signal(int)

    def __init__(
        self, host: QWidget, area: Callable[[], QRect], make_side: Callable[[], Side], *, across: bool = False
    ) -> None:
        super().__init__(host, area, tr("Variants: what would it have said?"))
        self.variants: tuple[Variant, ...] = ()
        self.sides: list[Variant] = []
        self._word = 0
        self.tree = Branches(tr("Variants"), tr("Click two of them: they stand below each other, on one clock"))
        self.titles, self.views = [label("", "title") for _ in SIDES], [make_side() for _ in SIDES]
        self.use = button(tr("Show this one"), tr("Go back to the variant that was clicked last"), self._use)
        self.drop = button(tr("Forget it"), tr("Keep the variant that was clicked last no longer"), self._drop)
        self.boxes, below, body = [QWidget() for _ in SIDES], QWidget(), QWidget()
        for box, title, view in zip(self.boxes, self.titles, self.views, strict=True):
            parts: list[Any] = [title, view]
            box.setLayout(column(*parts, spacing=2))
            box.layout().setStretch(1, 1)  # type: ignore[union-attr]
            view.setMinimumHeight(96)
            view.chosen.connect(self.moved)
        below.setLayout((row if across else column)(*self.boxes, spacing=12 if across else 2))
        rows = row(self.tree, below, spacing=12)
        rows.setStretch(0, 2)
        rows.setStretch(1, 3)
        body.setLayout(rows)
        self.lay_out(body, self.drop, self.use)
        self.tree.picked.connect(self.pick)

    def show_variants(self, variants: Sequence[Variant], parents: Mapping[int, int], word: int) -> None:
        """Show these; `parents` tells from which one (by number) each came."""
        self.variants = tuple(variants)
        self.sides = [one for one in self.sides if one in self.variants]
        for one in self.variants[::-1]:  # at first the two newest
            if len(self.sides) < len(SIDES) and one not in self.sides:
                self.sides.insert(0, one)
        self._numbers, branches = grown(self.variants, parents, self.sides)
        self.tree.show_branches(branches)
        self._show(word)

    def pick(self, place: int) -> None:
        """Compare a variant with the one that was clicked last."""
        chosen = self.variants[self._numbers[place]]
        self.sides = [*(one for one in self.sides if one is not chosen), chosen][-2:]
        self._show(self._word)

    @property
    def last(self) -> Variant | None:
        """The variant that was clicked last."""
        return self.sides[-1] if self.sides else None

    def _use(self) -> None:
        if self.last is not None:
            self.taken.emit(self.last)

    def _drop(self) -> None:
        if self.last is not None:
            self.dropped.emit(self.last)

    def _show(self, word: int) -> None:
        for number, (box, title, view) in enumerate(zip(self.boxes, self.titles, self.views, strict=True)):
            shown = self.sides[number] if number < len(self.sides) else None
            box.setVisible(shown is not None)
            if shown is not None:
                title.setText(tr("{name}: log-probability {logprob}", name=shown.name, logprob=f"{shown.logprob:.2f}"))
                view.show_variant(shown, large=self.width() > ROOMY)
        self.drop.setEnabled(self.last is not None)
        self.use.setEnabled(self.last is not None)
        self.show_word(word)

    @property
    def count(self) -> int:
        """Words of the longer text in sight."""
        return max((len(one.trace.steps) for one in self.sides), default=0)

    def show_word(self, word: int) -> None:
        """Make a word the current one in both."""
        self._word = word
        for view in self.views:
            view.show_word(word)

    def set_tokens(self, tokens: Tokens) -> None:
        self.tree.set_tokens(tokens)
        for view in self.views:
            view.set_tokens(tokens)


class TextSide(Links):
    """A translation that was kept: its words tied to those that were read."""

    def show_variant(self, variant: Variant, *, large: bool) -> None:
        """Show one, in large letters where there is room."""
        trace = variant.trace
        self.set_large(large)
        self.show_trace(trace, trace.locations.tokens if isinstance(trace.locations, Words) else (), 1.0)
        self.hidden = frozenset(variant.change.hidden)


def grown(
    variants: Sequence[Variant], parents: Mapping[int, int], sides: Sequence[Variant]
) -> tuple[list[int], list[Branch]]:
    """The variants as a tree, each behind the one that it came from, with their numbers."""
    numbers: list[int] = []
    branches: list[Branch] = []

    def add(parent: int, place: int) -> None:
        for number, one in enumerate(variants):
            if parents.get(number, -1) == parent:
                numbers.append(number)
                look = BEST if one in sides else PLAIN
                note = f"{one.logprob:.2f}   {one.text}"
                branches.append(Branch(place, one.name, note, look, f"{one.text} ({one.logprob:.2f})"))
                add(number, len(branches) - 1)

    add(-1, -1)
    return numbers, branches
