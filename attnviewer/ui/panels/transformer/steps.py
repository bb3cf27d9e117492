"""Step by step: the matrices of one head, from the tokens' vectors to the weighted sum, linked row by row."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QSizePolicy, QWidget

from attnviewer.core.i18n import tr
from attnviewer.core.trace import Floats
from attnviewer.core.transformer.stages import TOKENS, Matrix, Stage
from attnviewer.ui.controls import button, column, label, named, row
from attnviewer.ui.panels.transformer.heat import HeatMap, Shown
from attnviewer.ui.panels.transformer.state import TransformerState
from attnviewer.ui.theme import Tokens

BEAT = 3200  # milliseconds a step
COLUMNS = 3


class StepsView(QWidget):
    """A list of steps at the left, the matrices of the chosen one, and the arithmetic of one cell below.

    Signals
    -------
    chosen(int) : a step.
    pointed(int) : the token whose row is to be lit.
    """

    chosen = Signal(int)
    pointed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._state: TransformerState | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(BEAT)
        self._timer.timeout.connect(lambda: self.turn(1))
        self.title, self.text = label("", "value"), label("", wrap=True)
        self.formula, self.sum = label("", "title"), label("", wrap=True)
        self.sum.setMinimumHeight(40)
        self._list, self._area, self._grid = QFrame(), QFrame(), QGridLayout()
        self._list.setObjectName("side")
        self._area.setObjectName("stage")
        self._area.setLayout(self._grid)
        self.maps: list[HeatMap] = []
        self._titles: list[QLabel] = []
        self._every: list[tuple[QLabel, HeatMap]] = []
        self._tokens: Tokens | None = None
        self._steps: list[QPushButton] = []
        self.play = button("", tr("Play the steps"), self.toggle, glyph="play", look="bare")
        self.sort = button(tr("Sort numbers"), tr("Put the numbers in the order of the lit token's row"), self._show)
        self.sort.setCheckable(True)
        self._lay_out()

    def _lay_out(self) -> None:
        self.play.setText(tr("Play"))
        self._rail = column(1, self.play, spacing=2, margins=(8, 8, 8, 8))
        self._list.setLayout(self._rail)
        self._list.setMinimumWidth(176)
        self._list.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._grid.setContentsMargins(12, 8, 12, 8)
        self._grid.setSpacing(10)
        top = QFrame()
        top.setLayout(row(self.title, self.formula, 1, self.sort, spacing=14))
        body = QWidget()
        body.setLayout(column(top, self.text, self._area, self.sum, spacing=6, margins=(16, 10, 16, 10)))
        body.layout().setStretch(2, 1)  # type: ignore[union-attr]
        self.setLayout(row(self._list, body, spacing=0))
        self.layout().setStretch(1, 1)  # type: ignore[union-attr]

    def commands(self) -> dict[str, Callable[[], object]]:
        """What the keys do here."""
        return {
            "play": self.toggle,
            "back": lambda: self.turn(-1),
            "on": lambda: self.turn(1),
            "first": lambda: self.chosen.emit(0),
            "last": lambda: self.chosen.emit(len(self._steps) - 1),
        }

    def toggle(self) -> None:
        """Play the steps, or pause."""
        self._timer.stop() if self._timer.isActive() else self._timer.start()
        self.play.setText(tr("Pause") if self._timer.isActive() else tr("Play"))

    def turn(self, by: int) -> None:
        """Go some steps on; behind the last the first comes again."""
        if self._state is not None and self._steps:
            self.chosen.emit((self._state.step + by) % len(self._steps))

    def hideEvent(self, event: object) -> None:
        if self._timer.isActive():
            self.toggle()
        super().hideEvent(event)  # type: ignore[arg-type]

    def show_state(self, state: TransformerState) -> None:
        """Show the step that is chosen, for the head in sight."""
        self._state = state
        self._fill_list(state.stages)
        self._show()

    def _fill_list(self, stages: tuple[Stage, ...]) -> None:
        while len(self._steps) < len(stages):
            number = len(self._steps)
            made = button("", "", self._choose(number), look="segment")
            made.setCheckable(True)
            made.setStyleSheet("text-align: left;")
            self._steps.append(made)
            self._rail.insertWidget(number, made)
        for number, (made, stage) in enumerate(zip(self._steps, stages, strict=False)):
            named(made, f"{number + 1}. {stage.title}", stage.formula)
            made.setText(f"{number + 1}  {stage.title}")
            made.setChecked(self._state is not None and number == self._state.step)

    def _choose(self, number: int) -> Callable[[], None]:
        return lambda: self.chosen.emit(number)

    def _show(self) -> None:
        state = self._state
        if state is None or not state.stages:
            saved = tr("A saved trace holds maps, not what made them. Type a text to build them up.")
            if state is not None and (why := state.maps_alone(saved)):
                self.title.setText(tr("Maps alone"))
                self.text.setText(why)
                self._make_maps(0)
            return
        stage = state.stages[min(state.step, len(state.stages) - 1)]
        self.title.setText(f"{state.step + 1}. {stage.title}")
        self.formula.setText(stage.formula)
        self.text.setText(stage.text)
        self._make_maps(len(stage.matrices))
        for heat, title, matrix in zip(self.maps, self._titles, stage.matrices, strict=True):
            title.setText(f"{matrix.sign}  {matrix.name}  {matrix.values.shape[0]} × {matrix.values.shape[1]}".strip())
            heat.show_matrix(self._shown(matrix, state, first=matrix is stage.matrices[0]))
            heat.setAccessibleName(f"{matrix.name}: {stage.title}")
        self.sort.setVisible(any(matrix.columns != TOKENS for matrix in stage.matrices))
        self.light(state.token)

    def _shown(self, matrix: Matrix, state: TransformerState, first: bool) -> Shown:
        tokens = state.tokens
        rows = tokens if matrix.rows == TOKENS and (first or not self._level) else ()
        columns = tokens if matrix.columns == TOKENS else ()
        any_names = any(one.columns == TOKENS for one in state.stages[state.step].matrices)
        return Shown(
            self._sorted(matrix, state), rows, columns, matrix.signed, square=False, above=any_names and self._level
        )

    @property
    def _level(self) -> bool:
        """Whether all matrices stand in one line, so that their rows are to be level."""
        return len(self.maps) <= COLUMNS

    def _sorted(self, matrix: Matrix, state: TransformerState) -> Floats:
        if not self.sort.isChecked() or matrix.columns == TOKENS or matrix.rows != TOKENS:
            return matrix.values
        return matrix.values[:, (-matrix.values[state.token]).argsort(kind="stable")]

    def _make_maps(self, count: int) -> None:
        """Show `count` heat maps in lines of three; those that aren't needed wait hidden."""
        while len(self._every) < count:
            self._every.append(self._new_map(len(self._every)))
        self.maps = [heat for _, heat in self._every[:count]]
        self._titles = [title for title, _ in self._every[:count]]
        for number, pair in enumerate(self._every):
            for part in pair:
                part.setVisible(number < count)
        for line in range(2):
            self._grid.setRowStretch(2 * line + 1, 1 if line < -(-count // COLUMNS) else 0)
        for place in range(COLUMNS):
            self._grid.setColumnStretch(place, 1 if place < count else 0)

    def _new_map(self, number: int) -> tuple[QLabel, HeatMap]:
        title, heat = label("", "title"), HeatMap("")
        heat.hovered.connect(self._hover(number))
        heat.clicked.connect(self._press(number))
        if self._tokens is not None:
            heat.set_tokens(self._tokens)
        line, place = divmod(number, COLUMNS)
        self._grid.addWidget(title, 2 * line, place)
        self._grid.addWidget(heat, 2 * line + 1, place)
        return title, heat

    def _hover(self, number: int) -> Callable[[int, int], None]:
        return lambda at, place: self._tell(number, at, place)

    def _press(self, number: int) -> Callable[[int, int], None]:
        def press(at: int, place: int) -> None:
            if self._matrix(number).rows == TOKENS:
                self.pointed.emit(at)

        return press

    def _matrix(self, number: int) -> Matrix:
        assert self._state is not None
        return self._state.stages[self._state.step].matrices[number]

    def _tell(self, number: int, at: int, place: int) -> None:
        state = self._state
        if state is None or at < 0:
            self.light(state.token if state is not None else -1)
            return
        matrix, last = self._matrix(number), number == len(self.maps) - 1
        for heat, other in zip(self.maps, state.stages[state.step].matrices, strict=True):
            lit = at if other.rows == TOKENS and matrix.rows == TOKENS else -1
            heat.mark(lit, place if other.columns == matrix.columns and other.values.shape[1] > place else -1)
        if last and not (self.sort.isChecked() and matrix.columns != TOKENS):
            self.sum.setText(state.stages[state.step].sum_of(at, place))

    def light(self, token: int) -> None:
        """Light a token's row in every matrix, and write out a telling cell of it."""
        state = self._state
        if state is None or not state.stages or token < 0:
            return
        stage = state.stages[state.step]
        for heat, matrix in zip(self.maps, stage.matrices, strict=True):
            heat.mark(token if matrix.rows == TOKENS else -1)
        best = int(stage.matrices[-1].values[token].argmax())
        self.sum.setText(stage.sum_of(token, best))

    def set_tokens(self, tokens: Tokens) -> None:
        """Paint in the colours of the theme."""
        self._tokens = tokens
        for _, heat in self._every:
            heat.set_tokens(tokens)
