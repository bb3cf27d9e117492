"""A sentence as a net reads it: its own words, and stand-ins for what the net has no word for but can be told anyway.

Numbers, addresses and strange names are read as a number, a place or a name that the net knows; what it says for that
is put right afterwards (Luong et al. 2015; Crego et al. 2016, *SYSTRAN's pure neural machine translation systems*).

Letters: S words that are read, L locations: the pieces of the text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from random import Random

from attnviewer.core.glossary import openers, spoken
from attnviewer.core.sentence import HIDDEN
from attnviewer.core.spanish import Piece, Reading, Span
from attnviewer.core.spanish.marks import ASIDE, COPY
from attnviewer.core.spanish.numbers import DATE, NUMBER, TIME
from attnviewer.core.spanish.reading import NAME
from attnviewer.core.trace import COPIED, KEPT, LOOKED_UP, RULE
from attnviewer.zoo.translators import LoadedWords

_PLACE, _HER, _YEAR, _LARGE = "place", "her name", "year", "large"
_SIZES = {"hundred", "thousand", "million"}
# what may be read for a thing of a kind, and what a net then says; the first that a net knows and the text hasn't
STAND_INS: dict[str, tuple[tuple[str, frozenset[str]], ...]] = {
    kind: tuple((read, frozenset(said.split("|"))) for read, said in rows.items())
    for kind, rows in {
        NUMBER: {"30": "30|thirty", "20": "20|twenty", "50": "50|fifty"},
        _LARGE: {"300": "300", "500": "500", "200": "200"},
        _YEAR: {"1939": "1939", "2013": "2013", "1945": "1945"},
        TIME: {"2:30": "2:30"},
        DATE: {"lunes": "Monday|Mondays", "martes": "Tuesday|Tuesdays", "viernes": "Friday|Fridays"},
        NAME: {"Tom": "Tom", "John": "John"},
        _HER: {"Mary": "Mary"},
        _PLACE: {"Boston": "Boston", "Australia": "Australia"},
    }.items()
}
_ARTICLES = ("el", "la", "las", "los")


@dataclass(frozen=True)
class StandIn:
    """A word that is read for another thing: what a net says for it, and what is said in the place of that."""

    places: tuple[int, ...]
    answers: frozenset[str]
    said: str
    found: str


@dataclass(frozen=True)
class Asked:
    """A sentence as it is read.

    Parameters
    ----------
    words : the words that a net reads.
    places : for each of them the pieces of the text that it stands for.
    stand_ins : those words that stand for other things.
    asides : the pieces that are kept aside, by their place.
    before : how many of the words stand before each piece of the sentence.
    ready : what is said without any net, with the pieces each part stands for and how it was found; or None.
    """

    words: tuple[str, ...]
    places: tuple[tuple[int, ...], ...]
    stand_ins: dict[int, StandIn] = field(default_factory=dict)
    asides: dict[int, Piece] = field(default_factory=dict)
    before: dict[int, int] = field(default_factory=dict)
    ready: tuple[tuple[str, tuple[int, ...], str], ...] | None = None

    def without(self, hidden: Collection[int]) -> Asked:
        """The same, with the words of some pieces of the text hidden."""
        marks = [not set(places).isdisjoint(hidden) for places in self.places]
        if not any(marks):
            return self
        words = tuple(HIDDEN if mark else word for word, mark in zip(self.words, marks, strict=True))
        kept = {place: one for place, one in self.stand_ins.items() if not marks[place]}
        return replace(self, words=words, stand_ins=kept)

    @cached_property
    def framed(self) -> bool:
        """Whether all that is kept aside stands before or behind the words."""
        return all(self.before[place] in (0, len(self.words)) for place in self.asides)


def asked_of(reading: Reading, words: LoadedWords) -> list[Asked]:
    """The sentences of a text."""
    return [_asked(reading, places, words) for places in reading.sentences]


def as_read(reading: Reading) -> list[Asked]:
    """The sentences of a text whose translation is given: every word as it is, and no marks that aren't read."""
    found = [one for places in reading.sentences if (one := _plain(reading, places)).words]
    return found or [Asked(reading.tokens, tuple((place,) for place in range(len(reading.pieces))))]


