"""The lines of a text file, which the translate panel shows one after the other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import ntr
from attnviewer.core.lines import read_rows
from attnviewer.core.sentence import tokenize

if TYPE_CHECKING:
    from attnviewer.ui.panels.translate.panel import TranslatePanel


class Lines:
    """Which line of which file is shown; Page Up and Page Down go on."""

    def __init__(self, panel: TranslatePanel) -> None:
        self._panel = panel
        self._lines: tuple[str, ...] = ()
        self._line = 0

    def take(self, path: Path) -> bool:
        """Take the lines of a file; False where it has none."""
        try:
            lines = tuple(line for line in read_rows(path) if tokenize(line))
        except UserError as error:
            self._panel.say(str(error), fault=True)
            return False
        if lines:
            self._panel.desk.opened.add(path)
            self._lines, self._line = lines, 0
            self.step(0)
        return bool(lines)

    def step(self, by: int) -> None:
        """Translate another line of the file."""
        self._line = (self._line + by) % len(self._lines)
        self._panel.head.pick(self._lines[self._line])
        at, count = self._line + 1, len(self._lines)
        told = ntr("line {at} of {count}", "line {at} of {count}; Page Up and Page Down go on", count, at=at)
        self._panel.say(told)

    def commands(self) -> dict[str, Callable[[], object]]:
        """What the keys do while there are lines."""
        return {"set_back": lambda: self.step(-1), "set_on": lambda: self.step(1)} if self._lines else {}
