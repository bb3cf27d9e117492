"""Interventions as a user writes them: on the command line, and in a file of JSON.

`2=cat` imposes a word, `2=5,7` a cell (row, column), `2=0.1,0.2,0.5,0.9` a box (left, top, right, bottom as shares of
the photo), `2=3` a source word; `@1.0` at the end names one head. Everything counts from 0.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from attnviewer.core.covers import Cover, cover_of
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.interventions import Intervention
from attnviewer.core.lines import read_text
from attnviewer.core.regions import coverage
from attnviewer.core.trace import Trace

T = TypeVar("T")
WORD, LOOK = "word", "look"
FIELDS = ("at", "word", "weights", "head", "gaze", "rest", "kept")


def word_of(text: str) -> Intervention:
    """The intervention of `--force-word`, such as 2=cat."""
    at, word = _parts(text, "--force-word 2=cat")
    return Intervention(at, word=word)


def gaze_of(text: str) -> Intervention:
    """The intervention of `--force-gaze`: a cell, a box or a source word, perhaps of one head."""
    example = "--force-gaze 2=5,7"
    at, where = _parts(text, example)
    where, _, head = where.partition("@")
    try:
        numbers = tuple(_number(part) for part in where.split(","))
    except ValueError:
        raise UserError(_fault(text, example)) from None
    return Intervention(at, gaze=numbers, head=head.strip() or None)


def _parts(text: str, example: str) -> tuple[int, str]:
    at, equals, rest = text.partition("=")
    if not equals or not at.strip().isdecimal() or not rest.strip():
        raise UserError(_fault(text, example))
    return int(at), rest.strip()


def _fault(text: str, example: str) -> str:
    told = tr("{text!r} says not what is imposed on which word (from 0); write it like {example}.")
    return told.format(text=text, example=example)


def _number(text: str) -> float:
    return int(text) if text.strip().isdecimal() else float(text)


@dataclass(frozen=True)
class Imposed:
    """What a file imposes: interventions, covers over the photo, and the hash of the photo that it was made with."""

    interventions: tuple[Intervention, ...] = ()
    covers: tuple[Cover, ...] = ()
    photo: str | None = None

    def mismatch(self, picture: Picture) -> bool:
        """Whether it was made with another photo."""
        return self.photo is not None and self.photo != picture.sha256


def read_interventions(path: str | Path) -> tuple[Intervention, ...]:
    """The interventions of a JSON file, as `read_imposed` reads it."""
    return read_imposed(path).interventions


def read_imposed(path: str | Path) -> Imposed:
    """What a JSON file imposes: a list, an object with `interventions` or `covers`, or a saved trace with its request.

    Its form is that of `resources/interventions.schema.json`. Raises `UserError` where the file holds nothing.
    """
    name = Path(path).name
    try:
        data = json.loads(read_text(path))
    except ValueError:
        raise UserError(tr("{name} is no JSON; write a list of interventions.", name=name)) from None
    holder = data if isinstance(data, Mapping) else {"interventions": data}
    holder = holder["request"] if isinstance(holder.get("request"), Mapping) else holder
    rows, covers = (holder.get(key) or [] for key in ("interventions", "covers"))
    lists = all(isinstance(part, list) and all(isinstance(one, Mapping) for one in part) for part in (rows, covers))
    if not lists or not (rows or covers):
        raise UserError(tr("{name} holds no interventions; write a list such as {example}.", name=name,
                           example='[{"at": 2, "word": "cat"}]'))  # fmt: skip
    picture = holder.get("picture")
    photo = picture.get("sha256") if isinstance(picture, Mapping) else None
    return Imposed(_each(rows, from_plain, name), _each(covers, cover_of, name), photo)


def _each(rows: Sequence[Mapping[str, Any]], make: Callable[[Mapping[str, Any]], T], name: str) -> tuple[T, ...]:
    """What is made of each row; a fault tells the file and which row it is."""
    made: list[T] = []
    for number, row in enumerate(rows):
        try:
            made.append(make(row))
        except UserError as error:
            raise UserError(tr("{name}, number {number} (from 0): {error}", name=name, number=number, error=error)
                            ) from None  # fmt: skip
    return tuple(made)


def cover_from(text: str) -> Cover:
    """The cover of `--cover`, such as 0.1,0.2,0.5,0.9 or 0.1,0.2,0.5,0.9=blur."""
    box, _, how = text.partition("=")
    try:
        return Cover(tuple(map(float, box.split(","))), how.strip() or "grey")  # type: ignore[arg-type]
    except ValueError:
        raise UserError(_fault(text, "--cover 0.1,0.2,0.5,0.9=blur")) from None


def from_plain(one: Mapping[str, Any]) -> Intervention:
    """The intervention that plain data describes; raises `UserError` where it is none."""
    if unknown := sorted(set(one) - set(FIELDS)):
        raise UserError(
            tr("an intervention has no {field}; it has {fields}.", field=unknown[0], fields=", ".join(FIELDS))
        )
    try:
        weights, gaze = (None if one.get(key) is None else tuple(one[key]) for key in ("weights", "gaze"))
        rest, kept = (one.get(key, False) for key in ("rest", "kept"))
        if not (isinstance(rest, bool) and isinstance(kept, bool)):
            raise UserError(tr("`rest` and `kept` of an intervention are true or false."))
        return Intervention(one["at"], one.get("word"), weights, one.get("head"), gaze, rest, kept)
    except (KeyError, TypeError):
        raise UserError(tr("an intervention needs a whole number `at` and lists of numbers.")) from None


def imposed_on(trace: Trace, word: int) -> frozenset[str]:
    """What the request of a trace imposes on one of its words: WORD, LOOK, both or nothing; words that stay are not."""
    request, found = trace.request, set()
    if request.get("words") and trace.steps[word].forced:
        found.add(WORD)
    for one in request.get("interventions") or ():
        if isinstance(one, Mapping) and (one.get("at") == word or (one.get("rest") and one.get("at", word) < word)):
            found |= {WORD} if one.get("at") == word and one.get("word") and not one.get("kept") else set()
            found |= {LOOK} if one.get("weights") is not None or one.get("gaze") is not None else set()
    return frozenset(found)


def plain_of(one: Intervention) -> dict[str, Any]:
    """An intervention as plain data, as `from_plain` reads it; what isn't imposed is left out."""
    given = {name: getattr(one, name) for name in FIELDS}
    lists = {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}
    return {name: value for name, value in lists.items() if value is not None and value is not False}


