"""From what a net said to the words of a sentence: stand-ins are put right, and what was kept aside is put back.

Letters: T words, S words that were read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnviewer.core.spanish.marks import SAID
from attnviewer.core.text import UNKNOWN, Vocabulary
from attnviewer.core.trace import KEPT
from attnviewer.nets.attention import pointed
from attnviewer.runs.asked import Asked, StandIn
from attnviewer.runs.decode import Choice
from attnviewer.runs.speaking import Speaker

_OWNS = "'s"
LEAST = 0.1  # a word that looks less at a stand-in doesn't come from it


@dataclass(frozen=True)
class Written:
    """A word of a translation: the look that chose it, or the pieces of the text that it stands for without a net."""

    word: str
    look: Choice | None = None
    places: tuple[int, ...] = ()
    found: str = ""


def written(asked: Asked, looks: Sequence[Choice], speak: Speaker, order: Sequence[int] | None = None) -> list[Written]:
    """All words of a sentence; `order` tells which of the words that were read stands at each place of the maps."""
    maps = _maps(looks, len(asked.words), speak.head)
    if maps is not None and order is not None:
        maps = maps[:, np.argsort(order)]
    replaced = stand_ins_of(asked, looks, maps, speak.target)
    words = [spoken_of(look, speak, first=not place, stand_in=replaced.get(place)) for place, look in enumerate(looks)]
    return _with_asides(asked, words, maps)


def ready(asked: Asked) -> list[Written]:
    """The words of a sentence that needs no net."""
    return [Written(word, None, places, found) for word, places, found in asked.ready or ()]


def framing(asked: Asked, before: bool) -> list[Written]:
    """What is kept aside before the words of a sentence, or all that is behind the first of them."""
    kept = [place for place in asked.asides if (asked.before[place] == 0) == before]
    return [_kept(asked, place) for place in kept]


def spoken_of(look: Choice, speak: Speaker, first: bool, stand_in: StandIn | None = None) -> Written:
    """The word of a look, which may stand for another thing."""
    if stand_in is None:
        word, found = speak(look, first)
        return Written(word, look, found=found)
    own = speak.target.word(look.word).endswith(_OWNS) and look.word != UNKNOWN
    said = stand_in.said + _OWNS * own  # Tom's
    return Written(said[:1].upper() + said[1:] if first and speak.capital else said, look, found=stand_in.found)


def stand_ins_of(
    asked: Asked, looks: Sequence[Choice], maps: NDArray[np.float32] | None, target: Vocabulary
) -> dict[int, StandIn]:
    """Which of the words, by their place, are to be replaced.

    For each stand-in it is the word that the net says for it; of several the one that looks most at it, and without
    any the word that looks most at it.
    """
    found: dict[int, StandIn] = {}
    for read, stand_in in asked.stand_ins.items():
        free = [t for t in range(len(looks)) if t not in found]
        words = {t: target.word(looks[t].word).removesuffix(_OWNS) for t in free}
        answers = [t for t in free if words[t] in stand_in.answers or looks[t].word == UNKNOWN]
        if maps is None:
            best = next((t for t in answers if looks[t].word != UNKNOWN), None)
        else:
            near = [t for t in answers if maps[t, read] >= LEAST] or [t for t in free if maps[t, read] >= LEAST]
            best = max(near, key=lambda t: maps[t, read], default=None)
        if best is not None:
            found[best] = stand_in
    return found


def _maps(looks: Sequence[Choice], read: int, head: int | None) -> NDArray[np.float32] | None:
    """The weights [T, S] of the head that points, or None without attention."""
    if not looks or any(look.weights is None for look in looks):
        return None
    rows = [pointed(look.weights, head)[:read] for look in looks if look.weights is not None]
    return np.stack([row.float().cpu().numpy() for row in rows])


def _with_asides(asked: Asked, words: list[Written], maps: NDArray[np.float32] | None) -> list[Written]:
    """The words with what was kept aside before, behind and between them."""
    slots = sorted((_slot(asked, place, maps, len(words)), place) for place in asked.asides)
    made = list(words)
    for slot, place in reversed(slots):
        made.insert(slot, _kept(asked, place))
    return made


def _slot(asked: Asked, place: int, maps: NDArray[np.float32] | None, count: int) -> int:
    """Before which of the words a piece is put back.

    What opens stands before the first word that looks most at the word behind it, all else behind the last word that
    looks most at the word before it.
    """
    read = asked.before[place]
    if read in (0, len(asked.words)) or maps is None:
        return 0 if read == 0 else count
    peaks = maps.argmax(axis=1)
    if asked.asides[place].opens:
        return int(next((t for t in range(count) if peaks[t] == read), _nearest(peaks, read)))
    behind = [t + 1 for t in range(count) if peaks[t] == read - 1]
    return int(behind[-1] if behind else _nearest(peaks, read))


def _nearest(peaks: NDArray[np.int64], read: int) -> int:
    """Before the first word that looks behind a place of the source; the end without one."""
    later = np.flatnonzero(peaks >= read)
    return int(later[0]) if len(later) else len(peaks)


def _kept(asked: Asked, place: int) -> Written:
    shown = asked.asides[place].shown
    return Written(SAID.get(shown, shown), None, (place,), KEPT)
