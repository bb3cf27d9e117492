"""Lessons: a file holds one stop, or a title and several. What a stop shows is data, never code.

The texts of a file NAME.toml are replaced by those of NAME.LANGUAGE.toml beside it, which holds nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.lessons.claims import PARTS, SIGNS, Claim
from attnviewer.core.lessons.measures import MEASURES
from attnviewer.core.lessons.states import PANEL, TEXT, State, checked_state
from attnviewer.core.lessons.toml import Document, Path_
from attnviewer.core.paths import resources_dir

STOP, SHOWN, CLAIM = "stop", "shown", "claim"
TOLD = ("title", "text", "asks", "reveal")  # what a stop says, besides its answers
PLACE = re.compile(r"\{(\w+)\.(\w+)\}")
KEYS = (*TOLD, "answers", "right", "look", "state", SHOWN, CLAIM)
NEEDED = (*TOLD, "answers", "right", "state")
FIRST = "first"  # the short tour's file


@dataclass(frozen=True)
class Stop:
    """One stop.

    Parameters
    ----------
    state : what the window shows while the learner predicts.
    asks, answers, right : the question, what may be answered, and the number of the right answer, from 0.
    shown : what the window shows then.
    reveal : what was seen; numbers of the claims stand as {claim.first}, {claim.second}, {claim.ratio}.
    look : the widget to look at.
    """

    title: str
    text: str
    state: State
    asks: str
    answers: tuple[str, ...]
    right: int
    shown: State
    reveal: str
    look: str = ""
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True)
class Lesson:
    """Stops in their order, and how they are called together."""

    title: str
    stops: tuple[Stop, ...]


def is_lesson(path: str | Path) -> bool:
    """Whether a TOML file holds a lesson, and no state; raises `UserError` where it can't be read."""
    return PANEL not in Document.of(path).data


def read_lesson(path: str | Path, language: str = "") -> Lesson:
    """The lesson in a file, in a language where its texts lie beside it; raises `UserError` with the line."""
    path = Path(path)
    document, folder = Document.of(path), path.absolute().parent
    places = _stops(document)
    stops = tuple(_stop(document, place, folder) for place in places)
    title = str(document.data.get("title", path.stem)) if len(places) > 1 or places[0] else stops[0].title
    beside = path.with_suffix(f".{language}.toml")
    if not language or not beside.is_file():
        return Lesson(title, stops)
    other = Document.of(beside)
    return Lesson(str(other.data.get("title", title)), tuple(map(_Translator(other), stops, places)))


def _stops(document: Document) -> list[Path_]:
    """Where the stops of a document are."""
    raw = document.data.get(STOP)
    if raw is None:
        return [()]
    if not isinstance(raw, list) or not raw or not all(isinstance(one, dict) for one in raw):
        raise document.fault((STOP,), tr("write each stop as a table [[{name}]].", name=STOP))
    if unknown := sorted(set(document.data) - {STOP, "title"}):
        raise document.fault(
            unknown[:1], tr("{name!r} stands before the first [[stop]]; move it below.", name=unknown[0])
        )
    return [(STOP, number) for number in range(len(raw))]


def _raw(document: Document, place: Path_) -> dict[str, Any]:
    found: Any = document.data
    for part in place:
        found = found[part]
    return dict(found)


def _stop(document: Document, place: Path_, folder: Path) -> Stop:
    raw = _raw(document, place)
    for name in raw:
        if name not in KEYS:
            known = ", ".join(KEYS)
            raise document.fault((*place, name), tr("a stop has no {name!r}; it has {known}.", name=name, known=known))
    for name in NEEDED:
        if name not in raw:
            raise document.fault(place, tr("this stop has no {name!r}; add it.", name=name))
    for name in (*TOLD, *(("look",) if "look" in raw else ())):
        _text(document, (*place, name), name, raw[name])
    answers = _answers(document, place, raw)
    state = checked_state(document, (*place, "state"), folder=folder)
    shown = checked_state(document, (*place, SHOWN), state) if SHOWN in raw else state
    claims = tuple(_claim(document, (*place, CLAIM, n), shown) for n in range(_count(document, place, raw)))
    _check_places(document, place, raw["reveal"], claims)
    told = {name: str(raw[name]).strip() for name in TOLD}
    return Stop(**told, state=state, answers=answers, right=raw["right"], shown=shown, look=raw.get("look", ""),
                claims=claims)  # fmt: skip


def _text(document: Document, place: Path_, name: str, value: Any) -> None:
    if not TEXT.holds(value):
        raise document.fault(place, tr("{name} has to be {wants}.", name=name, wants=TEXT.told()))