def joined(sentences: Sequence[Asked]) -> Asked:
    """Some sentences as one."""
    words = tuple(word for one in sentences for word in one.words)
    return Asked(words, tuple(place for one in sentences for place in one.places))


def shuffled(asked: Asked) -> Asked:
    """A sentence with its words in another order, which hangs on the words alone, so that every net reads the same."""
    order = Random(" ".join(asked.words)).sample(range(len(asked.words)), len(asked.words))
    words, places = tuple(asked.words[at] for at in order), tuple(asked.places[at] for at in order)
    moved = {new: asked.stand_ins[old] for new, old in enumerate(order) if old in asked.stand_ins}
    return replace(asked, words=words, places=places, stand_ins=moved)


def _plain(reading: Reading, places: Iterable[int]) -> Asked:
    read = [(word, (n,)) for n in places for word in (reading.pieces[n].read or _copied(reading.pieces[n]))]
    return Asked(tuple(word for word, _ in read), tuple(places for _, places in read))


def _copied(piece: Piece) -> tuple[str, ...]:
    return (piece.shown,) if piece.kind == COPY else ()


def _asked(reading: Reading, places: range, words: LoadedWords) -> Asked:
    pieces = {place: reading.pieces[place] for place in places}
    asides = {place: piece for place, piece in pieces.items() if piece.kind == ASIDE}
    spans = {span.start: span for span in reading.spans if span.start in places}
    said = _ready(pieces, list(spans.values()))
    if said is not None:
        return Asked((), (), ready=said)
    maker = _Maker(reading, pieces, words)
    before, place = {}, places.start
    while place < places.stop:
        before[place] = len(maker.words)
        span = spans.get(place)
        if span is not None and maker.strange(span):
            maker.stand_in(_kind(span), tuple(range(span.start, span.end)), " ".join(span.said), RULE)
            place = span.end
            continue
        place = maker.piece(place)
    if not maker.words:
        return Asked((), (), ready=_all_copied(pieces))
    return Asked(tuple(maker.words), tuple(maker.places), maker.stand_ins, asides, before)


def _ready(pieces: dict[int, Piece], spans: Sequence[Span]) -> tuple[tuple[str, tuple[int, ...], str], ...] | None:
    """What is said of a sentence without any net: nothing but marks, or nothing but what one rule can say."""
    heard = [place for place, piece in pieces.items() if piece.spoken]
    if not heard or all(pieces[place].kind == COPY for place in heard):
        return _all_copied(pieces)
    if len(spans) != 1 or spans[0].kind == NAME:
        return None
    inside = range(spans[0].start, spans[0].end)
    rest = [pieces[place].shown.lower() for place in heard if place not in inside]
    if any(word not in _ARTICLES for word in rest) or (rest and spans[0].kind == NUMBER):
        return None
    made: list[tuple[str, tuple[int, ...], str]] = []
    for place, piece in pieces.items():
        if place == inside.start:
            made.append((_joined(spans[0].said), tuple(inside), RULE))
        elif place not in inside and not piece.spoken and piece.shown not in "¿¡":
            made.append((piece.shown, (place,), KEPT))
    return tuple(made)


def _all_copied(pieces: dict[int, Piece]) -> tuple[tuple[str, tuple[int, ...], str], ...]:
    return tuple((piece.shown, (place,), COPIED if piece.spoken else KEPT) for place, piece in pieces.items())


def _joined(said: Sequence[str]) -> str:
    return " ".join(said).replace(" ,", ",")


