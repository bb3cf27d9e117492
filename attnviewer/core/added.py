"""Models of other people that `attnviewer models add` fetched: which there are, and where they lie."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from attnviewer.core.paths import Shelf, shelf
from attnviewer.core.writing import write_text

RECORD = "added.json"  # written last: a folder without it is not whole
CAPTIONING = ("blip", "vision-encoder-decoder")  # kinds that write captions of photos
STEPPED = ("bert", "roberta", "distilbert", "electra", "gpt2")  # kinds whose vectors, queries and keys are known
SEEING = ("vit", "deit", *CAPTIONING)  # kinds that read photos
CONFIG, LARGEST = "config.json", 1_000_000
NAME = re.compile(r"(?:[A-Za-z0-9][\w.-]*/)?[A-Za-z0-9][\w.-]*", re.ASCII)


@dataclass(frozen=True)
class Added:
    """A model that was fetched.

    Parameters
    ----------
    name : as the hub calls it, "owner/name".
    kind : what its config says it is.
    size : bytes of all its files.
    revision : which state of it was fetched.
    """

    name: str
    kind: str
    licence: str
    size: int
    revision: str

    def save(self, folder: Path) -> None:
        """Say that the model in a folder is whole."""
        write_text(folder / RECORD, json.dumps(asdict(self), indent=1) + "\n")


def is_name(name: str) -> bool:
    """Whether a text can be the name of a model of a hub."""
    return NAME.fullmatch(name) is not None and ".." not in name and "--" not in name


def folder_name(name: str) -> str:
    """What the folder of a model is called."""
    return name.replace("/", "--")


def added_models(where: Shelf | None = None) -> dict[Path, Added]:
    """The models that were fetched, by their folders; of one name the first that is found."""
    found: dict[str, tuple[Path, Added]] = {}
    for folder in (where or shelf()).folders:
        for record in sorted(folder.glob(f"*/{RECORD}")):
            one = _read(record)
            if one is not None:
                found.setdefault(one.name, (record.parent, one))
    return dict(found.values())


def added_folder(name: str) -> Path | None:
    """Where a model that was fetched lies, by its name; None where it isn't here."""
    return next((folder for folder, one in added_models().items() if one.name == name), None)


def model_at(path: Path) -> Path | None:
    """The folder of the Hugging Face model at a path, which is the folder or its config.json; None where none is."""
    folder = path.parent if path.name == CONFIG else path
    return folder if kind_in(folder) else None


def kind_of(model: str) -> str:
    """The kind of a model by its folder, or by the name that it was added under; "" for ids of ours."""
    return (kind_in(Path(model)) or kind_in(added_folder(model) or Path(model))) if model else ""


def kind_in(folder: Path) -> str:
    """The kind of the Hugging Face model in a folder; "" where there is none."""
    try:
        config = folder / CONFIG
        told = json.loads(config.read_text("utf-8")) if config.stat().st_size <= LARGEST else {}
        return str(told.get("model_type", "")) if isinstance(told, dict) else ""
    except (OSError, ValueError, RecursionError):
        return ""


def _read(record: Path) -> Added | None:
    try:
        plain = json.loads(record.read_text("utf-8"))
        return Added(
            str(plain["name"]), str(plain["kind"]), str(plain["licence"]), int(plain["size"]), str(plain["revision"])
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None  # a damaged record costs its own model
