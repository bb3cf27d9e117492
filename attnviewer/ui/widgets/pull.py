"""The gesture that takes a figure out of the window."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication


class Pull:
    """Whether the mouse was pulled far enough, with its left button down, to be a drag."""

    def __init__(self) -> None:
        self._start: QPointF | None = None

    def press(self, event: QMouseEvent) -> None:
        """A button went down."""
        self._start = event.position() if event.button() == Qt.MouseButton.LeftButton else None

    def moved(self, event: QMouseEvent) -> bool:
        """Whether this move makes it a drag; said once for each press."""
        if self._start is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return False
        if (event.position() - self._start).manhattanLength() < QApplication.startDragDistance():
            return False
        self._start = None
        return True

    def released(self) -> bool:
        """Whether the button that went down came up again without a drag; said once for each press."""
        was, self._start = self._start is not None, None
        return was
