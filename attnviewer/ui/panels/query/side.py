"""The right column of the query panel: queries, how they are compared, items with their weights, the live formula."""

from __future__ import annotations

import math
from functools import partial

from PySide6.QtCore import QStringListModel, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QComboBox, QCompleter, QFrame, QMenu, QSlider, QToolButton, QVBoxLayout, QWidget

from attnviewer.core.i18n import later, tr
from attnviewer.core.modes import MODES, of
from attnviewer.ui.controls import Segments, button, choices, label, named, refresh, row, without_state
from attnviewer.ui.panels.query.items import ItemList, series_colours
from attnviewer.ui.panels.query.said import answer, brief, formula, hint, of_each, presence
from attnviewer.ui.panels.query.state import FIRST, KEY_NAMES, LINES, REGIONS, SECOND, WORDS, QueryState
from attnviewer.ui.textsize import scaled
from attnviewer.ui.theme import Tokens
from attnviewer.ui.widgets.bars import Bar, Bars
from attnviewer.ui.widgets.ownwords import TextField

WIDTHS = {REGIONS: 470, WORDS: 560, LINES: 620}
LEAST, LARGE = 400, 520
SCORES = (
    ("dot", later("Dot"), later("q·k: long vectors draw more attention")),
    ("scaled", later("Scaled"), later("q·k / √D: the dot product, tamed for wide vectors")),
    ("cosine", later("Cosine"), later("q·k / (|q| |k|): the length of a vector doesn't matter")),
)
FRONTS = (
    (FIRST, "A", later("Show the map, the formula and the answer of the first query")),
    (SECOND, "B", later("Show the map, the formula and the answer of the second query")),
)
ORDERS = (
    ("best", later("Best first"), later("The greatest weight on top")),
    ("source", later("In order"), later("As in the source")),
)
SAMPLES = {
    REGIONS: ("dog", "a person", "something to play with", "grass", "water", "a red shirt"),
    WORDS: ("dog", "animal", "music", "instrument", "parliament", "game", "religion"),
    LINES: ("puppy", "something to play music with", "weather", "politics", "breakfast", "a ball game"),
}
COLDEST, HOTTEST, STEPS = 0.005, 20.0, 200


def temperature_at(step: int) -> float:
    """The temperature of a slider's position."""
    return float(f"{COLDEST * (HOTTEST / COLDEST) ** (step / STEPS):.2g}")


def step_of(temperature: float) -> int:
    """The slider's position for a temperature."""
    share = math.log(max(temperature, COLDEST) / COLDEST) / math.log(HOTTEST / COLDEST)
    return round(min(1.0, share) * STEPS)


