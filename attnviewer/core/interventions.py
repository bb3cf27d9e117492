"""What is imposed at single words: another word, other attention, or both. Nothing here knows a model."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from attnviewer.core.arguments import checked_text, is_whole
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr


@dataclass(frozen=True)
class Intervention:
    """At word `at` (from 0) impose a `word`, or attention, or both.

    Parameters
    ----------
    weights : attention [L], non-negative, made to sum to 1.
    head : the head that gets the attention; None: all heads.
    gaze : attention as a place instead: a cell (row, column), a box (left, top, right, bottom as shares of the photo),
        or a source word (number,); from 0.
    rest : the attention holds for all words after as well, except where another intervention says otherwise.
    kept : the word was said before and stays, so that the text goes on from there; it isn't marked as forced.
    """

    at: int
    word: str | None = None
    weights: tuple[float, ...] | None = None
    head: str | None = None
    gaze: tuple[float, ...] | None = None
    rest: bool = False
    kept: bool = False

    def __post_init__(self) -> None:
        if not is_whole(self.at) or self.at < 0:
            raise UserError(tr("words are counted from 0; an intervention can't be at {at}.", at=self.at))
        if self.word is not None and not checked_text(self.word, "an imposed word").strip():
            raise UserError(
                tr("an imposed word is a text with a letter or mark; leave it out to impose attention alone.")
            )
        if self.gaze is not None:
            _check_gaze(self.gaze)
            if self.weights is not None:
                raise UserError(tr("impose weights or a gaze on a word, not both."))
        if self.rest and not self.looks:
            raise UserError(tr("attention alone holds for the rest of the words; give weights or a gaze with `rest`."))
        if self.kept and self.word is None:
            raise UserError(tr("a word alone is kept; give the word with `kept`."))

    @property
    def looks(self) -> bool:
        """Whether attention is imposed."""
        return self.weights is not None or self.gaze is not None


def kept_words(interventions: Iterable[Intervention]) -> frozenset[int]:
    """The words (from 0) that stay as they were said before: imposed, but no choice of the user's."""
    changed = {one.at for one in interventions if one.word is not None and not one.kept}
    return frozenset(one.at for one in interventions if one.kept) - changed


def checked_interventions(given: Sequence[Intervention] | None) -> tuple[Intervention, ...]:
    """The interventions that a caller gives as a list, or none; raises `UserError` where that is no list."""
    if given is None:
        return ()
    if not isinstance(given, Sequence) or isinstance(given, str | bytes):
        raise UserError(tr("interventions must be a list of attnviewer.Intervention."))
    return tuple(given)


def _check_gaze(gaze: tuple[float, ...]) -> None:
    """Raise `UserError` unless it is a cell, a box or the number of a word."""
    try:
        numbers = tuple(map(float, gaze))
    except (TypeError, ValueError):
        numbers = ()
    whole = all(number >= 0 and number == int(number) for number in numbers if math.isfinite(number))
    box = len(numbers) == 4 and 0 <= numbers[0] < numbers[2] <= 1 and 0 <= numbers[1] < numbers[3] <= 1
    if not all(map(math.isfinite, numbers)) or not (box or (len(numbers) in (1, 2) and whole)):
        told = "a gaze is a cell (row,column), a box (left,top,right,bottom as shares, 0 to 1) or the number of a word."
        raise UserError(tr(told))
