"""Tokenising and the vocabulary."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.core.errors import UserError
from attnviewer.core.text import END, PAD, START, UNKNOWN, Vocabulary, tokenise

SMALL = Vocabulary(("a", "dog", "t-shirt", "won't"))


@pytest.mark.parametrize(
    ("caption", "words"),
    [
        ("A dog runs on the grass .", ["a", "dog", "runs", "on", "the", "grass"]),
        ('Two dogs, "playing"!', ["two", "dogs", "playing"]),
        ("a man's t-shirt -- it won't fit", ["a", "man's", "t-shirt", "it", "won't", "fit"]),
        ("«Ein Café» — schön…", ["ein", "café", "schön"]),
        ("cafe\u0301", ["café"]),
        ("a\u200b dog\0", ["a", "dog"]),
        (" \n", []),
        ("<start> <unk>", ["start", "unk"]),
    ],
)
def test_captions_become_lower_case_words(caption: str, words: list[str]) -> None:
    assert tokenise(caption) == words


@given(st.text())
def test_tokenising_twice_changes_nothing(caption: str) -> None:
    words = tokenise(caption)
    assert tokenise(" ".join(words)) == words


@given(st.text())
def test_no_text_becomes_a_mark(caption: str) -> None:
    assert not {PAD, START, END} & set(SMALL.encode(tokenise(caption)))
    assert not {PAD, START, END} & set(SMALL.encode(caption.split()))


def test_ids_follow_the_marks() -> None:
    assert SMALL.encode(["a", "cat", "won't"]) == [4, UNKNOWN, 7]
    assert (SMALL.pad, SMALL.start, SMALL.end, SMALL.unknown, len(SMALL)) == (0, 1, 2, 3, 8)
    assert "dog" in SMALL
    assert "cat" not in SMALL


def test_decoding_shows_no_marks_and_stops_at_the_end() -> None:
    assert SMALL.decode([START, 4, 5, PAD, UNKNOWN, END, 6]) == ["a", "dog", "(unknown)"]
    assert [SMALL.word(mark) for mark in (PAD, START, END)] == ["", "", ""]


def test_a_vocabulary_survives_its_file(tmp_path: Path) -> None:
    SMALL.save(tmp_path / "vocab.txt")
    assert Vocabulary.load(tmp_path / "vocab.txt") == SMALL
    assert (tmp_path / "vocab.txt").read_bytes() == b"a\ndog\nt-shirt\nwon't\n"


@pytest.mark.parametrize("content", [b"", b"a\na\n", b"two words\n", b"a\n\nb\n", b"\xff"])
def test_a_file_that_is_no_vocabulary_gives_one_line(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_bytes(content)
    with pytest.raises(UserError, match="is no vocabulary"):
        Vocabulary.load(tmp_path / "vocab.txt")


def test_a_missing_vocabulary_gives_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="can't read the vocabulary"):
        Vocabulary.load(tmp_path / "vocab.txt")
