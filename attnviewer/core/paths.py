"""Where models and the files that ship lie: folders of one's own come before what is installed with the program."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr

_PACKAGE = Path(__file__).resolve().parent.parent
VARIABLE = "ATTNVIEWER_MODELS"
CARD = "card.toml"
_first: list[Path] = []


@dataclass(frozen=True)
class Shelf:
    """Folders of models, searched in order: the first that holds an id wins."""

    folders: tuple[Path, ...]

    def __truediv__(self, name: str) -> Path:
        """The folder of the model with this id; where there is none, the place it would have in the last folder."""
        return next((place for place in self.places(name)), self.folders[-1] / name)

    def __str__(self) -> str:
        return ", ".join(map(str, self.folders))

    def places(self, name: str) -> list[Path]:
        """All folders of models with this id, the one that wins first."""
        return [folder / name for folder in self.folders if (folder / name / CARD).exists()]


def shelf(own: str | Path | None = None) -> Shelf:
    """Where to look for models: `own`, what --models named, ATTNVIEWER_MODELS, the user's folder, and what ships.

    Raises `UserError` where a folder that was named isn't there.
    """
    named = [_checked(folder, "--models") for folder in ([own] if own is not None else _first)]
    variable = [_checked(folder, VARIABLE) for folder in filter(None, os.environ.get(VARIABLE, "").split(os.pathsep))]
    return Shelf(tuple(dict.fromkeys([*named, *variable, user_models_dir(), models_dir()])))


@contextmanager
def looking_first(own: str | Path | None) -> Iterator[None]:
    """Inside the block models are looked for in `own` before anywhere else, on every thread."""
    if own is None:
        yield
        return
    _first.insert(0, _checked(own, "--models"))
    try:
        yield
    finally:
        _first.pop(0)


def models_dir() -> Path:
    """The folder with one folder per trained model that ships."""
    return _shipped("models")


def user_models_dir() -> Path:
    """The folder of the user's own models, which needn't be there."""
    import platformdirs

    return Path(platformdirs.user_data_path("attnviewer", appauthor=False)) / "models"


def user_log_dir() -> Path:
    """The folder for what the program writes down of itself, which needn't be there."""
    import platformdirs

    return Path(platformdirs.user_log_path("attnviewer", appauthor=False))


def resources_dir() -> Path:
    """The folder with icons, samples and texts."""
    return _shipped("resources")


def _checked(folder: str | Path, source: str) -> Path:
    path = Path(folder).expanduser()
    if not path.is_dir():
        raise UserError(
            tr("{source} names {folder}, which is no folder; name the folder of models.", source=source, folder=path)
        )
    if (path / CARD).exists():
        raise UserError(
            tr("{folder} is one model; name the folder around it: {parent}.", folder=path, parent=path.resolve().parent)
        )
    return path


def _shipped(name: str) -> Path:
    inside = _PACKAGE / "_data" / name
    return inside if inside.is_dir() else _PACKAGE.parent / name
