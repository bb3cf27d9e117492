"""What a folder of results holds already: a photo is done again only where something that counts has changed."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attnviewer.core.card import sound_cards
from attnviewer.core.paths import shelf
from attnviewer.core.reading import read_text
from attnviewer.core.writing import write_text

NAME = ".attnviewer-done-{rank}.json"
TASKS = ("encode", "caption")


def share() -> tuple[int, int]:
    """(rank, number of processes) as torchrun tells them: (0, 1) without it."""
    return int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))


class Done:
    """The photos of a folder of results that are done, with their captions.

    Parameters
    ----------
    folder : of the results; None: nothing is kept or known.
    how : all that a result depends on beside its photo and the models.
    again : take nothing for done.
    """

    def __init__(self, folder: Path | None, how: Mapping[str, Any], again: bool = False) -> None:
        self._folder = folder
        self._new: dict[str, dict[str, Any] | None] = {}
        self._base = "" if folder is None else _digest({**how, "models": _models()})
        self._known = {} if folder is None or again else _read(folder)

    def text(self, image: Path, target: Path | None) -> str | None:
        """The caption of a photo whose result is there as it would be made now; None where it must be made."""
        known = None if target is None else self._known.get(target.name)
        if known is None or known != self._entry(image, target, str(known.get("text"))):
            return None
        return str(known["text"])

    def note(self, image: Path, target: Path | None, text: str) -> None:
        """Remember that a result was written."""
        if self._folder is not None and target is not None:
            self._new[target.name] = self._entry(image, target, text)

    def save(self) -> None:
        """Write down what is new, each process in a file of its own."""
        if self._folder is None or not self._new:
            return
        place = self._folder / NAME.format(rank=share()[0])
        write_text(place, json.dumps({**_load(place), **self._new}))

    def _entry(self, image: Path, target: Path | None, text: str) -> dict[str, Any] | None:
        """What is known of a result; None where one of the files isn't there."""
        try:
            photo, result = image.stat(), os.stat(target or "")
        except OSError:
            return None
        key = _digest({"how": self._base, "photo": str(image.absolute()), "at": photo.st_mtime_ns, "of": photo.st_size})
        return {"key": key, "size": result.st_size, "text": text}


def _models() -> list[tuple[str, str | None]]:
    """The hashes of all models that have a say in captions."""
    return [(card.id, card.sha256) for card in sound_cards(shelf())[0] if card.task in TASKS]


def _digest(parts: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode("utf-8", "replace")).hexdigest()


def _read(folder: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(folder.glob(NAME.format(rank="*"))):
        found |= _load(path)
    return found


def _load(path: Path) -> dict[str, dict[str, Any]]:
    """What a file of results that are done holds; nothing where it is damaged."""
    try:
        found = json.loads(read_text(path))
    except (OSError, ValueError, RecursionError):
        return {}
    whole = isinstance(found, dict) and all(isinstance(one, dict) for one in found.values())
    return found if whole else {}