class _Maker:
    """Collects what is read of one sentence."""

    def __init__(self, reading: Reading, pieces: dict[int, Piece], words: LoadedWords) -> None:
        self._pieces, self._loaded = pieces, words
        self.words: list[str] = []
        self.places: list[tuple[int, ...]] = []
        self.stand_ins: dict[int, StandIn] = {}
        self._shown = {piece.shown.lower() for piece in pieces.values()}
        order = list(pieces)
        heads = openers([piece.shown if piece.kind != COPY else "x" for piece in pieces.values()])
        self._heads = {order[n] for n in heads}

    def strange(self, span: Span) -> bool:
        """Whether a rule is better than the net: the net doesn't know the word, or there are several."""
        word = self._pieces[span.start].shown.lower()
        return not span.easy or word not in self._loaded.speller.vocabulary or span.said[0] not in self._loaded.target

    def piece(self, place: int) -> int:
        """Read a piece as it is, or what stands for it; returns the next one."""
        piece = self._pieces[place]
        if piece.kind == COPY:
            kind = NUMBER if piece.shown[0].isdigit() else NAME if "@" in piece.shown else _PLACE
            self.stand_in(kind, (place,), piece.shown, COPIED)
            return place + 1
        end = self._name_ends(place)
        if end > place:
            self._name(range(place, end))
            return end
        self._read(piece.read or _copied(piece), (place,))
        return place + 1

    def _name(self, places: range) -> None:
        words = [self._pieces[place].shown for place in places]
        said = [self._loaded.glossary(word) for word in words]
        kind = _PLACE if self.words[-1:] == ["en"] else _HER if words[0][-1:] == "a" else NAME
        self.stand_in(kind, tuple(places), " ".join(said), COPIED if said == words else LOOKED_UP)

    def _name_ends(self, place: int) -> int:
        """Where a name ends that begins here and that the net doesn't know; here, where none begins.

        Behind an article it isn't the name of a person, and the net knows better.
        """
        end = place
        while end in self._pieces and self._capital(end):
            end += 1
        unknown = any(self._unknown(n) for n in range(place, end))
        article = place - 1 in self._pieces and self._pieces[place - 1].shown.lower() in (*_ARTICLES, "un", "una")
        return end if unknown and not article else place

    def _capital(self, place: int) -> bool:
        """Whether a piece is a word with a capital that isn't there for the sentence."""
        word = self._pieces[place].shown
        if not (word[0].isupper() and self._pieces[place].read == (word,)):
            return False
        glossary = self._loaded.glossary.words
        return place not in self._heads or (word in glossary and word.lower() not in glossary)

    def _unknown(self, place: int) -> bool:
        word, source = self._pieces[place].shown, self._loaded.speller.vocabulary
        return word not in source and word.lower() not in source

    def stand_in(self, kind: str, places: tuple[int, ...], said: str, found: str) -> None:
        """Read a word that the net knows for some pieces; the pieces themselves where it knows none."""
        source, target = self._loaded.speller.vocabulary, self._loaded.target
        for read, answers in STAND_INS[kind]:
            known = read in source and any(answer in target for answer in answers)
            if known and read.lower() not in self._shown and read not in self.words:
                self.stand_ins[len(self.words)] = StandIn(places, answers, said.replace(" ,", ","), found)
                self._read((read,), places)
                return
        for place in places:
            piece = self._pieces[place]
            self._read(piece.read or _copied(piece), (place,))

    def _read(self, words: Sequence[str], places: tuple[int, ...]) -> None:
        for word in words:
            self.words.append(self._accented(word))
            self.places.append(places)

    def _accented(self, word: str) -> str:
        """A word that the net doesn't know with its accents, where they make it one that it knows."""
        source = self._loaded.speller.vocabulary
        if word in source or not spoken(word) or not word.islower() or word in self._loaded.glossary.words:
            return word
        return accents(source.words).get(folded(word), word)


def _kind(span: Span) -> str:
    """The stand-ins that suit a span."""
    said = span.said[0]
    if span.kind == NAME:
        return _HER if said in ("Mrs.", "Miss") else NAME
    if span.kind != NUMBER:
        return span.kind
    if said.isdigit() and len(said) == 4 and said[:2] in ("18", "19", "20"):
        return _YEAR
    return _LARGE if _SIZES & set(span.said) or (said[0].isdigit() and len(said) > 2) else NUMBER


@lru_cache(maxsize=4)
def accents(words: tuple[str, ...]) -> dict[str, str]:
    """The words of a vocabulary by their spelling without accents, the most frequent ones."""
    return {folded(word): word for word in reversed(words) if word.islower()}


def folded(word: str) -> str:
    """A word without its accents; the tilde of an ñ stays."""
    parts = unicodedata.normalize("NFD", word.replace("ñ", "\0"))
    return "".join(letter for letter in parts if unicodedata.category(letter) != "Mn").replace("\0", "ñ")
