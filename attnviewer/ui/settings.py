"""What the window remembers between runs; an unreadable value falls back to its default."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSettings

from attnviewer.core.colour import GROUNDS
from attnviewer.core.request import DEVICES
from attnviewer.core.speech import LANGUAGES
from attnviewer.export import FORMS
from attnviewer.ui.fields import Field, between, one_of, texts, yes
from attnviewer.ui.panels import OLD_KEYS, PANELS
from attnviewer.ui.player import SPEEDS
from attnviewer.ui.textsize import SIZES, USUAL
from attnviewer.ui.theme import THEMES

TABLES = ("inferno", "viridis", "cividis")


def _storable(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _panel(value: Any) -> str:
    return OLD_KEYS.get(str(value), str(value))


WINDOW_FIELDS = {
    "source": Field("", str),
    "panel": Field("image", _panel),
    "theme": Field("system", one_of(*THEMES)),
    "language": Field("", one_of("", *LANGUAGES)),
    "text": Field(USUAL, one_of(*SIZES)),
    "table": Field("inferno", one_of(*TABLES)),
    "smooth": Field(True, yes),
    "per_word": Field(False, yes),
    "under": Field(True, yes),
    "ground": Field("grey", one_of(*GROUNDS)),
    "opacity": Field(0.85, between(0.0, 1.0)),
    "speed": Field(1.0, one_of(*SPEEDS)),
    "loop": Field(True, yes),
    "folder": Field("", str),
    "device": Field("auto", one_of(*DEVICES)),
    "recent": Field((), texts),
    "export": Field(".png", one_of(*FORMS)),
}
FIELDS = WINDOW_FIELDS | {name: field for panel in PANELS for name, field in panel.fields.items()}


class Settings:
    """The remembered values, by name: `settings["opacity"]`; kept in `path`, or where the system keeps settings."""

    def __init__(self, path: Path | None = None, fields: Mapping[str, Field] = FIELDS) -> None:
        self.fields = fields
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
        field = self.fields[name]
        value = self._store.value(name)
        if value is None and field.was:
            value = self._store.value(field.was)
        try:
            return field.default if value is None else field.read(value)
        except (ValueError, TypeError):
            return field.default

    def __setitem__(self, name: str, value: Any) -> None:
        self._store.setValue(name, _storable(self.fields[name].read(value)))

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
