"""What callers give, checked: each complaint names the argument and says what it should be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import Any

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr


def checked_text(value: Any, name: str) -> str:
    """A text without bytes that are no letters; raises `UserError` that names the argument."""
    if not isinstance(value, str):
        raise UserError(
            tr("{name} must be a text, not {value}; put it in quotation marks.", name=name, value=_kind(value))
        )
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise UserError(
            tr("{name} holds bytes that are no text in UTF-8; type it again or save it as UTF-8.", name=name)
        )
    return value


def checked_texts(values: Any, name: str) -> tuple[str, ...]:
    """A list of texts, one of them at least not empty; raises `UserError` that names the argument."""
    if isinstance(values, str | bytes) or not isinstance(values, Sequence):
        raise UserError(tr("{name} must be a list of texts, not {value}.", name=name, value=_kind(values)))
    texts = tuple(checked_text(value, tr("each of {name}", name=name)) for value in values)
    if not any(text.strip() for text in texts):
        raise UserError(tr("{name} hold no text; give at least one that isn't empty.", name=name))
    return texts


def checked_number(value: Any, name: str) -> float:
    """A real number; raises `UserError` that names the argument."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise UserError(tr("{name} must be a number, not {value}.", name=name, value=_kind(value)))
    return float(value)


def checked_name(value: Any, name: str) -> str | None:
    """A name or None; raises `UserError` that names the argument."""
    return None if value is None else checked_text(value, name)


def checked_words(
    words: str | Sequence[str] | None, cut_text: Callable[[str], list[str]], what: str
) -> tuple[str, ...] | None:
    """The words of a `what` (caption or translation) that is given as a text or as a list; None stays None."""
    if words is None:
        return None
    if not isinstance(words, str | Sequence) or isinstance(words, bytes):
        raise UserError(tr("a given {what} is a text or a list of words.", what=what))
    given = tuple(cut_text(checked_text(words, "words"))) if isinstance(words, str) else tuple(words)
    if not given:
        raise UserError(tr("there are no words in the given {what}; leave it out to have one made.", what=what))
    return given


def is_whole(value: object) -> bool:
    """Whether it is a whole number; True and False are none."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def _kind(value: Any) -> str:
    return f"{value!r:.40}" if isinstance(value, int | float | str | bytes) or value is None else type(value).__name__
