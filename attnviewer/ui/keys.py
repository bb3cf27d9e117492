"""The keys: one table, from which the shortcuts and the sheet of keys are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

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

from attnviewer.ui.controls import label


@dataclass(frozen=True)
class Key:
    """An action's name, the keys that call it, and what it does in words."""

    action: str
    keys: tuple[str, ...]
    tells: str


KEYS = (
    Key("play", ("Space",), "Play or pause"),
    Key("back", ("Left",), "Word before"),
    Key("on", ("Right",), "Next word"),
    Key("first", ("Home",), "First word"),
    Key("last", ("End",), "Last word"),
    Key("soft", ("S",), "Soft attention"),
    Key("hard", ("H",), "Hard attention"),
    Key("location", ("L",), "Attention by location"),
    Key("none", ("N",), "No attention"),
    Key("compare", ("C",), "Compare side by side"),
    Key("again", ("R",), "Sample again, with hard attention"),
    Key("draws", ("T",), "Sample 100 times"),
    Key("under", ("D",), "Map below the place taken"),
    Key("shape", ("G",), "Smooth map or cells"),
    Key("stronger", ("+", "="), "Stronger map"),
    Key("fainter", ("-",), "Fainter map"),
    Key("shuffle", ("X",), "Shuffle the source"),
    Key("origin", ("O",), "Looked at, or came from"),
    Key("type", ("Ctrl+L",), "Type a sentence"),
    Key("undo", ("Ctrl+Z",), "Undo your caption"),
    Key("open", ("Ctrl+O",), "Open photos"),
    Key("paste", ("Ctrl+V",), "Paste a photo or a text"),
    Key("export", ("Ctrl+E",), "Export"),
    Key("set_back", ("PgUp",), "Photo before, in a set"),
    Key("set_on", ("PgDown",), "Next photo, in a set"),
    Key("presenter", ("F11",), "Presenter mode"),
    Key("stop", ("Esc",), "Stop, or close this sheet"),
    Key("sheet", ("F1",), "These keys"),
)
OWN_KEYS = {
    QAbstractButton: (Qt.Key.Key_Space,),
    QComboBox: (Qt.Key.Key_Space, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown),
    QSlider: (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End),
    QAbstractItemView: (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Space),
}


class Keys(QObject):
    """Shortcuts of a window; a control that has the focus keeps the keys that it needs itself."""

    def __init__(self, window: QWidget, actions: Callable[[], dict[str, Callable[[], object]]]) -> None:
        super().__init__(window)
        self._actions = actions
        for key in KEYS:
            for sequence in key.keys:
                shortcut = QShortcut(QKeySequence(sequence), window)
                shortcut.activated.connect(lambda name=key.action: self.call(name))
        QApplication.instance().focusChanged.connect(self._watch)  # type: ignore[union-attr]

    @Slot(QWidget, QWidget)
    def _watch(self, left: QWidget | None, entered: QWidget | None) -> None:
        """Only the control with the focus is asked for its keys; controls come and go."""
        for widget, watch in ((left, QObject.removeEventFilter), (entered, QObject.installEventFilter)):
            if widget is not None:
                watch(widget, self)

    def call(self, name: str) -> None:
        """Do what a key stands for, where the panel in sight can."""
        action = self._actions().get(name)
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

    def __init__(self, parent: QWidget, has: Callable[[], dict[str, Callable[[], object]]]) -> None:
        super().__init__(parent)
        self._has, self._over = has, parent
        self.setObjectName("sheet")
        self.setAccessibleName("Keys")
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(28, 24, 28, 24)
        self._grid.setHorizontalSpacing(14)
        self._grid.setVerticalSpacing(8)
        self.hide()

    def toggle(self) -> None:
        """Show the keys that do something now, or hide them."""
        if self.isVisible():
            return self.hide()
        self._fill([key for key in KEYS if key.action in self._has()])
        self.adjustSize()
        self.place()
        self.show()
        return self.raise_()

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
            cap = label(" or ".join(key.keys), "key")
            cap.setAlignment(Qt.AlignmentFlag.AlignCenter)
            self._grid.addWidget(cap, line, side * 2)
            self._grid.addWidget(label(key.tells), line, side * 2 + 1)
