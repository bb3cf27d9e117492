"""What it said before: the old words as faint chips, those no longer said struck through; a click goes back."""

from __future__ import annotations

from difflib import SequenceMatcher

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from attnviewer.core.i18n import tr
from attnviewer.core.trace import Trace
from attnviewer.ui.controls import button, label
from attnviewer.ui.widgets.flow import Flow


def gone(words: tuple[str, ...], others: tuple[str, ...]) -> list[bool]:
    """Which words don't stand in the others, taken in order."""
    blocks = SequenceMatcher(a=others, b=words, autojunk=False).get_matching_blocks()
    kept = {place for block in blocks for place in range(block.b, block.b + block.size)}
    return [place not in kept for place in range(len(words))]


class Ghosts(QWidget):
    """The words of the caption before; hidden while there is none, or while it is the same.

    Signals
    -------
    back() : the user wants the old words again.
    """

    back = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._flow = Flow(self, spacing=4)
        self.chips: list[QPushButton] = []
        self._flow.addWidget(label(tr("Before"), "muted"))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(tr("What it said before"))
        self.hide()

    def show_traces(self, trace: Trace | None, earlier: Trace | None) -> None:
        """Show the words of `earlier` beside those of the trace."""
        words = earlier.words if earlier is not None else ()
        marks = gone(words, trace.words) if trace is not None else []
        self.setVisible(trace is not None and bool(words) and words != trace.words)
        if self.isHidden():
            return
        while len(self.chips) > len(words):
            chip = self.chips.pop()
            self._flow.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        while len(self.chips) < len(words):
            self._add()
        for chip, word, struck in zip(self.chips, words, marks, strict=True):
            font = chip.font()
            font.setStrikeOut(struck)
            chip.setFont(font)
            chip.setText(word.replace("&", "&&"))
            chip.setAccessibleName(tr("{word}, no longer said", word=word) if struck else word)
        self.setAccessibleDescription(" ".join(words))
        self.updateGeometry()

    def _add(self) -> None:
        chip = button("", tr("Click to go back to these words (Ctrl+Z)"), self.back.emit, look="ghost", name="word")
        chip.setCursor(Qt.CursorShape.PointingHandCursor)
        self.chips.append(chip)
        self._flow.addWidget(chip)
        chip.show()