def _answers(document: Document, place: Path_, raw: Mapping[str, Any]) -> tuple[str, ...]:
    answers, right = raw["answers"], raw["right"]
    if not isinstance(answers, list) or not 2 <= len(answers) <= 4 or not all(map(TEXT.holds, answers)):
        raise document.fault((*place, "answers"), tr("a question has two to four answers; write them as a list."))
    if not isinstance(right, int) or isinstance(right, bool) or not 0 <= right < len(answers):
        last = len(answers) - 1
        raise document.fault(
            (*place, "right"), tr("right is the number of the right answer, from 0 to {last}.", last=last)
        )
    return tuple(answers)


def _count(document: Document, place: Path_, raw: Mapping[str, Any]) -> int:
    claims = raw.get(CLAIM, [])
    if not isinstance(claims, list) or not all(isinstance(one, dict) for one in claims):
        raise document.fault((*place, CLAIM), tr("write each claim as a table [[{name}]].", name=CLAIM))
    return len(claims)


def _claim(document: Document, place: Path_, shown: State) -> Claim:
    """A claim: its two states are changes of what the stop shows."""
    raw = _raw(document, place)
    for name in ("name", "measure", "sign", "first", "second"):
        if name not in raw:
            raise document.fault(place, tr("this claim has no {name!r}; add it.", name=name))
    for name, known in (("measure", tuple(MEASURES)), ("sign", SIGNS)):
        if raw[name] not in known:
            told = tr("there is no {name} {value!r}; choose one of {known}.", name=name, value=raw[name],
                      known=", ".join(known))  # fmt: skip
            raise document.fault((*place, name), told)
    first, second = (checked_state(document, (*place, name), shown) for name in ("first", "second"))
    wanted = MEASURES[raw["measure"]].panels
    for state, name in ((first, "first"), (second, "second")):
        if state.panel not in wanted:
            told = tr("{measure} is measured in {panels}, not in {panel}.", measure=raw["measure"],
                      panels=", ".join(wanted), panel=state.panel)  # fmt: skip
            raise document.fault((*place, name), told)
    return Claim(str(raw["name"]), raw["measure"], first, second, raw["sign"])


def _check_places(document: Document, place: Path_, text: str, claims: tuple[Claim, ...]) -> None:
    """Each number that the text wants is one that a claim has."""
    known = {claim.name for claim in claims}
    for name, part in PLACE.findall(text):
        if name not in known or part not in PARTS:
            examples = ", ".join(f"{{{one}.{PARTS[0]}}}" for one in sorted(known)) or "{claim.first}"
            told = tr("no claim gives {number}; a number is {example}.", number=f"{{{name}.{part}}}", example=examples)
            raise document.fault((*place, "reveal"), told)


class _Translator:
    """Gives stops the texts of another document."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def __call__(self, stop: Stop, place: Path_) -> Stop:
        document = self._document
        try:
            raw = _raw(document, place)
        except (KeyError, IndexError):
            raise document.fault(place[:1], tr("a stop is missing here; translate each one.")) from None
        for name in raw:
            if name not in (*TOLD, "answers"):
                raise document.fault(
                    (*place, name), tr("a translation holds texts alone; leave {name!r} out.", name=name)
                )
        for name in (*TOLD, "answers"):
            if name not in raw:
                raise document.fault(place, tr("this stop has no {name!r}; add it.", name=name))
        for name in TOLD:
            _text(document, (*place, name), name, raw[name])
        answers = _answers(document, place, {"answers": raw["answers"], "right": stop.right})
        if len(answers) != len(stop.answers):
            raise document.fault(
                (*place, "answers"), tr("there are {count} answers; translate each.", count=len(stop.answers))
            )
        _check_places(document, place, raw["reveal"], stop.claims)
        title, text, asks, reveal = (str(raw[name]).strip() for name in TOLD)
        return replace(stop, answers=answers, title=title, text=text, asks=asks, reveal=reveal)


def lessons_dir() -> Path:
    """The folder of the lessons that ship."""
    return resources_dir() / "lessons"


def shipped(language: str = "") -> tuple[Lesson, Lesson]:
    """The tour, and the short one for the first launch; a file that is damaged costs its own stops."""
    files = sorted(path for path in lessons_dir().glob("[0-9]*.toml") if path.name.count(".") == 1)
    stops = tuple(stop for path in files for stop in _sound(path, language))
    short = lessons_dir() / f"{FIRST}.toml"
    return Lesson(tr("From pixels to the Transformer"), stops), Lesson(
        tr("The first 90 seconds"), _sound(short, language)
    )


def _sound(path: Path, language: str) -> tuple[Stop, ...]:
    try:
        return read_lesson(path, language).stops
    except UserError:
        return ()
