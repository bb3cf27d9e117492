"""Cost: weights, multiplications, memory and steps of three kinds of layers by formula, and measured times beside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QSlider, QWidget

from attnviewer.core.explore.finding import Finding
from attnviewer.core.i18n import tr
from attnviewer.core.transformer.cost import costs
from attnviewer.core.transformer.findings import Times
from attnviewer.core.transformer.requests import LENGTHS, TimesRequest
from attnviewer.ui.controls import button, column, label, named, row
from attnviewer.ui.panels.transformer.state import TransformerState
from attnviewer.ui.panels.transformer.study import StudyView
from attnviewer.ui.widgets.plot import Axis, Line, Plot

POWERS = 15  # lengths up to 2 ** 15
SIZES = (64, 128, 256, 384, 512, 768, 1024, 2048, 4096, 16384)
LARGEST = 2048  # numbers a token that can still be measured
LOOKS = (("accent", ""), ("caution", "--"), ("muted", ":"))
LANE = "times"


class CostView(StudyView):
    """A table that follows two sliders, and two plots by length: multiplications, and seconds once measured."""

    name = "cost"

    def __init__(self) -> None:
        super().__init__()
        self.length = named(QSlider(Qt.Orientation.Horizontal), tr("Tokens"), tr("How many tokens the text has"))
        self.size_ = named(QSlider(Qt.Orientation.Horizontal), tr("Numbers a token"), tr("Size of a token's vector"))
        self.length.setRange(4, POWERS * 4)
        self.size_.setRange(0, len(SIZES) - 1)
        self.size_.setValue(SIZES.index(384))
        self.told, self.found, self.running = label("", "value"), None, False  # type: QLabel, Times | None, bool
        self._exact: int | None = None
        self._cells: list[list[QLabel]] = []
        self._seen: str | None = None
        along = Axis(tr("tokens L"), log=True, tell=short)
        self.formula = Plot(
            tr("Multiplications by length"), tr("By the formulas of the table; click to choose a length"),
            along, Axis(log=True, tell=short),
        )  # fmt: skip
        self.measured = Plot(
            tr("Seconds by length"), tr("Measured here, one layer of each kind"), along,
            Axis(log=True, tell=seconds), empty=tr("Not measured yet. Press Measure; it takes some seconds."),
        )  # fmt: skip
        self.formula.picked.connect(self._pick)
        self.measure = button(
            tr("Measure"), tr("Run one layer of each kind on texts of up to 4,096 tokens on this computer"),
            self.toggle, look="accent",
        )  # fmt: skip
        self.state = label("", "muted", wrap=True)
        self._lay_out()
        self.length.valueChanged.connect(self._show)
        self.size_.valueChanged.connect(self._show)
        self._show()

    def _lay_out(self) -> None:
        table, grid = QFrame(), QGridLayout()
        table.setObjectName("stage")
        heads = (
            tr("one layer of"), tr("weights"), tr("multiplications"), tr("numbers kept"), tr("steps in a row"),
            tr("layers until both ends meet"),
        )  # fmt: skip
        for place, head in enumerate(heads):
            grid.addWidget(label(head, "title", wrap=True), 0, place)
        for line in range(3):
            self._cells.append([label("", "value" if place == 0 else "") for place in range(len(heads))])
            for place, cell in enumerate(self._cells[-1]):
                grid.addWidget(cell, line + 1, place)
        grid.setSpacing(12)
        grid.setContentsMargins(16, 10, 16, 10)
        table.setLayout(grid)
        sliders, left, right, both, order = QWidget(), QWidget(), QWidget(), QWidget(), QWidget()
        sliders.setLayout(
            row(label(tr("Tokens L"), "title"), self.length, label(tr("Numbers D"), "title"), self.size_, spacing=12)
        )
        left.setLayout(column(label(tr("Multiplications, by formula"), "title"), self.formula, spacing=4))
        order.setLayout(row(label(tr("Seconds, measured here"), "title"), 1, self.measure))
        right.setLayout(column(order, self.measured, self.state, spacing=4))
        for box in (left, right):
            box.layout().setStretch(1, 1)  # type: ignore[union-attr]
        both.setLayout(row(left, right, spacing=18))
        both.layout().setStretch(0, 1)  # type: ignore[union-attr]
        both.layout().setStretch(1, 1)  # type: ignore[union-attr]
        self.lay_out(self.told, sliders, table, both, grows=3)

    def painted(self) -> Sequence[Any]:
        return (self.formula, self.measured)

    @property
    def tokens(self) -> int:
        """The number of tokens that the slider tells."""
        return round(2 ** (self.length.value() / 4))

    @property
    def size_now(self) -> int:
        """The numbers a token that the slider tells."""
        return SIZES[self.size_.value()]

    def show_state(self, state: TransformerState) -> None:
        """Begin with the text in sight."""
        if state.tokens and state.text != self._seen:
            self._seen = state.text
            self.length.setValue(min(POWERS * 4, max(4, round(4 * (len(state.tokens)).bit_length()))))
            self._show(exact=len(state.tokens))

    def _pick(self, length: float) -> None:
        nearest = min(range(4, POWERS * 4 + 1), key=lambda place: abs(2 ** (place / 4) - length))
        self.length.setValue(nearest)

    def _show(self, *_: object, exact: int | None = None) -> None:
        self._exact = exact
        length, size = exact or self.tokens, self.size_now
        self.told.setText(tr("{length} tokens of {size} numbers", length=f"{length:,}", size=f"{size:,}"))
        for cells, cost in zip(self._cells, costs(length, size), strict=True):
            told = (
                tr(cost.name),
                *(f"{n:,}" for n in (cost.weights, cost.products, cost.memory, cost.steps, cost.apart)),
            )
            for cell, text in zip(cells, told, strict=True):
                cell.setText(text)
        many = length > size
        count = f"{length**2:,}"
        self.tell(
            tr("There are more tokens than numbers in a token: the square of the length is what costs most.") if many
            else tr("The weights don't hang on the length; the map of a head does: {cells} cells.", cells=count)
        )  # fmt: skip
        self.formula.show_lines(self._formula(), float(length))
        self.measure.setEnabled(self.running or size <= LARGEST)
        if size > LARGEST:
            self.state.setText(tr("Vectors of more than {most} numbers take too long to measure.", most=f"{LARGEST:,}"))
        elif not self.running:
            self._tell_times()

    def _formula(self) -> tuple[Line, ...]:
        at = [2**power for power in range(2, POWERS + 1)]
        rows = zip(*(costs(length, self.size_now) for length in at), strict=True)
        return tuple(
            Line(tr(row[0].name), tuple(map(float, at)), tuple(float(cost.products) for cost in row), *look)
            for row, look in zip(rows, LOOKS, strict=True)
        )

    def toggle(self) -> None:
        """Measure, or stop."""
        if self.running:
            self.stopped.emit(LANE)
            self._run(False)
            self.state.setText(tr("Stopped. What was measured stays."))
            return
        self.found = None
        self.measured.show_lines(())
        self._run(True)
        self.state.setText(tr("Measuring …"))
        self.wanted.emit(LANE, TimesRequest(self.size_now))

    def _run(self, on: bool) -> None:
        self.running = on
        self.measure.setText(tr("Stop") if on else tr("Measure"))

    def take(self, lane: str, finding: Finding) -> None:
        if not isinstance(finding, Times):
            return
        self.found = finding
        done = len(finding.seconds[0])
        at = tuple(map(float, finding.lengths[:done]))
        self.measured.show_lines(
            [Line(tr(name), at, row[:done], *look, points=True)
             for name, row, look in zip(finding.names, finding.seconds, LOOKS, strict=True)]
        )  # fmt: skip
        if done == len(finding.lengths):
            self._run(False)
        self._tell_times()

    def _tell_times(self) -> None:
        found = self.found
        if found is None or not found.seconds[0]:
            return self.state.setText("")
        done = len(found.seconds[0])
        told = ", ".join(f"{tr(name)} {row[done - 1] * 1000:,.1f} ms"
                         for name, row in zip(found.names, found.seconds, strict=True))  # fmt: skip
        return self.state.setText(
            tr("{length} tokens of {size} numbers: {told}. On {device}, {threads} threads, the fastest of three.",
               length=f"{found.lengths[done - 1]:,}", size=found.size, told=told, device=found.device,
               threads=found.threads)
        )  # fmt: skip

    def fail(self, lane: str, message: str) -> None:
        self._run(False)
        self.state.setText(message)

    def numbers(self) -> dict[str, Any]:
        length = self._exact or self.tokens
        return {"tokens": length, "size": self.size_now, "costs": costs(length, self.size_now), "times": self.found}

    def table(self) -> list[Sequence[Any]]:
        head = ("layer", "tokens", "size", "weights", "multiplications", "numbers kept", "seconds")
        done = {} if self.found is None else {
            (name, length): row[n] for name, row in zip(self.found.names, self.found.seconds, strict=True)
            for n, length in enumerate(self.found.lengths[: len(row)])
        }  # fmt: skip
        size, lengths = self.size_now, sorted({self._exact or self.tokens, *LENGTHS})
        return [head, *(
            (cost.name, length, size, cost.weights, cost.products, cost.memory, done.get((cost.name, length), ""))
            for length in lengths for cost in costs(length, size)
        )]  # fmt: skip


def short(number: float) -> str:
    """A large number for an axis: 64, 4k, 3M."""
    for power, letter in ((12, "T"), (9, "G"), (6, "M"), (3, "k")):
        if number >= 10**power:
            return f"{number / 10**power:g}{letter}"
    return f"{number:g}"


def seconds(number: float) -> str:
    """Seconds for an axis."""
    return f"{number:g} s" if number >= 1 else f"{number * 1000:g} ms"