class QueryField(TextField):
    """A field that is marked whole when one goes to it, so that typing replaces what stands there."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() == Qt.FocusReason.MouseFocusReason:
            QTimer.singleShot(0, self.selectAll)  # after the click has placed the cursor


class QuerySide(QFrame):
    """Everything that is said about a query.

    Signals
    -------
    typed(str, str) : a lane and its query, while it is typed.
    entered(str) : a query was finished.
    changed(str, object) : a choice by its name, and its value.
    stretched(int, float) : an item and its scale.
    hovered(int) : the item under the pointer.
    chosen(int) : the item that was clicked.
    """

    typed = Signal(str, str)
    entered = Signal(str)
    changed = Signal(str, object)
    stretched = Signal(int, float)
    hovered = Signal(int)
    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("side")
        self.item = -1
        self._past = QStringListModel(self)
        self.fields = {
            FIRST: self._field(FIRST, tr("Ask for something, such as dog")),
            SECOND: self._field(SECOND, tr("Compare with a second query")),
        }
        self.marks = {FIRST: label("A", "value"), SECOND: label("B", "value")}
        self.front = Segments(FRONTS, partial(self.changed.emit, "front"), tr("Query in front"))
        self.samples = button(tr("Try"), tr("Queries to try"), glyph="samples")
        self.score = Segments(SCORES, partial(self.changed.emit, "score"), tr("Score"))
        self.weights = Segments(
            choices("query", of("query")), lambda key: self.changed.emit("hard", MODES[key].draws), tr("Weights")
        )
        self.order = Segments(ORDERS, lambda key: self.changed.emit("sort", key == "best"), tr("Order"))
        self.keys = named(QComboBox(), tr("Keys"), tr("How words and lines become vectors"))
        for key, name in (*KEY_NAMES.items(), ("all", later("All four, side by side"))):
            self.keys.addItem(tr(name), key)
        self.keys.activated.connect(lambda _: self.changed.emit("keys", self.keys.currentData()))
        self.heat = named(
            QSlider(Qt.Orientation.Horizontal),
            tr("Temperature"),
            tr("Small: the best gets all; large: all get the same"),
        )
        self.heat.setRange(0, STEPS)
        self.heat.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.heat.valueChanged.connect(lambda step: self.changed.emit("temperature", temperature_at(step)))
        self.heat_value, self.heat_reset = (
            label("", "value"),
            button(
                tr("Default"),
                tr("The temperature that suits these items"),
                lambda: self.changed.emit("temperature", None),
            ),
        )
        self.unscale = button(
            tr("All scales back to 1"),
            tr("Undo all stretching"),
            lambda: self.changed.emit("scales", None),
            glyph="undo",
        )
        self.there, self.notes = label("", "value", wrap=True), label("", "badge", wrap=True)
        self.legend = [label("", "value") for _ in range(4)]
        self.items, self._large = ItemList(), False
        self.asked, self.bars = label("", "hall", wrap=True), Bars(tr("The items with the most weight"), "", share=0.6)
        self.bars.set_large(True)
        self.steps = [label("", "value", wrap=True) for _ in range(3)]
        self.of, self.z = label("", "muted", wrap=True), label("", "muted", wrap=True)
        self.items.hovered.connect(self.hovered)
        self.items.chosen.connect(self.chosen)
        self.items.stretched.connect(self.stretched)
        self._lay_out()

    def _field(self, lane: str, hint: str) -> TextField:
        made = named(QueryField(), tr("Query") if lane == FIRST else tr("Second query"), hint)
        made.setPlaceholderText(hint)
        made.setClearButtonEnabled(True)
        for clear in made.findChildren(QToolButton):
            named(clear, tr("Clear"), tr("Empty the field"))
        made.setMaxLength(500)
        completer = QCompleter(self._past, made)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        made.setCompleter(completer)
        made.textChanged.connect(partial(self.typed.emit, lane))
        made.editingFinished.connect(lambda: self.entered.emit(made.text()))
        return made

    def _lay_out(self) -> None:
        def line(*parts: QWidget | int) -> QWidget:
            box = QWidget()
            box.setLayout(row(*parts))
            return box

        self.series = line(*self.legend, 1, self.front)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(16, 14, 10, 12)
        rows.setSpacing(8)
        parts: tuple[QWidget, ...] = (
            line(self.marks[FIRST], self.fields[FIRST], self.samples),
            line(self.marks[SECOND], self.fields[SECOND]),
            line(self.score, 1, self.keys),
            line(self.weights, 1, self.order),
            line(label(tr("Temperature"), "muted"), self.heat, self.heat_value, self.heat_reset),
            self.asked, self.there, self.notes, self.series, self.items,
            self.unscale, self.of, *self.steps, self.z, self.bars,
        )  # fmt: skip
        for part in parts:
            rows.addWidget(part, 1 if part is self.items else 0)
        rows.addStretch(0)
        self._desk = (*parts[:5], self.items, self.of)
        self.set_large(False)

    def set_large(self, on: bool) -> None:
        """For a room: the query, whether it is there, and the five items with the most weight, in large letters."""
        self._large = on
        for part in self._desk:
            part.setVisible(not on)
        for shown in (self.asked, self.bars):
            shown.setVisible(on)
        self.there.setProperty("role", "hall" if on else "value")
        refresh(self.there)
        self._clear_hall()

    def _clear_hall(self) -> None:
        """Hide what a room can't read."""
        for part in (self.notes, self.series, self.unscale, *self.steps, self.z):
            if self._large:
                part.hide()

    def fit(self, kind: str, room: int) -> None:
        """Take the width that suits a kind of items, but no more than half of the room."""
        self.setFixedWidth(max(LEAST, min(scaled(LARGE if self._large else WIDTHS[kind]), room // 2)))

    def show_kind(self, kind: str) -> None:
        """Offer what suits a kind of items."""
        self.keys.setVisible(kind != REGIONS)
        menu = QMenu(self)
        for text in SAMPLES[kind]:
            menu.addAction(text).triggered.connect(without_state(partial(self.fields[FIRST].setText, text)))
        if (old := self.samples.menu()) is not None:
            old.deleteLater()
        self.samples.setMenu(menu)

    def show_texts(self, state: QueryState) -> None:
        """Put the queries of the state into the fields, without asking."""
        for lane, field in self.fields.items():
            field.blockSignals(True)
            field.setText(state.texts[lane])
            field.blockSignals(False)

    def show_state(self, state: QueryState) -> None:
        """Mark the choices of the state."""
        self.score.show_choice(state.score)
        self.weights.show_choice(next(key for key in of("query") if MODES[key].draws == state.hard))
        self.order.show_choice("best" if state.sort else "source")
        self.front.show_choice(state.shown)
        self.keys.setCurrentIndex(max(0, self.keys.findData(state.keys.get(state.kind))))
        self.unscale.setVisible(not self._large and any(scale != 1 for scale in state.scales.values()))
        self.heat.setEnabled(not state.hard)
        self.heat_reset.setEnabled(state.temperature is not None)
        if self._past.stringList() != list(state.history):
            self._past.setStringList(list(state.history))

    def show_answers(self, state: QueryState) -> None:
        """Show the items, what is there, and the formula; or why there is no answer yet."""
        trace, rows = state.trace, state.rows()
        self.items.show_rows(rows, state.hidden, hint(state))
        best = sorted(rows, key=lambda row: -row.weight)
        self.bars.show_bars([Bar(brief(row.label, 30), row.weight, n == 0) for n, row in enumerate(best)])
        self.asked.setText(tr("“{query}”", query=state.texts[state.shown]) if state.texts[state.shown] else "")
        self.there.setText(of_each(state, {lane: presence(one) for lane, one in state.answered.items()}))
        self.notes.setText(of_each(state, {lane: " ".join(one.notes) for lane, one in state.answered.items()}))
        self.front.setVisible(len(state.answered) > 1)
        self.series.setVisible(len(state.series) > 1)
        self.front.show_choice(state.shown)
        self.z.setText(answer(trace) if trace is not None else "")
        names = list(state.series) if len(state.series) > 1 else []
        for index, part in enumerate(self.legend):
            part.setText(f"■ {brief(names[index], 22)}" if index < len(names) else "")
        for part in (self.there, self.notes, self.z, *self.legend):
            part.setVisible(bool(part.text()))
        if trace is not None:
            self._show_heat(trace.temperature)
        self.show_formula(state)
        self._clear_hall()

    def _show_heat(self, temperature: float) -> None:
        self.heat_value.setText(f"{temperature:.2g}")
        if not self.heat.isSliderDown():
            self.heat.blockSignals(True)
            self.heat.setValue(step_of(temperature))
            self.heat.blockSignals(False)

    def show_formula(self, state: QueryState) -> None:
        """The formula with the numbers of the item under the pointer, or else of the first."""
        chosen = state.row(self.item) or next(iter(state.rows()), None)
        lines = formula(state.trace, chosen) if state.trace is not None and chosen is not None else ("", "", "")
        for part, text in zip(self.steps, lines, strict=True):
            part.setText(text)
            part.setVisible(bool(text))
        self.of.setText(tr("For “{item}”:", item=brief(chosen.label)) if chosen is not None else "")

    def set_tokens(self, tokens: Tokens) -> None:
        self.items.set_tokens(tokens)
        self.bars.set_tokens(tokens)
        for marks in (self.marks.values(), self.legend):
            for mark, colour in zip(marks, series_colours(tokens), strict=False):
                mark.setStyleSheet(f"color: {colour}")
