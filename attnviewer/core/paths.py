"""Where the files that ship with the program lie: inside the installed package, or at the top of a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def models_dir() -> Path:
    """The folder with one folder per trained model."""
    return _shipped("models")


def resources_dir() -> Path:
    """The folder with icons, samples and texts."""
    return _shipped("resources")


def _shipped(name: str) -> Path:
    inside = _PACKAGE / "_data" / name
    return inside if inside.is_dir() else _PACKAGE.parent / name
