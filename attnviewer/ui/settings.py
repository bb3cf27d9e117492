"""What the window remembers between runs; an unreadable value falls back to its default."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSettings

from attnviewer.ui.player import SPEEDS
from attnviewer.ui.theme import THEMES

TABLES = ("inferno", "viridis", "cividis")


@dataclass(frozen=True)
class Field:
    """A remembered value: what it is at first, and how it is read back (raising ValueError when it is no good)."""

    default: Any
    read: Callable[[Any], Any]


def _one_of(*choices: Any) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        typed = type(choices[0])(value)
        if typed not in choices:
            raise ValueError(value)
        return typed

    return read


def _between(low: float, high: float) -> Callable[[Any], float]:
    def read(value: Any) -> float:
        number = float(value)
        if not low <= number <= high:
            raise ValueError(value)
        return number

    return read


def _texts(value: Any) -> tuple[str, ...]:
    """Texts; the store gives back a single one as itself."""
    return (value,) if isinstance(value, str) else tuple(map(str, value))


def _storable(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _yes(value: Any) -> bool:
    return str(value).lower() in ("true", "1")


FIELDS = {
    "source": Field("", str),
    "panel": Field("image", str),
    "theme": Field("system", _one_of(*THEMES)),
    "attention": Field("soft", str),
    "model": Field("", str),
    "table": Field("inferno", _one_of(*TABLES)),
    "smooth": Field(True, _yes),
    "per_word": Field(False, _yes),
    "under": Field(True, _yes),
    "pick": Field("sample", _one_of("sample", "argmax")),
    "opacity": Field(0.85, _between(0.0, 1.0)),
    "speed": Field(1.0, _one_of(*SPEEDS)),
    "loop": Field(True, _yes),
    "folder": Field("", str),
    "export": Field(".png", _one_of(".png", ".svg", ".pdf", ".gif", ".json", ".npz", ".csv")),
    "ask": Field("regions", _one_of("regions", "words", "lines")),
    "asked": Field((), _texts),
    "translate": Field("soft", str),
    "translated": Field((), _texts),
}


class Settings:
    """The remembered values, by name: `settings["opacity"]`; kept in `path`, or where the system keeps settings."""

    def __init__(self, path: Path | None = None) -> None:
        form = QSettings.Format.IniFormat
        if path is not None:
            self._store = QSettings(str(path), form)
        else:
            self._store = QSettings(form, QSettings.Scope.UserScope, "attnviewer", "attnviewer")

    @property
    def folder(self) -> Path:
        """Where the settings file lies; a pasted picture is kept beside it."""
        return Path(self._store.fileName()).parent

    def __getitem__(self, name: str) -> Any:
        field = FIELDS[name]
        value = self._store.value(name)
        try:
            return field.default if value is None else field.read(value)
        except (ValueError, TypeError):
            return field.default

    def __setitem__(self, name: str, value: Any) -> None:
        self._store.setValue(name, _storable(FIELDS[name].read(value)))

    @property
    def geometry(self) -> QByteArray | None:
        value = self._store.value("geometry")
        return value if isinstance(value, QByteArray) else None

    @geometry.setter
    def geometry(self, value: QByteArray) -> None:
        self._store.setValue("geometry", value)

    def sync(self) -> None:
        """Write to disk now."""
        self._store.sync()
