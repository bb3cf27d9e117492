"""A state of the window as a small file: panel, source, way to attend, word, settings, and what is imposed.

A state is flat: `panel`, and the keys that this panel has (`FIELDS`). Numbers count from 0.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from attnviewer.core.covers import cover_of
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import later, tr
from attnviewer.core.imposing import from_plain
from attnviewer.core.lessons.toml import Document, Path_
from attnviewer.core.modes import of
from attnviewer.core.paths import resources_dir

SCHEMA = "attnviewer/state/1"
SUFFIX = ".toml"
PANEL, IMPOSED = "panel", "intervention"
Value = Any


@dataclass(frozen=True)
class Kind:
    """What a key may hold: a test of the value, and in words what is wanted."""

    holds: Callable[[Any], bool]
    wants: str
    choices: tuple[str, ...] = ()

    def told(self) -> str:
        """What is wanted, as a sentence's end."""
        return tr(self.wants, choices=", ".join(self.choices))


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _positive(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0


def _pairs(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and all(map(_whole, pair)) for pair in value
    )


def _covers(value: Any) -> bool:
    try:
        return all(cover_of(one) for one in value)
    except (UserError, TypeError, ValueError):
        return False


def one_of(*choices: str) -> Kind:
    """One of some names."""
    return Kind(lambda value: value in choices, later("one of {choices}"), choices)


TEXT = Kind(lambda value: isinstance(value, str) and bool(value.strip()), later("a text in quotes"))
FLAG = Kind(lambda value: isinstance(value, bool), later("true or false"))
WHOLE = Kind(_whole, later("a whole number from 0 on"))
POSITIVE = Kind(_positive, later("a number above 0"))
WORD = Kind(lambda value: _whole(value) or TEXT.holds(value), later("a word in quotes, or its number from 0 on"))
PAIRS = Kind(_pairs, later("a list of pairs of numbers, such as [[2, 3]]"))
LINES = Kind(
    lambda value: isinstance(value, list) and bool(value) and all(map(TEXT.holds, value)), later("a list of texts")
)
SCALES = Kind(
    lambda value: isinstance(value, dict) and all(key.isdecimal() and _positive(one) for key, one in value.items()),
    later("a table of items and the length that each is given, such as {{ 3 = 5.0 }}"),
)
COVERS = Kind(_covers, later("a list of patches, such as [{{ box = [0.2, 0.3, 0.5, 0.6] }}], in shares of the photo"))
PLACES = Kind(
    lambda value: isinstance(value, list) and bool(value) and all(map(_whole, value)),
    later("a list of whole numbers from 0 on, such as [1, 4]"),
)
COMPARE = "compare"
_TEXTS = {"text": TEXT, "beside": TEXT}
FIELDS: Mapping[str, Mapping[str, Kind]] = {
    "image": {
        "photo": TEXT, "mode": one_of(*of("caption"), COMPARE), "word": WORD, "words": TEXT, "against": WORD,
        "head": TEXT, "seed": WHOLE, "covers": COVERS,
    },
    "translate": {
        "text": TEXT, "mode": one_of(*of("translate"), COMPARE), "word": WORD, "words": TEXT, "shuffle": FLAG,
        "maps": one_of("looked", "came"), "head": TEXT, "hidden": PLACES,
    },
    "query": {
        "items": one_of("regions", "words", "lines"), "photo": TEXT, "sentence": TEXT, "lines": LINES, "query": TEXT,
        "second": TEXT, "keys": TEXT, "score": one_of("dot", "scaled", "cosine"), "temperature": POSITIVE,
        "hard": FLAG, "scales": SCALES, "item": WORD,
    },
    "transformer": {
        **_TEXTS, "view": TEXT, "layer": WHOLE, "head": WHOLE, "token": WORD, "step": WHOLE,
        "way": one_of("head", "mean", "max", "rollout", "norm"), "mask": one_of("none", "future", "past"),
        "off": PAIRS, "uniform": PAIRS, "hidden": PAIRS, "positions": FLAG, "residuals": FLAG, "tied": FLAG,
        "kind": one_of("self-attention", "recurrent", "convolution"),
    },
    "foundations": {
        "experiment": one_of("mlp", "conv", "field", "documents", "rnn"), "photo": TEXT, "side": POSITIVE,
        "layers": POSITIVE, "width": POSITIVE, "learning": FLAG, "net": one_of("MLP", "CNN"),
        "keys": one_of("bow", "tfidf", "sentence"), "lines": LINES, "token": TEXT, "patch": WHOLE, "layer": TEXT,
        "way": TEXT, **_TEXTS,
    },
}  # fmt: skip
STEERED = ("image", "translate")
LOOKED_AT = ("word", "against", "maps", "patch", "token", "layer", "item", "view", "step", "way", "kind", "second",
             "learning")  # fmt: skip


@dataclass(frozen=True)
class State:
    """What the window shows.

    Parameters
    ----------
    panel : its key.
    values : by the names of `FIELDS[panel]`.
    interventions : as plain data, where the panel's runs can be steered.
    folder : where photos with a relative path are looked for.
    """

    panel: str
    values: Mapping[str, Value] = field(default_factory=dict)
    interventions: tuple[Mapping[str, Any], ...] = ()
    folder: Path | None = None

    def __getitem__(self, name: str) -> Value:
        return self.values.get(name)

    def get(self, name: str, default: Value) -> Value:
        """A value, or what holds where none is given."""
        return self.values.get(name, default)

    def over(self, changes: Mapping[str, Value]) -> State:
        """The state with some values changed; another panel begins with these values alone."""
        panel = changes.get(PANEL, self.panel)
        kept = self.values if panel == self.panel else {}
        own = {name: value for name, value in changes.items() if name not in (PANEL, IMPOSED)}
        imposed = tuple(changes.get(IMPOSED, self.interventions if panel == self.panel else ()))
        return State(panel, {**kept, **own}, imposed, self.folder)

    def without(self, *names: str) -> State:
        """The state with some values left out."""
        kept = {name: value for name, value in self.values.items() if name not in names}
        return State(self.panel, kept, self.interventions, self.folder)

    @property
    def run(self) -> str:
        """What has to run for the state, as one text: equal for states that differ only in what is looked at."""
        values = {name: value for name, value in self.values.items() if name not in LOOKED_AT}
        return json.dumps([self.panel, values, self.interventions], sort_keys=True, ensure_ascii=False)


def checked_state(document: Document, place: Path_, base: State | None = None, folder: Path | None = None) -> State:
    """The state in a table of a document, over a `base` where one is given.

    Raises `UserError` with the line for a panel, key or value that there is none of.
    """
    raw = _table(document, place)
    panel: Any = raw.get(PANEL, base.panel if base is not None else None)
    if panel not in FIELDS:
        known = {"panels": ", ".join(FIELDS)}
        if panel is None:
            raise document.fault(place, tr("a state needs a panel; write one of {panels}.", **known))
        raise document.fault(
            (*place, PANEL), tr("there is no panel {panel!r}; choose one of {panels}.", panel=panel, **known)
        )
    for name, value in raw.items():
        _check(document, (*place, name), panel, name, value)
    start = base if base is not None else State(panel, folder=folder)
    return start.over(raw)


def _table(document: Document, place: Path_) -> dict[str, Any]:
    raw: Any = document.data
    for part in place:
        raw = raw[part]
    if not isinstance(raw, dict):
        raise document.fault(place, tr("this has to be a table; write it as [{name}].", name=".".join(map(str, place))))
    return {name: value for name, value in raw.items() if name != "schema"}


def _check(document: Document, place: Path_, panel: str, name: str, value: Any) -> None:
    if name == PANEL:
        return None
    if name == IMPOSED and panel in STEERED:
        return _check_imposed(document, place, value)
    kind = FIELDS[panel].get(name)
    if kind is None:
        known = ", ".join(FIELDS[panel])
        told = tr("the panel {panel} has no {name!r}; it has {known}.", panel=panel, name=name, known=known)
        raise document.fault(place, told)
    if not kind.holds(value):
        raise document.fault(place, tr("{name} has to be {wants}.", name=name, wants=kind.told()))
    return None


def _check_imposed(document: Document, place: Path_, value: Any) -> None:
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise document.fault(place, tr("write each intervention as a table [[{name}]].", name=IMPOSED))
    for number, one in enumerate(value):
        try:
            from_plain(one)
        except UserError as error:
            raise document.fault((*place, number), str(error)) from None


def read_state(path: str | Path) -> State:
    """The state in a file; raises `UserError` where there is none."""
    return checked_state(Document.of(path), (), folder=Path(path).absolute().parent)


def beside(state: State, folder: Path) -> State:
    """The state as a file in `folder` holds it: a photo that lies there, or ships, is named without its path."""
    photo = state["photo"]
    if not photo:
        return state
    path = Path(photo)
    near = path.parent == folder or path.parent == resources_dir() / "images"
    return state.over({"photo": path.name}) if near else state


def state_text(state: State) -> str:
    """The file that holds a state."""
    lines = [f"schema = {_plain(SCHEMA)}", f"{PANEL} = {_plain(state.panel)}"]
    lines += [f"{name} = {_plain(value)}" for name, value in state.values.items()]
    for one in state.interventions:
        lines += ["", f"[[{IMPOSED}]]", *(f"{name} = {_plain(value)}" for name, value in one.items())]
    return "\n".join(lines) + "\n"


def _plain(value: Any) -> str:
    """A value as TOML; texts as JSON writes them, which TOML reads alike."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_plain(one)}" for key, one in value.items()) + " }"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(_plain, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
