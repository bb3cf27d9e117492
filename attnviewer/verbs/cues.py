"""Subtitle files (.srt, .vtt): which lines are text, and a translation laid out in the lines of its cue."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path

SUBTITLES = (".srt", ".vtt")
_TIMES = re.compile(r"\s*(?:\d+:)?\d{1,2}:\d{2}[,.]\d{1,3}\s*-->")
_BLOCK = re.compile(r"(?:WEBVTT|NOTE|STYLE|REGION)(?=\s|$)")
_CARRIES_ON = re.compile(r"\s*[a-záéíóúüñ]")


@dataclass(frozen=True)
class Part:
    """Some lines of a file that belong together.

    Parameters
    ----------
    number : of the first line, from 1.
    lines : as they stand.
    kept : whether they stay as they are.
    """

    number: int
    lines: tuple[str, ...]
    kept: bool

    @property
    def text(self) -> str:
        """The lines as one."""
        return " ".join(map(str.strip, self.lines)) if len(self.lines) > 1 else self.lines[0]


def parts_of(path: str, rows: Sequence[str]) -> list[Part]:
    """The lines of a file: each alone, but a sentence over several lines of a cue is one part."""
    if Path(path).suffix.lower() not in SUBTITLES:
        return [Part(number, (row,), kept=False) for number, row in enumerate(rows, start=1)]
    parts: list[Part] = []
    for number, (row, kept) in enumerate(zip(rows, _kept(rows), strict=True), start=1):
        if not kept and parts and not parts[-1].kept and _CARRIES_ON.match(row):
            parts[-1] = Part(parts[-1].number, (*parts[-1].lines, row), kept=False)
        else:
            parts.append(Part(number, (row,), kept))
    return parts


def laid_out(text: str, lines: Sequence[str]) -> str:
    """A translation in as many lines as its source has, broken between words at about the same shares of the length."""
    words = text.split(" ")
    if len(lines) == 1 or len(words) < len(lines):
        return text
    shares = [done / sum(map(len, lines)) for done in accumulate(map(len, lines[:-1]))]
    reached = [len(" ".join(words[:count])) / len(text) for count in range(len(words) + 1)]
    ends = [0]
    for left, share in zip(range(len(lines) - 1, 0, -1), shares, strict=True):
        far = [abs(at - share) for at in reached]
        ends.append(min(range(ends[-1] + 1, len(words) - left + 1), key=far.__getitem__))
    return "\n".join(" ".join(words[start:end]) for start, end in pairwise([*ends, len(words)]))


def _kept(rows: Sequence[str]) -> list[bool]:
    """Which lines aren't text: blank ones, times with the number or name before them, and blocks of notes and style."""
    kept, timed, block = [], False, False
    for row, after in zip(rows, [*rows[1:], ""], strict=True):
        blank, times = not row.strip(), bool(_TIMES.match(row))
        block = not blank and (block or (not timed and bool(_BLOCK.match(row.lstrip("\ufeff")))))
        timed = not blank and (timed or times)
        kept.append(blank or times or block or (not timed and bool(_TIMES.match(after))))
    return kept
