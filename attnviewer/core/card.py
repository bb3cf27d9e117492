"""The model card: what a trained model is, what it learnt from, how good it was measured to be. Read from card.toml."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from attnviewer.core import modes
from attnviewer.core.errors import UserError, reason
from attnviewer.core.habits import Habit, habits_of
from attnviewer.core.i18n import tr
from attnviewer.core.paths import CARD, Shelf
from attnviewer.core.reading import read_text
from attnviewer.core.writing import write_text

LARGEST = 1_000_000  # bytes of a card
SMALLEST, LARGEST_SIDE = 16, 1024  # pixels along the side of what an encoder reads
DEFAULT_KINDS = {  # what a model of a task is where its card doesn't say
    "encode": "encoder", "caption": "captioner", "translate": "translator", "query": "word-vectors",
    "grounding": "grounder", "embed": "embeddings",
}  # fmt: skip
TASKS = tuple(DEFAULT_KINDS)
_LETTERS = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


@dataclass(frozen=True)
class Preprocessing:
    """How pixels in 0..1 become the input: the whole picture squashed to `size` x `size`, then (x - mean) / std."""

    size: int = 224
    mean: tuple[float, float, float] = (0.5, 0.5, 0.5)
    std: tuple[float, float, float] = (0.5, 0.5, 0.5)


@dataclass(frozen=True)
class Data:
    """What the model learnt from, and on which terms."""

    name: str
    terms: str


@dataclass(frozen=True)
class Training:
    """The command that trained the model, its seed and the hours it took."""

    command: str
    seed: int
    hours: float


@dataclass(frozen=True)
class ModelCard:
    """All that is known of a model.

    Parameters
    ----------
    id : the name of its folder.
    kind : which net it is, of the rows in `zoo/kinds.py`; by default the usual one of its task.
    architecture : names and sizes, enough to build the net.
    licence : the terms of the weights themselves.
    figures : measured quality by name, such as `bleu4`.
    parameters : how many numbers were learnt, or None.
    sha256 : of weights.safetensors, in hexadecimal, or None.
    capabilities : what a run can be asked for, such as `beam`.
    notes : plain sentences for readers, such as what one cell sees.
    heads : what each head of a Transformer tends to do, by names such as encoder:0.1 and cross:1.0.
    """

    id: str
    name: str
    task: str
    attention: str
    licence: str
    data: Data
    training: Training
    architecture: Mapping[str, Any] = field(default_factory=dict)
    figures: Mapping[str, float] = field(default_factory=dict)
    preprocessing: Preprocessing | None = None
    parameters: int | None = None
    sha256: str | None = None
    capabilities: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    kind: str = ""
    heads: Mapping[str, Habit] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", self.kind or DEFAULT_KINDS.get(self.task, ""))


def load_card(path: str | Path) -> ModelCard:
    """Read a card.toml; raises `UserError` that names the field at fault."""
    try:
        return card_from_dict(tomllib.loads(read_text(path, LARGEST)))
    except UserError as error:
        raise UserError(f"{path}: {error}") from None
    except OSError as error:
        raise UserError(
            tr("can't read the card {path}: {reason}; check the model's folder.", path=path, reason=reason(error))
        ) from None
    except ValueError as error:
        raise UserError(
            tr("{path} is no valid TOML ({choices}); mend the card.", path=path, choices=" ".join(str(error).split()))
        ) from None


def find_cards(folder: str | Path | Shelf) -> list[ModelCard]:
    """The cards of all models in `folder`, by id; empty where there are none, `UserError` where one can't be read."""
    cards, faults = sound_cards(folder)
    for fault in faults.values():
        raise UserError(fault)
    return cards


def sound_cards(folder: str | Path | Shelf) -> tuple[list[ModelCard], dict[str, str]]:
    """The cards that can be read, folder by folder, and what is wrong with the others, by the name of their folder."""
    cards: dict[str, ModelCard] = {}
    faults: dict[str, str] = {}
    for path in (path for one in _folders(folder) for path in sorted(one.glob(f"*/{CARD}"))):
        name = path.parent.name
        if name in cards or name in faults:
            continue  # the first of an id wins
        try:
            cards[name] = _of_its_folder(load_card(path), name)
        except UserError as error:
            faults[name] = str(error)
    return list(cards.values()), faults


def _folders(folder: str | Path | Shelf) -> tuple[Path, ...]:
    return folder.folders if isinstance(folder, Shelf) else (Path(folder),)


def _of_its_folder(card: ModelCard, name: str) -> ModelCard:
    if card.id != name:
        raise UserError(tr("the card in the folder {name} is that of {id}; give both one name.", name=name, id=card.id))
    return card


