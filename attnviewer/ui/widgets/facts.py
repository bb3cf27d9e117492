"""Facts of the current word's map, each with one plain sentence, and a badge where the maps say little."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from attnviewer.core import lens
from attnviewer.core.regions import place
from attnviewer.core.trace import Grid, Trace
from attnviewer.ui.controls import column, label, row
from attnviewer.ui.widgets.bars import number

CAVEAT = "Attention weights show where the model looked, not why."
HEADS = ("Taken", "Peak", "Entropy", "Gate", "Photo")
NO_MAP = "This model has no attention: it saw the photo once, as a whole."
PHOTO = "By so much this photo, instead of an average one, changes the chances of all words here."
SPREADS = ((0.55, "Narrow: it looked at a few places."), (0.8, "Fairly narrow: one region stands out."),
           (0.93, "Wide: it looked over much of the photo."), (2.0, "Nearly everywhere alike."))  # fmt: skip
GATES = ((0.35, "This word leaned little on the photo, more on the words before."),
         (0.65, "This word leaned on the photo and on the words before."),
         (9.0, "This word leaned much on the photo."))  # fmt: skip


def facts_of(trace: Trace | None, word: int) -> dict[str, tuple[str, str]]:
    """Value and sentence of each fact that holds for a word."""
    if trace is None or not 0 <= word < len(trace.steps):
        return {}
    found, grid = lens.facts(trace, word), trace.locations
    if found is None or not isinstance(grid, Grid):
        return {"Peak": ("none", NO_MAP)} | _photo(trace, word)
    at, along = divmod(found.peak, grid.columns)
    told = {
        "Peak": (
            f"{number(found.weight)} in row {at + 1}, column {along + 1}",
            f"In the {place(grid, found.peak)} of the photo.",
        ),
        "Entropy": (
            f"{found.bits:.1f} of {found.bits / found.spread if found.spread else 0:.1f} bits",
            _first(SPREADS, found.spread),
        ),
    }
    if found.sampled is not None:
        told |= {"Taken": _taken(trace, grid, word, found.sampled)}
    if found.gate is not None:
        told |= {"Gate": (f"{found.gate:.2f}", _first(GATES, found.gate))}
    return told | _photo(trace, word)


def _taken(trace: Trace, grid: Grid, word: int, location: int) -> tuple[str, str]:
    """The place that hard attention took, and how probable it was."""
    weights = lens.word_map(trace, word)
    assert weights is not None
    at, along = divmod(location, grid.columns)
    rank = int((weights > weights[location]).sum()) + 1
    order = "the most probable place" if rank == 1 else f"number {rank} by probability"
    return f"row {at + 1}, column {along + 1}", f"Its chance was {number(float(weights[location]))}: {order}."


def _photo(trace: Trace, word: int) -> dict[str, tuple[str, str]]:
    """How much of the photo is left in the choice of the word."""
    bits = trace.steps[word].bits
    return {} if bits is None else {"Photo": (f"{bits:.2f} bits", PHOTO)}


def _first(steps: tuple[tuple[float, str], ...], value: float) -> str:
    return next(text for top, text in steps if value < top)


class FactsView(QWidget):
    """The facts, the badge, and one line that always stands."""

    def __init__(self) -> None:
        super().__init__()
        self.badge = label("", "badge", wrap=True)
        self.values = {head: label("", "value") for head in HEADS}
        self.sentences = {head: label("", "muted", wrap=True) for head in HEADS}
        self.caveat = label(CAVEAT, "muted", wrap=True)
        layout = column(spacing=2)
        layout.addWidget(self.badge)
        self.rows: dict[str, QWidget] = {}
        for head in HEADS:
            box = self.rows[head] = QWidget()
            box.setLayout(column(_line(head, self.values[head]), self.sentences[head], spacing=0, margins=(0, 4, 0, 4)))
            layout.addWidget(box)
        layout.addWidget(self.caveat)
        self.setLayout(layout)
        self.show_word(None, -1)

    def show_word(self, trace: Trace | None, word: int) -> None:
        """Show the facts of a word."""
        told = facts_of(trace, word)
        for head in HEADS:
            self.rows[head].setVisible(head in told)
            value, sentence = told.get(head, ("", ""))
            self.values[head].setText(value)
            self.sentences[head].setText(sentence)
        warning = lens.badge(trace) if trace is not None else None
        self.badge.setVisible(bool(warning))
        self.badge.setText(warning or "")


def _line(head: str, value: QWidget) -> QWidget:
    box = QWidget()
    box.setLayout(row(label(head), 1, value))
    return box
