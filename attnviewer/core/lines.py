"""Lines of text to ask: from a string or from a file, with one clear line where the file is no text."""

from __future__ import annotations

import codecs
import csv
import io
import re
import stat
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from attnviewer.core.errors import UNREADABLE, UserError, reason
from attnviewer.core.i18n import tr
from attnviewer.core.records import split_records

MOST = 100_000
LARGEST = 64_000_000
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


@dataclass(frozen=True)
class Lines:
    """Lines (or records) that aren't empty, and where they stand.

    Parameters
    ----------
    texts : with spaces made single.
    numbers : of each in its file, from 1; blank lines are counted. A record has the number of its first line.
    notes : what was done with the file that its reader should know.
    """

    texts: tuple[str, ...]
    numbers: tuple[int, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, numbered: Iterable[tuple[int, str]], notes: tuple[str, ...] = ()) -> Lines:
        """Those of (number, text) that aren't empty; raises `UserError` for none or too many."""
        kept = [
            (number, text) for number, text in ((number, " ".join(text.split())) for number, text in numbered) if text
        ]
        if not kept:
            raise UserError(tr("there are no lines to ask; give at least one line of text."))
        if len(kept) > MOST:
            raise UserError(
                tr("there are {count} lines, more than the {most} allowed; split the text.",
                   count=f"{len(kept):,}", most=f"{MOST:,}")
            )  # fmt: skip
        return cls(tuple(text for _, text in kept), tuple(number for number, _ in kept), notes)


def number_lines(text: str) -> Lines:
    """The lines of `text` with their numbers; raises `UserError` for none or too many."""
    return Lines.of(enumerate(text.splitlines(), start=1))


def split_lines(text: str) -> tuple[str, ...]:
    """The lines of `text` without those that are empty; raises `UserError` for none or too many."""
    return number_lines(text).texts


def split_words(sentence: str) -> tuple[str, ...]:
    """The words of a sentence as typed, without punctuation; raises `UserError` for none."""
    words = tuple(_WORD.findall(sentence))
    if not words:
        raise UserError(tr("the sentence holds no words; give at least one."))
    return words


def read_lines(path: str | Path) -> Lines:
    """The lines of a text file, or the records of a .csv or .tsv; raises `UserError` where it is no text."""
    text = read_text(path)
    try:
        return READ.get(Path(path).suffix.lower(), number_lines)(text)
    except UserError as error:
        raise UserError(f"{Path(path).name}: {error}") from None


def read_records(text: str) -> Lines:
    """The records of a table, each the text of its cells; raises `UserError` for none or too many."""
    try:
        rows, header = split_records(text)
    except csv.Error:
        plain = number_lines(text)
        return replace(plain, notes=(tr("The file is no well-formed table, so it is read line by line."),))
    said = (tr("The first row is taken for the names of the columns: {names}.", names=", ".join(header)),)
    return Lines.of(((number, " ".join(cells)) for number, cells in rows), said if header else ())


def read_rows(path: str | Path) -> tuple[str, ...]:
    """Every line of a text file as it stands, the empty ones too; raises `UserError` where it is no text."""
    return tuple(row.rstrip("\n") for row in io.StringIO(read_text(path), newline=None))


def excerpt(text: str, passage: tuple[int, int] | None, most: int) -> str:
    """At most `most` characters of a text around its `passage` (start, end), or its head; dots where it is cut."""
    if len(text) <= most:
        return text
    start, end = passage or (0, most)
    spare = max(most - (end - start), 0)
    start = max(min(start - spare // 2, len(text) - most), 0)
    head, tail = "…" * (start > 0), "…" * (start + most < len(text))
    return head + text[start + len(head) : start + most - len(tail)] + tail


def read_text(path: str | Path) -> str:
    """What a text file holds; raises `UserError` where it is no text, too large, or can't be read."""
    if not str(path):
        raise UserError(tr("an empty name is no file; give the name of a text file."))
    path = Path(path)
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise UserError(tr("{path} is no regular file; give a text file.", path=path))
        if status.st_size > LARGEST:
            raise UserError(
                tr("{name} is larger than {largest} MB; split it first.", name=path.name, largest=LARGEST // 1000000)
            )
        return _decode(path.read_bytes())
    except OSError as error:
        raise UserError(
            tr(
                "can't open {path}: {reason}; check its name and permissions.",
                path=path,
                reason=reason(error, UNREADABLE),
            )
        ) from None
    except ValueError:
        raise UserError(tr("{name} is not text; give a .txt, .md or .csv file.", name=path.name)) from None


def seems_text(path: Path) -> bool:
    """Whether the head of a file may be text: it has a byte order mark, or no zero byte."""
    try:
        with path.open("rb") as file:
            head = file.read(1024)
    except OSError:
        return False
    return b"\0" not in head or any(head.startswith(start) for start, _ in _MARKS)


def _decode(data: bytes) -> str:
    """By the byte order mark, else UTF-8, else Western European; raises `ValueError` for what isn't text."""
    mark = next((name for start, name in _MARKS if data.startswith(start)), None)
    try:
        text = data.decode(mark or "utf-8")
    except UnicodeDecodeError:
        text = data.decode("cp1252")
    if _CONTROL.search(text):
        raise ValueError("control characters")
    return text


READ: dict[str, Callable[[str], Lines]] = {".csv": read_records, ".tsv": read_records}
