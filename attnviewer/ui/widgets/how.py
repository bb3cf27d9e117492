"""The drawer "How it works": the arithmetic of this word with its real numbers, step by step."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QFrame, QWidget

from attnviewer.core.arithmetic import Stage, lines, stages
from attnviewer.core.i18n import tr
from attnviewer.core.terms import explained
from attnviewer.core.trace import Trace
from attnviewer.ui.controls import button, column, label, refresh, row
from attnviewer.ui.widgets.terms import told

BEAT_MS = 1600
MOST = 5


class Card(QFrame):
    """One step: its name, the formula, the numbers, a sentence."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.setObjectName("card")
        self.number = number
        self.title = label("", "value")
        self.formula, self.numbers = label("", "formula", wrap=True), label("", "", wrap=True)
        self.says = label("", "muted", wrap=True)
        self.setLayout(column(self.title, self.formula, self.numbers, self.says, spacing=3, margins=(10, 8, 10, 8)))

    def show_stage(self, stage: Stage) -> None:
        """Fill in a step."""
        self.title.setText(f"{self.number}  {stage.title}")
        for part, text in ((self.formula, stage.formula), (self.numbers, stage.numbers), (self.says, stage.says)):
            part.setText(text)
        self.setToolTip(told(stage.term))
        self.setAccessibleDescription(explained(stage.term))

    def light(self, on: bool) -> None:
        """Mark the step as the one that is told now."""
        if self.property("lit") != on:
            self.setProperty("lit", on)
            refresh(self)


class How(QWidget):
    """The steps from top to bottom; they can be played, and follow the place that is pointed at."""

    def __init__(self) -> None:
        super().__init__()
        self.cards = [Card(number) for number in range(1, MOST + 1)]
        self.play = button(tr("Play the steps"), tr("Show the steps one after the other"), self.toggle, glyph="play")
        self.hint = label(tr("Point at a place to fill in its numbers."), "muted", wrap=True)
        self.nothing = label(tr("This map was asked once the word was known; nothing was chosen by it."), "muted",
                             wrap=True)  # fmt: skip
        self._shown = 0
        self._timer = QTimer(self)
        self._timer.setInterval(BEAT_MS)
        self._timer.timeout.connect(self._beat)
        parts = (*self.cards, self.nothing, self.hint)
        layout = column(*parts, spacing=6)
        layout.insertLayout(0, row(self.play, 1))
        self.setLayout(layout)
        self.setAccessibleName(tr("How it works"))
        self.show_word(None, -1)

    def show_word(self, trace: Trace | None, word: int, place: int = -1) -> None:
        """Show the arithmetic of a word, followed for a place."""
        found = stages(trace, word, place)
        self._count = len(found)
        for card, stage in zip(self.cards, found, strict=False):
            card.show_stage(stage)
        self.setAccessibleDescription(" ".join(lines(trace, word, place)))
        self.nothing.setVisible(trace is not None and bool(trace.steps) and not found)
        self.play.setVisible(bool(found))
        self._show_cards()

    @property
    def playing(self) -> bool:
        return self._timer.isActive()

    def toggle(self) -> None:
        """Play the steps from the first, or show all of them at once."""
        if self.playing:
            self.stop()
        else:
            self._shown = 1
            self._timer.start()
            self.play.setText(tr("Show all steps"))
            self._show_cards()

    def stop(self) -> None:
        """Show all steps at once."""
        self._timer.stop()
        self._shown = 0
        self.play.setText(tr("Play the steps"))
        self._show_cards()

    def _beat(self) -> None:
        if self._shown >= self._count:
            self.stop()
        else:
            self._shown += 1
            self._show_cards()

    def _show_cards(self) -> None:
        for card in self.cards:
            card.setVisible(card.number <= (self._shown if self.playing else self._count))
            card.light(self.playing and card.number == self._shown)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self.playing:
            self.stop()
