"""What an experiment found: frozen, of numpy arrays and plain values, and written down as JSON.

A run of the protocol may yield findings where others yield traces: each is whole in itself, the newest counts.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from attnviewer.core.images import Picture

SCHEMA = "attnviewer/finding/1"
DIGITS = 7  # all that a float32 number tells


@dataclasses.dataclass(frozen=True, eq=False)
class Finding:
    """The base of all findings; `task` names the experiment."""

    task: ClassVar[str] = ""

    def to_dict(self) -> dict[str, Any]:
        """The finding as plain data; a picture gives its path and size, not its pixels."""
        return {"schema": SCHEMA, "task": self.task, **_fields(self)}

    def to_json(self) -> str:
        """The finding as one line of JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)


def _fields(value: Any) -> dict[str, Any]:
    return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}


def plain(value: Any) -> Any:
    """Any value inside a finding as plain data; numbers that aren't finite become null."""
    for kind, convert in _PLAIN:
        if isinstance(value, kind):
            return convert(value)
    return _fields(value) if dataclasses.is_dataclass(value) and not isinstance(value, type) else value


def _number(value: float) -> float | None:
    return float(f"{value:.{DIGITS}g}") if np.isfinite(value) else None


_PLAIN: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (Picture, lambda picture: {"path": picture.path, "width": picture.width, "height": picture.height}),
    (np.ndarray, lambda array: plain(array.tolist())),
    (bool, bool),
    ((int, np.integer), int),
    ((float, np.floating), _number),
    (Mapping, lambda table: {str(key): plain(one) for key, one in table.items()}),
    ((list, tuple), lambda many: [plain(one) for one in many]),
)
