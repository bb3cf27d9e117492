"""What is said of each panel: what ran there last, and the last message. The status line shows the panel in sight."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal


@dataclass(frozen=True)
class Notice:
    """One panel's line: device, model and seconds of its last run; a message, and whether it reports a fault."""

    ran: str = ""
    message: str = ""
    fault: bool = False
    saved: str = ""  # the file that the message speaks of


class Board(QObject):
    """The notices by the keys of the panels.

    Signals
    -------
    changed(str) : the notice of a panel is another one, or another panel is in sight.
    """

    changed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.key = ""  # of the panel in sight
        self._notices: dict[str, Notice] = {}

    @property
    def notice(self) -> Notice:
        """What is said of the panel in sight."""
        return self._notices.get(self.key, Notice())

    def show(self, key: str) -> None:
        """Another panel is in sight."""
        self.key = key
        self.changed.emit(key)

    def say(self, text: str, *, fault: bool = False, key: str = "", saved: str = "") -> None:
        """Put a message under a panel, by default the one in sight; an empty one takes it away."""
        self._set(key or self.key, message=text, fault=fault, saved=saved)

    def succeed(self, ran: str, key: str = "", *, partly: bool = False) -> None:
        """A run ended well: what was said of a fault is over, unless another run beside it failed (`partly`)."""
        key = key or self.key
        fault = self._notices.get(key, Notice()).fault and not partly
        self._set(key, ran=ran)
        if fault:
            self._set(key, message="", fault=False)

    def clear(self) -> None:
        """Something else is in hand: no message holds any more."""
        for key in self._notices:
            self._set(key, message="", fault=False, saved="")

    def _set(self, key: str, **changes: str | bool) -> None:
        self._notices[key] = replace(self._notices.get(key, Notice()), **changes)  # type: ignore[arg-type]
        self.changed.emit(key)
