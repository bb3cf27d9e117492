"""Facts of the current word's map, each with one plain sentence, and a badge where the maps say little."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QWidget

from attnviewer.core import lens
from attnviewer.core.i18n import later, tr
from attnviewer.core.regions import place
from attnviewer.core.trace import Grid, Trace
from attnviewer.ui.controls import column, label, row
from attnviewer.ui.widgets.bars import number
from attnviewer.ui.widgets.terms import explaining

CAVEAT = later("The brighter a place, the more the model looked there. The map shows where, not why.")
ROWS = {  # what is told, as a reader asks for it, and the term behind it
    "place": (later("Looked hardest"), "peak"),
    "taken": (later("Took"), "seed"),
    "spread": (later("Looked at"), "entropy"),
    "gate": (later("Relied on"), "gate"),
    "photo": (later("The photo"), "bits"),
}
PLACES = ("place", "taken")
NO_MAP = later("This model has no attention: it saw the photo once, as a whole.")
SPREADS = ((0.55, later("a few places")), (0.8, later("one region")), (0.93, later("much of the photo")),
           (2.0, later("nearly everywhere alike")))  # fmt: skip
GATES = ((0.35, later("mostly the words before")), (0.65, later("the photo and the words before")),
         (9.0, later("mostly the photo")))  # fmt: skip
PHOTO = ((0.3, later("hardly mattered here")), (1.5, later("helped here")), (99.0, later("decided here")))
Told = dict[str, tuple[str, str]]


def facts_of(trace: Trace | None, word: int) -> Told:
    """What is told of a word, by the keys of `ROWS`: in plain words, and with its numbers."""
    if trace is None or not 0 <= word < len(trace.steps):
        return {}
    found, grid = lens.facts(trace, word), trace.locations
    if found is None or not isinstance(grid, Grid):
        return {"place": (tr("nowhere"), tr(NO_MAP))} | _photo(trace, word)
    most = f"{found.bits / found.normalized_entropy:.1f}" if found.normalized_entropy else "0"
    told = {
        "place": (
            tr("in the {place}", place=tr(place(grid, found.peak))),
            tr("{share} on {cell}", share=number(found.weight), cell=cell(grid, found.peak)),
        ),
        "spread": (
            _first(SPREADS, found.normalized_entropy),
            tr("Entropy {bits} of at most {most} bits", bits=f"{found.bits:.1f}", most=most),
        ),
    }
    if found.sampled is not None:
        told |= {"taken": _taken(trace, grid, word, found.sampled)}
    if found.gate is not None:
        told |= {"gate": (_first(GATES, found.gate), tr("Gate {gate} (0: nothing, 1: all)", gate=f"{found.gate:.2f}"))}
    return told | _photo(trace, word)


def places(trace: Trace | None, word: int) -> dict[str, int]:
    """The locations of which facts speak, by the keys of `ROWS`."""
    found = lens.facts(trace, word) if trace is not None and 0 <= word < len(trace.steps) else None
    if found is None:
        return {}
    return {"place": found.peak} | ({"taken": found.sampled} if found.sampled is not None else {})


def cell(grid: Grid, location: int) -> str:
    """A cell by its row and column, counted from 0 as everywhere."""
    row, column = divmod(location, grid.columns)
    return tr("row {row}, column {column}", row=row, column=column)


def _taken(trace: Trace, grid: Grid, word: int, location: int) -> tuple[str, str]:
    """The place that hard attention took, and how probable it was."""
    weights = lens.word_map(trace, word)
    assert weights is not None
    rank = int((weights > weights[location]).sum()) + 1
    order = tr("the most probable place") if rank == 1 else tr("number {rank} by probability", rank=rank)
    chance = number(float(weights[location]))
    return tr("{cell}", cell=cell(grid, location)), tr("Its chance was {chance}: {order}", chance=chance, order=order)


def _photo(trace: Trace, word: int) -> Told:
    """How much of the photo is left in the choice of the word."""
    bits = trace.steps[word].bits
    if bits is None:
        return {}
    said = tr("{bits} bits: how far it moves the chances, against an average photo", bits=f"{bits:.2f}")
    return {"photo": (_first(PHOTO, bits), said)}


def _first(steps: tuple[tuple[float, str], ...], value: float) -> str:
    return tr(next(text for top, text in steps if value < top))


class Fact(QWidget):
    """One fact.

    Signals
    -------
    pointed(bool) : the pointer came over a fact that speaks of a place, or left it.
    """

    pointed = Signal(bool)

    def __init__(self, of_a_place: bool) -> None:
        super().__init__()
        self._tells = of_a_place

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        if self._tells:
            self.pointed.emit(True)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if self._tells:
            self.pointed.emit(False)


class FactsView(QWidget):
    """The facts, and the badge.

    Signals
    -------
    pointed(int) : the location of which the fact below the pointer speaks, -1 for none.
    """

    pointed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.badge = label("", "badge", wrap=True)
        self.values = {key: label("", "value") for key in ROWS}
        self.sentences = {key: label("", "muted", wrap=True) for key in ROWS}
        layout = column(spacing=2)
        layout.addWidget(self.badge)
        self.rows: dict[str, QWidget] = {}
        for key, (name, term) in ROWS.items():
            box, head = Fact(key in PLACES), QWidget()
            box.pointed.connect(partial(self._point, key))
            head.setLayout(row(explaining(tr(name), term), 1, self.values[key]))
            box.setLayout(column(head, self.sentences[key], spacing=0, margins=(0, 4, 0, 4)))
            self.rows[key] = box
            layout.addWidget(box)
        self.setLayout(layout)
        self._places: dict[str, int] = {}
        self.show_word(None, -1)

    def _point(self, key: str, over: bool) -> None:
        self.pointed.emit(self._places.get(key, -1) if over else -1)

    def show_word(self, trace: Trace | None, word: int) -> None:
        """Show the facts of a word."""
        self._places = places(trace, word)
        told = facts_of(trace, word)
        for key in ROWS:
            self.rows[key].setVisible(key in told)
            value, sentence = told.get(key, ("", ""))
            self.values[key].setText(value)
            self.sentences[key].setText(sentence)
        warning = lens.badge(trace) if trace is not None else None
        self.badge.setVisible(bool(warning))
        self.badge.setText(warning or "")
