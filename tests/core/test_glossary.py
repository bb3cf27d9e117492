"""Translations of single words: found as written or in small letters, kept in a file."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from attnviewer.core.errors import UserError
from attnviewer.core.glossary import Glossary, openers

SMALL = Glossary({"canoa": "canoe", "Polonia": "Poland", "llama": "flame"})


@pytest.mark.parametrize(
    ("word", "said"), [("canoa", "canoe"), ("Polonia", "Poland"), ("polonia", "polonia"), ("Ana", "Ana"), ("", "")]
)
def test_a_word_is_looked_up_or_stays(word: str, said: str) -> None:
    assert SMALL(word) == said


def test_the_capital_of_a_word_that_opens_a_sentence_is_no_name() -> None:
    assert (SMALL("Llama"), SMALL("Llama", opens=True)) == ("Llama", "flame")
    assert (SMALL("Ana", opens=True), SMALL("Polonia", opens=True)) == ("Ana", "Poland")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("¿ Llama Ana ?", {1}),
        ("el", {0}),
        ("? !", set()),
        ("", set()),
        ('Sí . ¡ No ! " Ya "', {0, 3, 6}),
        ("a las 7 , 30", {0}),
    ],
)
def test_sentences_begin_with_the_first_word_behind_a_mark_that_ends_one(words: str, found: set[int]) -> None:
    assert openers(words.split()) == found


def test_the_same_words_make_the_same_file(tmp_path: Path) -> None:
    for name, words in (("a", SMALL.words), ("b", dict(reversed(SMALL.words.items())))):
        Glossary(words).save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert Glossary.load(tmp_path / "a") == SMALL


def test_without_a_file_there_are_no_words(tmp_path: Path) -> None:
    assert Glossary.load(tmp_path / "none").words == {}


@pytest.mark.parametrize(
    "content", [b"canoa\tcanoe\n", gzip.compress(b"canoa canoe\n", mtime=0), gzip.compress(b"\xff", mtime=0)]
)
def test_a_broken_file_is_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "glossary.tsv.gz"
    path.write_bytes(content)
    with pytest.raises(UserError, match="no glossary"):
        Glossary.load(path)
