"""What was changed of the translation: the words of before, and the way back, forth, and to what was kept."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QSizePolicy

from attnviewer.core.i18n import tr
from attnviewer.core.trace import Trace
from attnviewer.ui.controls import button, row
from attnviewer.ui.widgets.ghosts import Ghosts

ONE_ROW = 40


class WhatIfBar(QFrame):
    """One row, which is there only while something was changed or kept.

    Signals
    -------
    undone(), redone(), reset(), kept() : the way through what was changed.
    listed() : the variants are to be shown.
    """

    undone = Signal()
    redone = Signal()
    reset = Signal()
    kept = Signal()
    listed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("foot")
        self.setAccessibleName(tr("What if?"))
        self.ghosts = Ghosts()
        self.ghosts.back.connect(self.undone)
        self.ghosts.setMaximumHeight(ONE_ROW)  # of what differs, the beginning
        self.undo = button("", tr("Undo the last change (Ctrl+Z)"), self.undone.emit, glyph="undo", look="bare",
                           name=tr("Undo"))  # fmt: skip
        self.redo = button("", tr("Redo what was undone (Ctrl+Shift+Z)"), self.redone.emit, glyph="redo", look="bare",
                           name=tr("Redo"))  # fmt: skip
        self.keep = button(tr("Keep"), tr("Keep this translation as a variant (K)"), self.kept.emit)
        self.variants = button("", tr("Compare the translations that you kept (V)"), self.listed.emit)
        self.back = button(tr("Reset"), tr("Back to the model's own translation"), self.reset.emit)
        line = row(self.ghosts, 1, self.undo, self.redo, self.keep, self.variants, self.back, spacing=4,
                   margins=(12, 4, 12, 4))  # fmt: skip
        line.setStretch(0, 8)
        self.setLayout(line)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def show_steps(self, *, past: bool, future: bool, changed: bool, kept: int) -> None:
        """Show only what can be done now."""
        self.setVisible(past or future or changed or kept > 0)
        self.undo.setEnabled(past)
        self.redo.setEnabled(future)
        self.keep.setVisible(changed)
        self.back.setVisible(changed)
        self.variants.setVisible(kept > 0)
        self.variants.setText(tr("Variants ({count})", count=kept))

    def show_before(self, trace: Trace | None, earlier: Trace | None) -> None:
        """Show the words of before, where they were others."""
        if trace is not None and earlier is not None:
            earlier = differing(earlier, trace.words)
        self.ghosts.show_traces(trace, earlier)


def differing(earlier: Trace, words: tuple[str, ...]) -> Trace:
    """A text from the word before the first that differs to the one behind the last."""
    old = earlier.words
    first = next((n for n, pair in enumerate(zip(old, words, strict=False)) if pair[0] != pair[1]), len(words))
    ends = zip(reversed(old[first:]), reversed(words[first:]), strict=False)
    same = next((n for n, pair in enumerate(ends) if pair[0] != pair[1]), min(len(old), len(words)) - first)
    return replace(earlier, steps=earlier.steps[max(0, first - 1) : len(old) - max(0, same - 1)])
