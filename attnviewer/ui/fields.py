"""The kinds of value that the window remembers: what each is at first, and how it is read back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Field:
    """A remembered value.

    Parameters
    ----------
    default : what it is at first.
    read : makes it from what was stored; raises ValueError where that is no good.
    was : the name under which version 0.1 kept it.
    """

    default: Any
    read: Callable[[Any], Any]
    was: str = ""


def one_of(*choices: Any) -> Callable[[Any], Any]:
    """Reads one of `choices`, all of one type."""

    def read(value: Any) -> Any:
        typed = type(choices[0])(value)
        if typed not in choices:
            raise ValueError(value)
        return typed

    return read


def between(low: float, high: float) -> Callable[[Any], float]:
    """Reads a number from `low` to `high`."""

    def read(value: Any) -> float:
        number = float(value)
        if not low <= number <= high:
            raise ValueError(value)
        return number

    return read


def texts(value: Any) -> tuple[str, ...]:
    """Reads texts; the store gives back a single one as itself."""
    return (value,) if isinstance(value, str) else tuple(map(str, value))


def yes(value: Any) -> bool:
    """Reads a truth."""
    return str(value).lower() in ("true", "1")
