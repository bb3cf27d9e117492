"""Sentence pairs made by rule from templates and from the training split: numbers, times, dates, names, single words.

Every pair comes with its links, for the template knows which words belong together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from attnviewer.core.glossary import Glossary, spoken
from attnviewer.core.sentence import detokenize, tokenize
from attnviewer.core.spanish.numbers import MONTHS, ordinal, spelled, spelled_spanish
from attnviewer.data.pairs import Links, Pair

Made = tuple[Pair, Links]
Slot = Callable[[np.random.Generator], tuple[str, str]]

SHORT = 3  # spoken words of a pair that is shown again, as people type greetings
FREQUENT = 3  # how often a name or a single word must occur

TEMPLATES = (
    "Me llamo=My name is | {name} | .",
    "Hola=Hello | , | me llamo=my name is | {name} | .",
    "Mi hermano se llama=My brother's name is | {name} | .",
    "Mi hermana se llama=My sister's name is | {name} | .",
    "Mi nombre es=My name is | {name} | .",
    "Soy=I'm | {name} | .",
    "Este es=This is | {name} | .",
    "{name} | vive en=lives in | {name} | .",
    "Vivo en=I live in | {name} | .",
    "Soy de=I'm from | {name} | .",
    "Trabajo en=I work in | {name} | .",
    "{name} | y=and | {name} | son amigos=are friends | .",
    "Tengo=I'm | {age} | años=years old | .",
    "Tiene=He is | {age} | años=years old | .",
    "{name} | tiene=is | {age} | años=years old | .",
    "Mi hija tiene=My daughter is | {age} | años=years old | .",
    "¿Tienes=Are you | {age} | años=years old | ?",
    "Cuesta=It costs | {count} | euros=euros | .",
    "Cuesta=It costs | {count} | dólares=dollars | .",
    "Pagué=I paid | {count} | euros=euros | por esto=for this | .",
    "Tengo=I have | {count} | libros=books | .",
    "Compré=I bought | {count} | manzanas=apples | .",
    "Hay=There are | {count} | personas=people | aquí=here | .",
    "Necesito=I need | {count} | minutos=minutes | más=more | .",
    "Son=It's | las {hour}={hour} | .",
    "Son=It's | las {half}={half} | .",
    "La reunión es=The meeting is | a=at | las {hour}={hour} | .",
    "El tren sale=The train leaves | a=at | las {half}={half} | .",
    "La tienda cierra=The store closes | a=at | las {hour}={hour} | .",
    "Me levanto=I get up | a=at | las {half}={half} | .",
    "A=At | las {hour}={hour} | .",
    "Hoy es=Today is | {date} | .",
    "Mi cumpleaños es=My birthday is | {date} | .",
    "Nací=I was born | el {date}=on {date} | .",
    "Nací en=I was born in | {year} | .",
    "La casa es de=The house is from | {year} | .",
    "Estamos en=It's | {month} | .",
    "Vuelvo en=I'll be back in | {month} | .",
    "Vivo en el número=I live at number | {digits} | .",
    "Mi habitación es la=My room is | {digits} | .",
    "La página=Page | {digits} | , | por favor=please | .",
)  # Spanish=English, or what is alike in both; | ends a part whose words are linked with one another


def composed(
    pairs: Sequence[Pair], links: Sequence[Links], glossary: Glossary, count: int, seed: int
) -> Iterator[Made]:
    """So many pairs made by rule: half from templates, a quarter single words, a quarter short pairs shown again."""
    random = np.random.default_rng(seed)
    slots = _slots(_names(pairs))
    words = _single_words(pairs, glossary)
    short = [made for made in zip(pairs, links, strict=True) if sum(map(spoken, made[0].source)) <= SHORT]
    for number in range(count):
        kind = number % 4
        if kind < 2 or (kind == 2 and not words) or (kind == 3 and not short):
            yield _filled(TEMPLATES[random.integers(len(TEMPLATES))], slots, random)
        elif kind == 2:
            yield words[random.integers(len(words))]
        else:
            yield short[random.integers(len(short))]


def _filled(template: str, slots: Mapping[str, Slot], random: np.random.Generator) -> Made:
    """A template with its slots filled, as a pair with links."""
    source: list[str] = []
    target: list[str] = []
    links: set[tuple[int, int]] = set()
    for part in template.split(" | "):
        spanish, _, english = part.partition("=")
        said = {name: slot(random) for name, slot in slots.items() if f"{{{name}}}" in part}
        sides = [
            tokenize(text.format(**{name: both[side] for name, both in said.items()}))
            for side, text in enumerate((spanish, english or spanish))
        ]
        links |= {(len(source) + s, len(target) + t) for s in range(len(sides[0])) for t in range(len(sides[1]))}
        source += sides[0]
        target += sides[1]
    return _pair(source, target), frozenset(links)


def _pair(source: Sequence[str], target: Sequence[str]) -> Pair:
    return Pair(tuple(source), tuple(target), (detokenize(source), detokenize(target)))


def _slots(names: Sequence[str]) -> dict[str, Slot]:
    return {
        "name": lambda random: (name := names[random.integers(len(names))], name),
        "age": lambda random: _count(random, 2, 100),
        "count": lambda random: _count(random, 2, 1000),
        "hour": _hour,
        "half": _half,
        "date": _date,
        "month": lambda random: _month(int(random.integers(12))),
        "year": lambda random: (year := str(random.integers(1900, 2030)), year),
        "digits": lambda random: (digits := str(random.integers(2, 1000)), digits),
    }


def _count(random: np.random.Generator, low: int, high: int) -> tuple[str, str]:
    """A number in digits, or half the time in words."""
    value = int(random.integers(low, high))
    return (str(value), str(value)) if random.random() < 0.5 else (spelled_spanish(value), spelled(value))


def _hour(random: np.random.Generator) -> tuple[str, str]:
    value = int(random.integers(2, 13))
    return spelled_spanish(value), spelled(value)


def _half(random: np.random.Generator) -> tuple[str, str]:
    value = int(random.integers(2, 12))
    return f"{spelled_spanish(value)} y media", f"half past {spelled(value)}"


def _month(number: int) -> tuple[str, str]:
    return MONTHS[0][number], MONTHS[1][number]


def _date(random: np.random.Generator) -> tuple[str, str]:
    day, (spanish, english) = int(random.integers(2, 31)), _month(int(random.integers(12)))
    return f"{day} de {spanish}", f"{english} {ordinal(day)}"


def _names(pairs: Sequence[Pair]) -> list[str]:
    """Words with a capital behind the first place, the same in both languages, that occur often enough."""
    counts: Counter[str] = Counter()
    for pair in pairs:
        counts.update({w for w in pair.source[1:] if w.istitle() and len(w) > 2 and w in pair.target[1:]})
    return [name for name, times in sorted(counts.items()) if times >= FREQUENT] or ["Ana"]


def _single_words(pairs: Sequence[Pair], glossary: Glossary) -> list[Made]:
    """Words in small letters that occur often enough, with what the glossary says of them."""
    counts = Counter(word for pair in pairs for word in pair.source if word.isalpha() and word.islower())
    told = ((word, glossary(word)) for word, times in sorted(counts.items()) if times >= FREQUENT)
    return [(_pair([word], [english]), frozenset({(0, 0)})) for word, english in told if english != word]