def gathered(words: Iterable[str], gazes: Iterable[str], files: Iterable[str]) -> tuple[Intervention, ...]:
    """All interventions that a call names."""
    from_files = (one for file in files for one in read_interventions(file))
    return (*map(word_of, words), *map(gaze_of, gazes), *from_files)


def gaze_weights(gaze: tuple[float, ...], places: int, rows: int | None) -> NDArray[np.float64]:
    """A gaze as weights [L] that sum to 1; `rows` of a grid, or None where the locations are words.

    Raises `UserError` where there is no such place.
    """
    if rows is None:
        return _one(_source_word(gaze, places), places)
    columns = places // rows
    if len(gaze) == 2:
        row, column = map(int, gaze)
        if row >= rows or column >= columns:
            told = {"row": rows - 1, "column": columns - 1, "gaze": f"{row},{column}"}
            raise UserError(tr("the grid has rows 0 to {row} and columns 0 to {column}; {gaze} lies outside.", **told))
        return _one(row * columns + column, places)
    if len(gaze) != 4:
        raise UserError(
            tr("a photo is looked at in a cell (row,column) or a box (left,top,right,bottom as shares of it).")
        )
    share: NDArray[np.float64] = coverage([gaze], rows, columns).astype(np.float64)
    return np.asarray(share / share.sum(), np.float64)


def _source_word(gaze: tuple[float, ...], places: int) -> int:
    if len(gaze) != 1:
        raise UserError(tr("a sentence is looked at in one of its words; give the number of a word, from 0."))
    if gaze[0] >= places:
        raise UserError(
            tr("the source has words 0 to {last}; there is no word {number}.", last=places - 1, number=int(gaze[0]))
        )
    return int(gaze[0])


def _one(place: int, places: int) -> NDArray[np.float64]:
    weights = np.zeros(places)
    weights[place] = 1.0
    return weights
