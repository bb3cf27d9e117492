"""One line at the first launch: what attention is, in 90 seconds. Dismissed once, it never comes again."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QSizePolicy

from attnviewer.core.i18n import tr
from attnviewer.ui.controls import button, label, row
from attnviewer.ui.settings import Settings


class Offer(QFrame):
    """The line, with a button that starts the short tour and one that dismisses it.

    Signals
    -------
    taken() : the short tour is wanted.
    """

    taken = Signal()

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self.setObjectName("offer")
        self.setAccessibleName(tr("First steps"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.text = label(tr("New here? See in 90 seconds what attention is. You find it again under Learn."), "")
        self.text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.start = button(tr("Show me"), tr("Three stops on a photo and a sentence"), self._take, look="accent")
        self.close_ = button("×", tr("Not now"), self.dismiss, look="bare", name=tr("Not now"))
        line = row(self.text, self.start, self.close_, margins=(16, 4, 12, 4))
        line.setStretch(0, 1)
        self.setLayout(line)

    @property
    def wanted(self) -> bool:
        """Whether it was never answered, where it is known at all."""
        return "offered" in self._settings.fields and not self._settings["offered"]

    def _take(self) -> None:
        self.dismiss()
        self.taken.emit()

    def dismiss(self) -> None:
        """Go, and don't come again."""
        self._settings["offered"] = True
        self.hide()
