"""Sentence pairs, read from a data folder."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from attnviewer.core.errors import UserError
from attnviewer.data.pairs import Pair, load_pairs


def write(folder: Path, text: str) -> None:
    with gzip.open(folder / "es-en.train.tsv.gz", "wt", encoding="utf-8") as file:
        file.write(text)


def test_pairs_are_read_as_words_and_as_they_were_written(tmp_path: Path) -> None:
    write(tmp_path, "¡Hola!\tHello!\tby someone\nAdiós.\tBye.\n")
    first, second = load_pairs(tmp_path, "train")
    assert first == Pair(("¡", "Hola", "!"), ("Hello", "!"), ("¡Hola!", "Hello!"))
    assert second.target == ("Bye", ".")


def test_lines_without_words_on_both_sides_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, "\nalone\n\tHello\nHola\t\n \u200b\tx\nsí\tyes\n")
    assert [pair.target for pair in load_pairs(tmp_path, "train")] == [("yes",)]


WHOLE = gzip.compress("sí\tyes\n".encode() * 99, mtime=0)
BROKEN = [
    None,
    b"",
    b"plain text\twords\n",
    gzip.compress(b"\xff\ta\n", mtime=0),
    WHOLE[:-9],
    WHOLE[:12] + b"\xff" + WHOLE[13:],
]


@pytest.mark.parametrize("content", BROKEN)
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "es-en.dev.tsv.gz").write_bytes(content)
    with pytest.raises(UserError, match="give the tatoeba folder with --data"):
        load_pairs(tmp_path, "dev")
