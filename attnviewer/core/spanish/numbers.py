"""Spanish numbers, times and dates in words or digits, and how English says them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

NUMBER, TIME, DATE = "number", "time", "date"
_UNITS = [
    "cero",
    "uno",
    "dos",
    "tres",
    "cuatro",
    "cinco",
    "seis",
    "siete",
    "ocho",
    "nueve",
    "diez",
    "once",
    "doce",
    "trece",
    "catorce",
    "quince",
]
_TEENS = [
    "dieciséis",
    "diecisiete",
    "dieciocho",
    "diecinueve",
    "veinte",
    "veintiuno",
    "veintidós",
    "veintitrés",
    "veinticuatro",
    "veinticinco",
]
_TWENTIES = ["veintiséis", "veintisiete", "veintiocho", "veintinueve"]
_BELOW_THIRTY = (*_UNITS, *_TEENS, *_TWENTIES)
SMALL = {word: value for value, word in enumerate(_BELOW_THIRTY)} | {
    "un": 1, "una": 1, "veintiún": 21, "veintiuna": 21, "dieciseis": 16, "veintidos": 22, "veintitres": 23,
    "veintiseis": 26, "veintiun": 21,
}  # fmt: skip
_SPANISH_TENS = ["veinte", "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa"]
TENS = {word: 10 * value for value, word in enumerate(_SPANISH_TENS, 2)}
_HUNDREDS = [
    "ciento",
    "doscient",
    "trescient",
    "cuatrocient",
    "quinient",
    "seiscient",
    "setecient",
    "ochocient",
    "novecient",
]
HUNDREDS = {"cien": 100, "ciento": 100} | {
    f"{stem}{end}": 100 * v for v, stem in enumerate(_HUNDREDS[1:], 2) for end in ("os", "as")
}
MONTHS = (
    [
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ],
    [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
)
_MONTH = dict(zip(*MONTHS, strict=True)) | {"setiembre": "September"}
_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_YEARS = range(1100, 2100)
_BEFORE_YEARS = ("en", "de", "del", "desde", "hasta", "año", "para")
_HOURS = ("la", "las")
_AFTER_ONE = (".", ",", "!", "?", ";", "y", "menos", "en", "")  # what may follow "la una", the hour
_DOTTED, _COMMA = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?"), re.compile(r"\d+,(?!\d{3}$)\d+")
_DIGITS = re.compile(r"\d+(?:[:/.\-]\d+)*")


@dataclass(frozen=True)
class Span:
    """Words of a text, `start` to before `end`, that a rule can say.

    `easy` is one word or number that a net may well know itself.
    """

    start: int
    end: int
    kind: str
    said: tuple[str, ...]
    easy: bool = False


def number_spans(words: Sequence[str]) -> Iterator[Span]:
    """The numbers, times and dates of a text, in small letters, in order."""
    at = 0
    while at < len(words):
        found = _date(words, at) or _time(words, at) or _digits(words, at) or _number(words, at)
        if found is not None:
            yield found
        at = at + 1 if found is None else found.end


def cardinal(words: Sequence[str], at: int = 0) -> tuple[int, int] | None:
    """The value of the longest number in words that begins at `at`, and where it ends; None without one."""
    millions = _below_million(words, at)
    if millions is None or _word(words, millions[1]) not in ("millón", "millones"):
        return millions
    end = millions[1] + 1
    rest = _below_million(words, end)
    return (millions[0] * 10**6 + rest[0], rest[1]) if rest else (millions[0] * 10**6, end)


def spelled(value: int) -> str:
    """A number below a thousand million in English words."""
    for size, name in ((10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if value >= size:
            rest = value % size
            return f"{spelled(value // size)} {name}" + (f" {spelled(rest)}" if rest else "")
    if value < len(_ONES):
        return _ONES[value]
    tens, ones = divmod(value, 10)
    return _TENS[tens - 2] + (f"-{_ONES[ones]}" if ones else "")


def spelled_spanish(value: int) -> str:
    """A number below a thousand in Spanish words, as `cardinal` reads it."""
    hundreds, rest = divmod(value, 100)
    if hundreds:
        head = "cien" if value == 100 else "ciento" if hundreds == 1 else f"{_HUNDREDS[hundreds - 1]}os"
        return f"{head} {spelled_spanish(rest)}" if rest else head
    if rest < len(_BELOW_THIRTY):
        return _BELOW_THIRTY[rest]
    tens, ones = divmod(rest, 10)
    return _SPANISH_TENS[tens - 2] + (f" y {_BELOW_THIRTY[ones]}" if ones else "")


def ordinal(value: int) -> str:
    """A number as a place in a row: 1st, 2nd, 3rd, 4th."""
    end = "th" if value % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    return f"{value}{end}"


def english_digits(word: str) -> str | None:
    """A number in digits as English writes it: 10.000 is 10,000, and 3,5 is 3.5; None for what is no number."""
    if _DOTTED.fullmatch(word) or _COMMA.fullmatch(word):
        return word.translate(str.maketrans(".,", ",."))
    if word[-1:] in "ºª" and word[:-1].isascii() and word[:-1].isdigit():
        return ordinal(int(word[:-1]))
    return word if word.isascii() and _DIGITS.fullmatch(word) else None


def _below_thousand(words: Sequence[str], at: int) -> tuple[int, int] | None:
    hundreds = HUNDREDS.get(_word(words, at), 0)
    place = at + 1 if hundreds else at
    word = _word(words, place)
    if word in TENS:
        unit = SMALL.get(_word(words, place + 2), 0) if _word(words, place + 1) == "y" else 0
        return (hundreds + TENS[word] + unit, place + 3) if 0 < unit < 10 else (hundreds + TENS[word], place + 1)
    if word in SMALL:
        return hundreds + SMALL[word], place + 1
    return (hundreds, place) if hundreds else None


def _below_million(words: Sequence[str], at: int) -> tuple[int, int] | None:
    first = (1, at) if _word(words, at) == "mil" else _below_thousand(words, at)
    if first is None or _word(words, first[1]) != "mil":
        return first
    rest = _below_thousand(words, first[1] + 1)
    return (1000 * first[0] + rest[0], rest[1]) if rest else (1000 * first[0], first[1] + 1)


def _number(words: Sequence[str], at: int) -> Span | None:
    found = cardinal(words, at)
    if found is None or (words[at] in ("un", "una", "uno") and found[1] == at + 1):
        return None
    value, end = found
    if value >= 10**9:
        return None
    year = value in _YEARS and end - at > 2 and at > 0 and words[at - 1] in _BEFORE_YEARS
    said = str(value) if year else spelled(value)
    if words[end - 1] in ("millón", "millones") and _word(words, end) == "de":
        end += 1
    return Span(at, end, NUMBER, tuple(said.split()), easy=end - at == 1)


def _digits(words: Sequence[str], at: int) -> Span | None:
    said = english_digits(words[at])
    if said is None:
        return None
    kind = TIME if re.fullmatch(r"\d{1,2}:\d{2}", said) else DATE if said.count("/") == 2 else NUMBER
    return Span(at, at + 1, kind, (said,), easy=said == words[at])


def _date(words: Sequence[str], at: int) -> Span | None:
    """A day and its month, and the year if it follows."""
    day = (1, at + 1) if words[at] in ("primero", "1º") else _value(words, at)
    if day is None or not 1 <= day[0] <= 31 or _word(words, day[1]) != "de":
        return None
    month, end = _MONTH.get(_word(words, day[1] + 1)), day[1] + 2
    if month is None:
        return None
    said = [month, ordinal(day[0])]
    if _word(words, end) in ("de", "del") and (year := _value(words, end + 1)) and year[0] in range(1000, 2200):
        said, end = [month, str(day[0]), ",", str(year[0])], year[1]
    return Span(at, end, DATE, tuple(said))


def _value(words: Sequence[str], at: int) -> tuple[int, int] | None:
    word = _word(words, at)
    return (int(word), at + 1) if word.isascii() and word.isdigit() and len(word) < 5 else cardinal(words, at)


def _time(words: Sequence[str], at: int) -> Span | None:
    """An hour behind its article, with minutes; one o'clock by itself."""
    hour = SMALL.get(words[at])
    if at == 0 or words[at - 1] not in _HOURS or hour is None or not 1 <= hour <= 24:
        return None
    minutes = _minutes(words, at + 1)
    if minutes is None:
        after = _word(words, at + 1)
        alone = after in _AFTER_ONE or (after == "de" and _word(words, at + 2) == "la")
        return Span(at, at + 1, TIME, ("one", "o'clock")) if words[at] == "una" and alone else None
    of_day = (60 * hour + minutes[0]) % 1440
    hours = of_day // 60
    return Span(at, minutes[1], TIME, (f"{12 if hours == 0 and hour <= 12 else hours}:{of_day % 60:02}",))


def _minutes(words: Sequence[str], at: int) -> tuple[int, int] | None:
    """Minutes past the hour, negative before it, and where they end."""
    sign = {"y": 1, "con": 1, "menos": -1}.get(_word(words, at), 0)
    place = at + 1 if sign else at
    word = _word(words, place)
    if sign and word in ("cuarto", "media"):
        return sign * (15 if word == "cuarto" else 30), place + 1
    found = _below_thousand(words, place)
    if found is None or not 0 < found[0] < 60 or (not sign and found[0] < 5):
        return None
    return (sign or 1) * found[0], found[1] + (_word(words, found[1]) == "minutos")


def _word(words: Sequence[str], at: int) -> str:
    return words[at] if 0 <= at < len(words) else ""
