"""The menu of the right mouse button, and that of the files that were open before."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu, QWidget

from attnviewer.core.i18n import tr
from attnviewer.ui.controls import without_state

if TYPE_CHECKING:
    from attnviewer.ui.window import Window

MOST_RECENT = 10
Row = tuple[str, Callable[[], object]]


def menu_of(parent: QWidget, rows: Iterable[Row | None]) -> QMenu:
    """A menu with a row for each action; None is a line between them."""
    menu = QMenu(parent)
    for one in rows:
        if one is None:
            menu.addSeparator()
        else:
            menu.addAction(one[0].replace("&", "&&")).triggered.connect(without_state(one[1]))
    return menu


def recent(known: Iterable[str]) -> list[Path]:
    """The files of before that are still there, the newest first."""
    return [path for path in map(Path, known) if path.exists()][:MOST_RECENT]


def remembered(known: tuple[str, ...], path: Path) -> tuple[str, ...]:
    """The files of before with one more at their head."""
    name = str(path.absolute())
    return (name, *(old for old in known if old != name))[:MOST_RECENT]


def shown_rows(copy: Callable[[], object], copy_words: Callable[[], object], export: Callable[[], object]) -> list[Row]:
    """What can be done with what is shown."""
    return [
        (tr("Copy figure and text") + "\tCtrl+C", copy),
        (tr("Copy text"), copy_words),
        (tr("Export") + "…\tCtrl+E", export),
    ]


def recent_rows(paths: Iterable[Path], open_path: Callable[[Path], object]) -> list[Row]:
    """A row for each file of before."""
    return [(f"{path.name}   {path.parent}", partial(open_path, path)) for path in paths]


def window_menu(window: Window) -> QMenu:
    """The menu of a window: copying, exporting, states, and the files of before."""
    words = window.panel.words()
    shown = shown_rows(window.copy, partial(window.copier.copy_text, words), window.export)
    return menu_of(window, (*shown, None, *before_rows(window), None, *window.guide.states.rows()))


def before_rows(window: Window) -> list[Row]:
    """A row for each file that was open before."""
    opened = recent(window.desk.settings["recent"])
    return recent_rows(opened, lambda path: window.show_photo(window.opener.open_paths([path])))


def fill(menu: QMenu, rows: Iterable[Row], empty: str) -> None:
    """Give a menu other rows; without any it says why."""
    menu.clear()
    for text, do in rows:
        menu.addAction(text.replace("&", "&&")).triggered.connect(without_state(do))
    if menu.isEmpty():
        menu.addAction(empty).setEnabled(False)
