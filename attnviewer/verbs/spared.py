"""What every verb holds to: the file that -o names is none of those that it reads."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

from attnviewer.core.writing import spare


def spare_named(args: argparse.Namespace) -> None:
    """Raise `UserError` where -o names a file that another argument names too: it would be lost."""
    out = getattr(args, "out", None)
    if out is not None:
        spare([out], _named(value for name, value in vars(args).items() if name != "out"))


def _named(values: Iterable[object]) -> Iterator[str | Path]:
    """All that may be names of files among the values of arguments."""
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from _named(value)
        elif isinstance(value, (str, Path)):
            yield value
