"""How an exported figure or movie looks."""

from __future__ import annotations

from dataclasses import dataclass

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr

TABLES = ("inferno", "viridis", "cividis")


@dataclass(frozen=True)
class Options:
    """Choices for pictures and movies.

    Parameters
    ----------
    cells : show the raw cells of the grid instead of a smooth map.
    per_word : give each word its own colour range instead of one range over all words.
    head : which head to show, or None for the mean over heads.
    table : name of the colour table.
    opacity : how much of the photo the highest weight hides, 0..1.
    gamma : the power of a weight's share that gives its opacity; 0 makes all weights equally opaque.
    dpi : pixels an inch of a PNG figure.
    seconds : how long a movie shows each word.
    """

    cells: bool = False
    per_word: bool = False
    head: int | None = None
    table: str = "inferno"
    opacity: float = 0.85
    gamma: float = 0.5
    dpi: int = 150
    seconds: float = 0.8

    def __post_init__(self) -> None:
        if self.table not in TABLES:
            raise UserError(
                tr("there is no colour table {table}; choose {tables}.", table=self.table, tables=", ".join(TABLES))
            )
