"""The words as chips: the current one is filled and bold, a click moves the clock."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from attnviewer.core.i18n import tr
from attnviewer.core.imposing import LOOK, WORD, imposed_on
from attnviewer.core.trace import Step, Trace
from attnviewer.ui.controls import button, named, refresh
from attnviewer.ui.player import Player
from attnviewer.ui.widgets.flow import Flow

HELD = " ◎"  # its gaze was held
PADDING = 28  # what the style sheet adds at both sides; the current word is bold and needs more room


class Chips(QWidget):
    """One chip a word."""

    def __init__(self, player: Player) -> None:
        super().__init__()
        self._player = player
        self._flow = Flow(self)
        self.chips: list[QPushButton] = []
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(tr("Words of the caption"))
        player.word_changed.connect(self._mark)

    def show_trace(self, trace: Trace | None) -> None:
        """Show the words of a trace; chips that stay the same are kept."""
        steps = trace.steps if trace else ()
        while len(self.chips) > len(steps):
            self._drop(self.chips.pop())
        while len(self.chips) < len(steps):
            self._add()
        for index, step in enumerate(steps):
            self._fill(index, step, len(steps), imposed_on(trace, index) if trace else frozenset())
        self._mark(self._player.word)
        self.updateGeometry()

    def _add(self) -> None:
        index = len(self.chips)
        chip = button("", "", lambda: self._player.go(index), look="chip", name="word")
        chip.setCheckable(True)
        chip.clicked.connect(lambda *_: self._mark(self._player.word))
        chip.setCursor(Qt.CursorShape.PointingHandCursor)
        self.chips.append(chip)
        self._flow.addWidget(chip)
        chip.show()

    def _drop(self, chip: QPushButton) -> None:
        self._flow.removeWidget(chip)
        chip.hide()
        chip.deleteLater()

    def _fill(self, index: int, step: Step, count: int, imposed: frozenset[str]) -> None:
        chip, said = self.chips[index], chip_text(step, imposed)
        chip.setText(said.replace("&", "&&"))
        bold = QFont(chip.font())
        bold.setBold(True)
        chip.setMinimumWidth(QFontMetrics(bold).horizontalAdvance(said) + PADDING)
        named(
            chip,
            tr("word {number} of {count}: {word}", number=index + 1, count=count, word=step.word),
            chip_tip(step, imposed),
        )
        if chip.property("forced") != step.forced:
            chip.setProperty("forced", step.forced)
            refresh(chip)

    def _mark(self, word: int) -> None:
        for index, chip in enumerate(self.chips):
            chip.setChecked(index == word)


def chip_text(step: Step, imposed: frozenset[str] = frozenset()) -> str:
    """The word; a question mark where it is unknown, its log-probability where the user gave it, a ring for a gaze."""
    word = f"{step.word} (?)" if step.unknown else step.word
    held = LOOK in imposed and WORD not in imposed
    given = step.forced and not held and math.isfinite(step.logprob)
    return f"{word}{HELD if LOOK in imposed else ''}" + (f"  {step.logprob:.1f}" if given else "")


def chip_tip(step: Step, imposed: frozenset[str] = frozenset()) -> str:
    """What a chip says when it is pointed at."""
    chance = math.exp(min(step.logprob, 0))
    notes = [tr("log-probability {score:.2f} (probability {chance:.1%})", score=step.logprob, chance=chance)]
    held = LOOK in imposed
    notes += [tr("given by you")] if step.forced and (WORD in imposed or not held) else []
    notes += [tr("chosen while it had to look where you said")] if held else []
    notes += [tr("not in the model's vocabulary: the number is that of any unknown word")] if step.unknown else []
    return f"{step.word}: {', '.join(notes)}"