def card_from_dict(table: Mapping[str, Any]) -> ModelCard:
    """Check every field of a card's table; raises `UserError`."""
    read = _Reader(table)
    return ModelCard(
        id=read("id", _match(r"[a-z0-9][a-z0-9.-]*", "lower-case letters, digits, dots and hyphens")),
        name=read("name", _text),
        task=read("task", _one_of(TASKS)),
        attention=read("attention", _one_of(modes.learnt())),
        licence=read("licence", _text),
        data=read("data", _data),
        training=read("training", _training),
        architecture=read("architecture", _table, {}),
        figures=read("figures", _figures, {}),
        preprocessing=read("preprocessing", _preprocessing, None),
        parameters=read("parameters", _whole, None),
        sha256=read("sha256", _match(r"[0-9a-f]{64}", "64 hexadecimal digits"), None),
        capabilities=read("capabilities", _texts, ()),
        notes=read("notes", _texts, ()),
        kind=read("kind", _match(r"[a-z][a-z0-9-]*", "lower-case letters, digits and hyphens"), ""),
        heads=read("heads", habits_of, {}),
    )


def save_card(card: ModelCard, path: str | Path) -> None:
    """Write a card.toml that `load_card` reads back as the same card."""
    plain = {name: _plain(value) for name, value in vars(card).items() if value not in (None, {})}
    scalars = [f"{name} = {_toml(value)}" for name, value in plain.items() if not isinstance(value, dict)]
    tables = [line for name, value in plain.items() if isinstance(value, dict) for line in _toml_table(name, value)]
    write_text(path, "\n".join([*scalars, *tables]) + "\n")


class _Reader:
    """Takes fields out of a table and names the one that is missing or wrong."""

    def __init__(self, table: Mapping[str, Any], inside: str = "") -> None:
        self.table, self.inside = table, inside

    def __call__(self, name: str, check: Callable[[Any], Any], *default: Any) -> Any:
        if name not in self.table:
            if default:
                return default[0]
            raise UserError(tr("the card has no {inside}{name}; add it.", inside=self.inside, name=name))
        try:
            return check(self.table[name])
        except ValueError as error:
            raise UserError(
                tr("the card's {inside}{name} must be {error}; mend it.", inside=self.inside, name=name, error=error)
            ) from None


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("a text that isn't empty")
    return value


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)):
        raise ValueError("a list of texts")
    return tuple(_text(item) for item in value)


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError("a whole number of 0 or more")
    return value


def _real(value: Any) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not math.isfinite(value):
        raise ValueError("a finite number")
    return float(value)


def _three(value: Any) -> tuple[float, float, float]:
    if not isinstance(value, (list, tuple)) or len(value) != 3:
        raise ValueError("three numbers, one for red, green and blue")
    red, green, blue = map(_real, value)
    return red, green, blue


def _table(value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError("a table")
    return dict(value)


def _figures(value: Any) -> dict[str, float]:
    return {name: _real(figure) for name, figure in _table(value).items()}


def _one_of(names: tuple[str, ...]) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if value not in names:
            raise ValueError(f"one of {', '.join(names)}")
        return str(value)

    return check


def _match(pattern: str, wanted: str) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if not isinstance(value, str) or not re.fullmatch(pattern, value):
            raise ValueError(wanted)
        return value

    return check


def _data(value: Any) -> Data:
    read = _Reader(_table(value), "data.")
    return Data(read("name", _text), read("terms", _text))


def _training(value: Any) -> Training:
    read = _Reader(_table(value), "training.")
    return Training(read("command", _text), read("seed", _whole), read("hours", _real))


def _preprocessing(value: Any) -> Preprocessing:
    read = _Reader(_table(value), "preprocessing.")
    size, mean, std = read("size", _whole), read("mean", _three), read("std", _three)
    if not SMALLEST <= size <= LARGEST_SIDE or min(std) <= 0:
        raise ValueError(f"given with a size of {SMALLEST} to {LARGEST_SIDE} and std above 0")
    return Preprocessing(size, mean, std)


def _plain(value: Any) -> Any:
    return dict(vars(value)) if hasattr(value, "__dict__") else dict(value) if isinstance(value, Mapping) else value


def _toml_table(name: str, table: Mapping[str, Any]) -> list[str]:
    rows = [f"{_key(key)} = {_toml(value)}" for key, value in table.items() if value is not None]
    return ["", f"[{name}]", *rows]


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _toml(str(name))


def _toml(value: Any) -> str:
    """A value as TOML: texts escaped, tables inline, without what is None."""
    if hasattr(value, "__dict__"):
        return _toml({name: item for name, item in vars(value).items() if item is not None})
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(name)} = {_toml(item)}" for name, item in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return '"' + "".join(map(_letter, value)) + '"' if isinstance(value, str) else repr(value)


def _letter(letter: str) -> str:
    return _LETTERS.get(letter, letter if letter.isprintable() or ord(letter) > 159 else f"\\u{ord(letter):04x}")
