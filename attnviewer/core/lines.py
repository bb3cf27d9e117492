"""Lines of text to ask: from a string or from a file, with one clear line where the file is no text."""

from __future__ import annotations

import codecs
import io
import re
import stat
from pathlib import Path

from attnviewer.core.errors import UserError

MOST = 100_000
LARGEST = 64_000_000
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def split_lines(text: str) -> tuple[str, ...]:
    """The lines of `text` without those that are empty; raises `UserError` for none or too many."""
    lines = tuple(filter(None, (" ".join(line.split()) for line in text.splitlines())))
    if not lines:
        raise UserError("there are no lines to ask; give at least one line of text.")
    if len(lines) > MOST:
        raise UserError(f"there are {len(lines):,} lines, more than the {MOST:,} allowed; split the text.")
    return lines


def split_words(sentence: str) -> tuple[str, ...]:
    """The words of a sentence as typed, without punctuation; raises `UserError` for none."""
    words = tuple(_WORD.findall(sentence))
    if not words:
        raise UserError("the sentence holds no words; give at least one.")
    return words


def read_lines(path: str | Path) -> tuple[str, ...]:
    """The lines of a text file (.txt, .md, .csv or any other); raises `UserError` where it is no text."""
    text = read_text(path)
    try:
        return split_lines(text)
    except UserError as error:
        raise UserError(f"{Path(path).name}: {error}") from None


def read_rows(path: str | Path) -> tuple[str, ...]:
    """Every line of a text file as it stands, the empty ones too; raises `UserError` where it is no text."""
    return tuple(row.rstrip("\n") for row in io.StringIO(read_text(path), newline=None))


def read_text(path: str | Path) -> str:
    """What a text file holds; raises `UserError` where it is no text, too large, or can't be read."""
    path = Path(path)
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise UserError(f"{path} is no regular file; give a text file.")
        if status.st_size > LARGEST:
            raise UserError(f"{path.name} is larger than {LARGEST // 1_000_000} MB; split it first.")
        return _decode(path.read_bytes())
    except OSError as error:
        reason = (error.strerror or "it can't be read").lower()
        raise UserError(f"can't open {path}: {reason}; check its name and permissions.") from None
    except ValueError:
        raise UserError(f"{path.name} is not text; give a .txt, .md or .csv file.") from None


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
