"""The keys: shortcuts of the window and the sheet of keys, both made from one table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QFrame,
    QGridLayout,
    QSlider,
    QWidget,
)

from attnviewer.core.i18n import tr
from attnviewer.ui.controls import label
from attnviewer.ui.shortcuts import Key

OWN_KEYS = {
    QAbstractButton: (Qt.Key.Key_Space,),
    QComboBox: (Qt.Key.Key_Space, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown),
    QSlider: (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End),
    QAbstractItemView: (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Space),
}


Actions = dict[str, Callable[[], object]]


def _by_sequence(table: Sequence[Key]) -> dict[str, list[str]]:
    """The actions of each key; panels may use one key for different actions."""
    names: dict[str, list[str]] = defaultdict(list)
    for key in table:
        for sequence in key.keys:
            names[sequence].append(key.action)
    return names


class Keys(QObject):
    """Shortcuts of a window; a control that has the focus keeps the keys that it needs itself."""

    def __init__(self, window: QWidget, table: Sequence[Key], actions: Callable[[], Actions]) -> None:
        super().__init__(window)
        self._actions = actions
        for sequence, names in _by_sequence(table).items():
            shortcut = QShortcut(QKeySequence(sequence), window)
            shortcut.activated.connect(lambda names=names: self.call(*names))
        QApplication.instance().focusChanged.connect(self._watch)  # type: ignore[union-attr]

    @Slot(QWidget, QWidget)
    def _watch(self, left: QWidget | None, entered: QWidget | None) -> None:
        """Only the control with the focus is asked for its keys; controls come and go."""
        for widget, watch in ((left, QObject.removeEventFilter), (entered, QObject.installEventFilter)):
            if widget is not None:
                watch(widget, self)

    def call(self, *names: str) -> None:
        """Do what a key stands for: the first of these actions that the panel in sight knows."""
        actions = self._actions()
        action = next((actions[name] for name in names if name in actions), None)
        if action is not None:
            action()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and not event.modifiers():
            kept = next((keys for kind, keys in OWN_KEYS.items() if isinstance(watched, kind)), ())
            if event.key() in kept:
                event.accept()
                return True
        return False


class KeySheet(QFrame):
    """The keys as a sheet over the window."""

    def __init__(self, parent: QWidget, table: Sequence[Key], has: Callable[[], Actions]) -> None:
        super().__init__(parent)
        self._table, self._has, self._over = table, has, parent
        self.setObjectName("sheet")
        self.setAccessibleName(tr("Keys"))
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(28, 24, 28, 24)
        self._grid.setHorizontalSpacing(14)
        self._grid.setVerticalSpacing(8)
        self.hide()

    def toggle(self) -> None:
        """Show the keys that do something now, or hide them."""
        if self.isVisible():
            return self.hide()
        self._fill([key for key in self._table if key.action in self._has()])
        self.adjustSize()
        self.place()
        self.show()
        return self.raise_()

    def leave(self) -> bool:
        """Hide it; False where it was hidden."""
        was = self.isVisible()
        self.hide()
        return was

    def place(self) -> None:
        """Stand in the middle of the window."""
        self.move(self._over.rect().center() - self.rect().center())

    def _fill(self, keys: list[Key]) -> None:
        while item := self._grid.takeAt(0):
            if (old := item.widget()) is not None:
                old.deleteLater()
        half = -(-len(keys) // 2)
        for index, key in enumerate(keys):
            side, line = divmod(index, half)
            cap = label(tr(" or ").join(key.keys), "key")
            cap.setAlignment(Qt.AlignmentFlag.AlignCenter)
            self._grid.addWidget(cap, line, side * 2)
            self._grid.addWidget(label(tr(key.tells)), line, side * 2 + 1)
