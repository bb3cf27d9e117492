"""What the right columns of the panels have in common: their width, a page that scrolls, and the next words."""

from __future__ import annotations

import math
from dataclasses import replace

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from attnviewer.core.i18n import tr
from attnviewer.core.text import UNKNOWN_SHOWN
from attnviewer.core.trace import Step
from attnviewer.ui.controls import row
from attnviewer.ui.textsize import scaled
from attnviewer.ui.widgets.bars import Bar

WIDTH = 320


class Page(QWidget):
    """A column as high as its parts need at the width it has."""

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.heightForWidth(scaled(WIDTH) - 10))

    def heightForWidth(self, width: int) -> int:
        layout = self.layout()
        if layout is None:
            return 0
        return layout.minimumHeightForWidth(width) if layout.hasHeightForWidth() else layout.minimumSize().height()


def pinned(frame: QFrame, page: QWidget, line: QWidget) -> None:
    """A page that scrolls, and below it a line that is always in sight."""
    line.setContentsMargins(16, 6, 12, 8)
    rows = QVBoxLayout(frame)
    rows.setContentsMargins(1, 0, 0, 0)
    rows.setSpacing(0)
    rows.addWidget(scrolled(page), 1)
    rows.addWidget(line)


def scrolled(page: QWidget) -> QScrollArea:
    """A page that scrolls down where it is too high."""
    area = QScrollArea()
    area.setWidget(page)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area


def beside(name: QWidget, tool: QWidget) -> QHBoxLayout:
    """A name at the left, no higher than its letters, and a tool at the right."""
    line = row(name, 1, tool)
    line.setAlignment(name, Qt.AlignmentFlag.AlignVCenter)
    return line


def next_words(step: Step, before: Step | None = None) -> list[Bar]:
    """As `_next_words`; with the chances that they had in a step `before`, of which the most probable are known."""
    bars = _next_words(step)
    if before is None:
        return bars
    were = {before.word: math.exp(before.logprob)} | dict(before.alternatives)
    least = min(dict(before.alternatives).values(), default=0.0)
    return [replace(bar, before=were.get(bar.label, least), below=bar.label not in were) for bar in bars]


def _next_words(step: Step) -> list[Bar]:
    """The most probable words, and the word that was taken even if it isn't among them.

    A word that was looked up or copied has the bar of the unknown word, in whose place it stands: that bar alone is
    chosen, though another may bear the same word. The chance of a given word that the model doesn't know is that of any
    such word, and so it is called.
    """
    own = tr("any unknown word") if step.unknown and step.forced else step.word
    taken = UNKNOWN_SHOWN if step.unknown else step.word
    bars = [Bar(own if step.unknown and text == UNKNOWN_SHOWN else text, chance, text == taken)
            for text, chance in step.alternatives]  # fmt: skip
    return bars if any(bar.chosen for bar in bars) else [*bars[:7], Bar(own, math.exp(step.logprob), True)]
