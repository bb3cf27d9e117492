"""A slider that says what it stands at, and letters that grow for a hall."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSlider, QWidget

from attnviewer.ui.controls import column, label, named, refresh, row, tipped

GROWN = '* { font-size: 18px; } QLabel[grown="true"] { font-size: 24px; }'  # letters of a stage in presenter mode


def grow(shown: QLabel, on: bool) -> None:
    """Let a sentence be read from the last row of a hall, or as usual."""
    shown.setProperty("grown", "true" if on else "")
    refresh(shown)


class Knob(QWidget):
    """A slider with its name and its value; `at` turns its place into the value, `tell` into words."""

    def __init__(
        self, name: str, tip: str, last: int, on: Callable[[Any], object], at: Callable[[int], Any] = int,
        tell: Callable[[Any], str] = str,
    ) -> None:  # fmt: skip
        super().__init__()
        self._at, self._tell, self._on = at, tell, on
        self.told = label("", "value")
        self.slider = named(QSlider(Qt.Orientation.Horizontal), name, tip)
        self.slider.setRange(0, last)
        self.slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.slider.valueChanged.connect(self._moved)
        top = row(label(name, "title"), 1, self.told)
        rows = column(self.slider, spacing=2)
        rows.insertLayout(0, top)
        self.setLayout(rows)
        tipped(self.told, tip)

    @property
    def value(self) -> Any:
        """What it stands at."""
        return self._at(self.slider.value())

    def put(self, place: int) -> None:
        """Move it without telling."""
        self.slider.blockSignals(True)
        self.slider.setValue(place)
        self.slider.blockSignals(False)
        self.told.setText(self._tell(self.value))

    def limit(self, last: int) -> None:
        """Let it go from 0 to `last`."""
        self.slider.blockSignals(True)
        self.slider.setRange(0, last)
        self.slider.blockSignals(False)
        self.told.setText(self._tell(self.value))

    def _moved(self, _place: int) -> None:
        self.told.setText(self._tell(self.value))
        self._on(self.value)
