"""A Spanish text as it is read: its pieces, the sentences they make, and what a rule can say of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from attnviewer.core.glossary import ENDS, spoken
from attnviewer.core.places import order_of
from attnviewer.core.spanish.marks import ASIDE, CLOSING, COPY, OPENING, QUOTES, TITLES, WORD, Bit, bits_of
from attnviewer.core.spanish.numbers import Span, number_spans

NAME = "name"
LONGEST_SENTENCE = 60  # words; a longer one is cut at a mark within it
_STYLES = set("*_`~")
_DASHES = ("—", "–", "―", "-")
_CUTS = {",", ";", ":", "-"}
_FULL = {"señor": "sr", "señora": "sra", "señorita": "srta", "doctor": "dr", "doctora": "dra"}
_CONTRACTED = {"al": "a", "del": "de"}
_FARTHEST = 12  # pieces between brackets that are read by themselves


@dataclass(frozen=True)
class Piece:
    """A word or mark of a text as it is shown.

    Parameters
    ----------
    kind : "word" is read; "aside" is kept and put back; "copy" names a thing, such as an address.
    read : the words that a net reads for it; none for what is kept.
    opens : put back before what follows it, rather than behind what precedes it.
    """

    shown: str
    kind: str = WORD
    read: tuple[str, ...] = ()
    opens: bool = False

    @property
    def spoken(self) -> bool:
        """Whether it is a word, a number or a thing with a name, and no mark."""
        return self.kind == COPY or (self.kind == WORD and any(map(spoken, self.read)))


@dataclass(frozen=True)
class Reading:
    """Pieces of a text, the sentences they make (places from and before), and the spans that a rule can say.

    `cut` is true where a sentence was too long and makes several.
    """

    pieces: tuple[Piece, ...]
    sentences: tuple[range, ...]
    spans: tuple[Span, ...]
    cut: bool = False

    @property
    def tokens(self) -> tuple[str, ...]:
        """The pieces as they are shown: the locations of a translation."""
        return tuple(piece.shown for piece in self.pieces)

    @property
    def movable(self) -> bool:
        """Whether some sentence has pieces that could stand in another order."""
        return any(len(places) > 1 for places in self.sentences)

    def order(self, seed: int) -> NDArray[np.int64]:
        """The piece that stands at each place once every sentence is shuffled in itself."""
        parts = [np.asarray(places)[order_of(len(places), seed)] for places in self.sentences]
        return np.concatenate(parts) if parts else np.zeros(0, np.int64)


@lru_cache(maxsize=64)
def read_spanish(text: str) -> Reading:
    """Tell the words of a text from what stands beside them, and cut it into sentences."""
    bits = list(bits_of(text))
    pieces = _lowered([_piece(bits, place) for place in range(len(bits))])
    groups = _groups(pieces)
    starts = _starts(pieces, [bit.breaks for bit in bits], groups)
    pieces = _dialogue(_brackets(pieces, groups), starts)
    whole = list(_ranges(starts, len(pieces)))
    sentences = [part for one in whole for part in _shortened(pieces, one)]
    spans = tuple(_spans(pieces, sentences))
    return Reading(tuple(_uncontracted(pieces, spans)), tuple(sentences), spans, len(sentences) > len(whole))


def _piece(bits: Sequence[Bit], place: int) -> Piece:
    """A bit with the side on which it is put back."""
    bit = bits[place]
    return Piece(bit.shown, bit.kind, bit.read, bit.kind == ASIDE and _opens(bits, place))


def _opens(bits: Sequence[Bit], place: int) -> bool:
    shown = bits[place].shown
    if shown.startswith("<") and len(shown) > 1:
        return not shown.startswith("</")
    if shown in QUOTES and shown not in '"″':
        return shown in OPENING
    if shown in QUOTES or set(shown) <= _STYLES:
        return sum(bit.shown == shown for bit in bits[:place]) % 2 == 0
    return bits[place].breaks or place == 0


def _lowered(pieces: list[Piece]) -> list[Piece]:
    """A text that is all in capitals is read in small letters, its first word with a capital."""
    letters = [piece.shown for piece in pieces if piece.kind == WORD and piece.shown[0].isalpha()]
    if sum(map(len, letters)) < 4 or not all(word.isupper() for word in letters) or max(map(len, letters)) < 3:
        return pieces
    first = next(place for place, piece in enumerate(pieces) if piece.kind == WORD and piece.shown[0].isalpha())
    return [
        replace(piece, read=tuple(w.capitalize() if place == first else w.lower() for w in piece.read))
        for place, piece in enumerate(pieces)
    ]


def _groups(pieces: Sequence[Piece]) -> list[range]:
    """What stands in square brackets, and in round ones where they open a sentence: each with its brackets."""
    found, begins = [], True
    for place, piece in enumerate(pieces):
        close = {"[": "]", "(": ")"}.get(piece.shown)
        if close and (piece.shown == "[" or begins):
            ends = [n for n in range(place + 1, min(len(pieces), place + _FARTHEST)) if pieces[n].shown == close]
            if ends and any(one.spoken for one in pieces[place : ends[0]]):
                found.append(range(place, ends[0] + 1))
        begins = piece.shown in ENDS or (begins and not piece.spoken) or piece.shown in ("]", ")")
    return found


def _brackets(pieces: list[Piece], groups: Sequence[range]) -> list[Piece]:
    """Brackets of groups are kept aside; other round ones are read as commas, before a mark not at all."""
    edges = {edge for group in groups for edge in (group[0], group[-1])}
    made = list(pieces)
    for place, piece in enumerate(pieces):
        if piece.shown not in ("(", ")", "[", "]", "{", "}"):
            continue
        after = pieces[place + 1] if place + 1 < len(pieces) else None
        comma = piece.shown in "()" and place not in edges
        here = (",",) if comma and after is not None and after.spoken else ()
        made[place] = replace(piece, kind=WORD if comma else ASIDE, read=here, opens=piece.shown in OPENING)
    return made


def _dialogue(pieces: list[Piece], starts: Sequence[int]) -> list[Piece]:
    """The dash with which somebody begins to speak is kept aside."""
    begins = {start for start in starts if start < len(pieces) and pieces[start].shown in _DASHES}
    return [replace(p, kind=ASIDE, read=(), opens=True) if n in begins else p for n, p in enumerate(pieces)]


def _starts(pieces: Sequence[Piece], breaks: Sequence[bool], groups: Sequence[range]) -> list[int]:
    """The places at which sentences begin."""
    edges = {edge for group in groups for edge in (group[0], group[-1] + 1)}
    starts, spoke = [0], False
    for place in range(1, len(pieces)):
        spoke = spoke or pieces[place - 1].spoken
        if breaks[place] or place in edges or (spoke and _ended(pieces, place)):
            starts.append(place)
            spoke = False
    return starts


def _ended(pieces: Sequence[Piece], place: int) -> bool:
    """Whether a sentence ended before a place, and nothing there belongs to it any more."""
    here = pieces[place]
    if here.shown in ENDS or here.shown in CLOSING or (here.kind == ASIDE and not here.opens):
        return False
    back = place - 1
    while back > 0 and (pieces[back].shown in CLOSING or pieces[back].kind == ASIDE) and not pieces[back].opens:
        back -= 1
    last = pieces[back].shown
    if last not in ENDS or (last == "." and back > 0 and _initial(pieces[back - 1].shown)):
        return False
    word = next((piece.shown for piece in pieces[place:] if piece.spoken), "")
    trails = last == "…" or (last == "." and back > 0 and pieces[back - 1].shown == ".")
    quoted = any(piece.shown in QUOTES or piece.shown in "—–―" for piece in pieces[back + 1 : place + 1])
    return bool(word) and not (word[0].islower() and (trails or quoted))


def _initial(word: str) -> bool:
    return len(word) == 1 and word.isupper()


def _ranges(starts: Sequence[int], length: int) -> Iterator[range]:
    for start, end in zip(starts, [*starts[1:], length], strict=True):
        if end > start:
            yield range(start, end)


def _shortened(pieces: Sequence[Piece], places: range) -> Iterator[range]:
    """A sentence of too many words in parts, cut behind the last mark that leaves enough room."""
    while len(places) > LONGEST_SENTENCE:
        marks = [n for n in places[LONGEST_SENTENCE // 3 : LONGEST_SENTENCE] if pieces[n].shown in _CUTS]
        middle = marks[-1] + 1 if marks else places[LONGEST_SENTENCE]
        yield range(places.start, middle)
        places = range(middle, places.stop)
    yield places


def _spans(pieces: Sequence[Piece], sentences: Sequence[range]) -> Iterator[Span]:
    for places in sentences:
        words = [pieces[place].shown.lower() if pieces[place].kind == WORD else "" for place in places]
        found = [*_titled(pieces, places), *(_moved(span, places.start) for span in number_spans(words))]
        end = places.start
        for span in sorted(found, key=lambda span: (span.start, -span.end)):
            if span.start >= end:
                yield span
                end = span.end


def _moved(span: Span, by: int) -> Span:
    return replace(span, start=span.start + by, end=span.end + by)


def _titled(pieces: Sequence[Piece], places: range) -> Iterator[Span]:
    """Titles with the name behind them, and the article before them."""
    for place in places:
        shown = pieces[place].shown.lower()
        short = _FULL.get(shown, shown.removesuffix(".") if shown.endswith(".") else "")
        if short not in TITLES or pieces[place].kind != WORD:
            continue
        end = place + 1
        while end < places.stop and pieces[end].shown[0].isupper() and end - place <= 3 and pieces[end].spoken:
            end += 1
        if end > place + 1:
            start = place - (place > places.start and pieces[place - 1].shown.lower() in ("el", "la"))
            yield Span(start, end, NAME, (TITLES[short], *(piece.shown for piece in pieces[place + 1 : end])))


def _uncontracted(pieces: Sequence[Piece], spans: Sequence[Span]) -> list[Piece]:
    """The words al and del before a title are read as a and de, for the title takes the article."""
    made = list(pieces)
    for span in spans:
        before = span.start - 1
        if span.kind == NAME and before >= 0 and pieces[before].shown.lower() in _CONTRACTED:
            made[before] = replace(pieces[before], read=(_CONTRACTED[pieces[before].shown.lower()],))
    return made
