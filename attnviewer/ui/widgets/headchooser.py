"""Which head's maps are shown, where a net has several."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox

from attnviewer.core.heads import ALL, MAX, MEAN
from attnviewer.core.i18n import tr
from attnviewer.ui.controls import named


class HeadChooser(QComboBox):
    """The mean, the maximum, one head, or all side by side; hidden where there is one head or none.

    Signals
    -------
    chosen(str) : mean, max, all or the name of a head, as the user picked it.
    """

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        named(self, tr("Head"), tr("Which head's attention is shown; several heads look at different places"))
        self._heads: tuple[str, ...] = ()
        self.activated.connect(lambda _: self.chosen.emit(self.currentData()))
        self.hide()

    def show_heads(self, heads: Sequence[str], current: str) -> None:
        """Offer these heads, and mark the one that is shown."""
        if tuple(heads) != self._heads:
            self._heads = tuple(heads)
            self._fill()
        self.setCurrentIndex(max(0, self.findData(current)))
        self.setVisible(len(self._heads) > 1)

    def _fill(self) -> None:
        self.clear()
        ways = {
            MEAN: tr("Mean of {count} heads", count=len(self._heads)),
            MAX: tr("Maximum of {count} heads", count=len(self._heads)),
            ALL: tr("All heads, side by side"),
            **{head: tr("Head {name}", name=head) for head in self._heads},
        }
        for key, text in ways.items():
            self.addItem(text, key)
