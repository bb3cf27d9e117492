"""What stands in a text beside its words: tags, Markdown, time codes, addresses, emoji, brackets, quotes and dashes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from attnviewer.core.sentence import tokenize

WORD, ASIDE, COPY = "word", "aside", "copy"  # read as words; kept and put back; a thing with a name, copied
TITLES = {
    "sr": "Mr.", "sra": "Mrs.", "srta": "Miss", "srs": "Messrs.", "dr": "Dr.", "dra": "Dr.", "d": "Don", "dña": "Doña",
    "prof": "Professor", "profa": "Professor",
}  # fmt: skip
WHOLE = {  # abbreviations and what they stand for
    "sr": "señor", "sra": "señora", "srta": "señorita", "srs": "señores", "dr": "doctor", "dra": "doctora",
    "d": "don", "dña": "doña", "prof": "profesor", "profa": "profesora", "ud": "usted", "uds": "ustedes", "vd": "usted",
    "vds": "ustedes", "etc": "etcétera", "pág": "página", "págs": "páginas", "núm": "número", "tel": "teléfono",
    "av": "avenida", "avda": "avenida", "aprox": "aproximadamente", "min": "minutos",
}  # fmt: skip
_DASH = "[-–—―]"
_TIME = r"\d{1,2}:\d{2}:\d{2}[,.]\d{1,3}"
_ROOM = r"[^\S\n]*"  # blanks of a line
_PATTERNS = {
    "cue": rf"(?:^{_ROOM}\d+\s+)?{_TIME}\s*-->\s*{_TIME}",
    "tag": r"</?[A-Za-z][^<>\n]*>|\{\\[^{}\n]*\}",
    "link": r"(?:https?://|www\.)[^\s<>\"“”«»]*[^\s<>\"“”«».,;:!?¡¿)\]}…*_]",
    "mail": r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    "named": r"(?<![\w@#])[@#]\w+",
    "number": r"(?<![\w.,])\d{2,}(?:[  -]\d{2,})+(?![\w])",
    "short": r"(?<!\w)(?i:" + "|".join(WHOLE) + r")\.(?=\s|[,;:!?]|$)",
    "line": rf"^{_ROOM}(?:#{{1,6}}(?=\s)|>+|[•·](?=\s)|\*(?=\s)|\d{{1,3}}[.)](?=[^\S\n]+\D)|{_DASH}(?={_ROOM}\S))",
    "style": r"\*{1,3}|`+|~~|(?<!\w)_{1,3}(?=\w)|(?<=[^\s_])_{1,3}(?!\w)",
    "break": rf"\n{_ROOM}\n\s*|\n(?={_ROOM}[^\sa-záéíóúüñ])",
}
_KEPT = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _PATTERNS.items()), re.M)
_KINDS = {"link": COPY, "mail": COPY, "named": COPY, "number": COPY}
QUOTES = dict.fromkeys('"“”„‟«»‹›″', '"')
SAID = {"«": "“", "»": "”", "„": "“", "‹": "‘", "›": "’"}  # marks that English writes in another way
_READ = {**QUOTES, "—": ",", "–": ",", "―": ",", "-": ","}  # marks that a net reads as others
OPENING, CLOSING = set("([{«“„‹<"), set(")]}»”›")


@dataclass(frozen=True)
class Bit:
    """A piece of a text: as it is shown, its kind, what a net reads for it, and whether a line begins before it."""

    shown: str
    kind: str
    read: tuple[str, ...]
    breaks: bool = False


def bits_of(text: str) -> Iterator[Bit]:
    """The pieces of a text in order."""
    done, breaks = 0, False
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    for found in _KEPT.finditer(text):
        for bit in _words(text[done : found.start()], breaks):
            yield bit
            breaks = False
        done, name = found.end(), str(found.lastgroup)
        shown = " ".join(unicodedata.normalize("NFC", found.group()).split())
        if name == "break":
            breaks = True
        elif name == "short":
            yield Bit(shown, WORD, (_as(WHOLE[shown[:-1].lower()], shown),), breaks)
            breaks = False
        else:
            starts = breaks or name in ("cue", "line")
            yield Bit(shown, _KINDS.get(name, ASIDE), (), starts)
            breaks = name == "cue"
    yield from _words(text[done:], breaks)


def _words(text: str, breaks: bool) -> Iterator[Bit]:
    for word in tokenize(text):
        yield _bit(word, breaks)
        breaks = False


def _bit(word: str, breaks: bool) -> Bit:
    if word in QUOTES or pictured(word):
        return Bit(word, ASIDE, (), breaks)
    if word == "…":
        return Bit(word, WORD, (".", ".", "."), breaks)
    return Bit(word, WORD, tuple(filter(None, (_READ.get(word, word),))), breaks)


def pictured(word: str) -> bool:
    """Whether a word is a picture or another symbol: an emoji, a note, an arrow, a sign without a letter."""
    return unicodedata.category(word[0]) in ("So", "Sk") or word[0] in "<>|~^\\" or "\u20e3" in word


def _as(word: str, like: str) -> str:
    return word.capitalize() if like[:1].isupper() else word
