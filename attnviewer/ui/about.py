"""About the program: its version, the models with their licences, and where they compute."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from textwrap import fill

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from attnviewer.core.card import sound_cards
from attnviewer.core.i18n import later, tr
from attnviewer.core.paths import models_dir
from attnviewer.ui.controls import button, column, label

NOT_YET = later("not chosen yet")


def facts(device: str) -> list[tuple[str, str, str]]:
    """What there is to know: each with its name, and what is told of it when it is pointed at."""
    cards, _ = sound_cards(models_dir())
    rows = [(tr("Version"), _version(), ""), (tr("Computes on"), device or tr(NOT_YET), ""), (tr("Licence"), "MIT", "")]
    return rows + [(card.id, tr(card.licence), "\n".join((tr(card.name), *map(tr, card.notes)))) for card in cards]


def _version() -> str:
    try:
        return version("attnviewer")
    except PackageNotFoundError:
        return tr("not installed")


class AboutSheet(QFrame):
    """A sheet over the window; Esc or its button closes it."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self.setObjectName("sheet")
        self.setAccessibleName(tr("About attnviewer"))
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(24)
        self.close_ = button(tr("Close"), tr("Close this sheet (Esc)"), self.hide)
        says = label(tr("Everything runs on this machine; nothing is fetched or sent."), "muted")
        layout = column(label("attnviewer", "title"), says, spacing=10, margins=(28, 24, 28, 24))
        layout.addLayout(self._grid)
        layout.addWidget(self.close_)
        self.setLayout(layout)
        self.hide()

    def open(self, device: str) -> None:
        """Show the sheet in the middle of the window."""
        while item := self._grid.takeAt(0):
            if (old := item.widget()) is not None:
                old.deleteLater()
        for line, (name, text, tip) in enumerate(facts(device)):
            for place, part in enumerate((label(name, "muted"), label(text))):
                part.setToolTip("\n".join(fill(line, 90) for line in tip.splitlines()))
                self._grid.addWidget(part, line, place)
        self.adjustSize()
        self.move(self._over.rect().center() - self.rect().center())
        self.show()
        self.raise_()
        self.close_.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)
