"""Lines of text from strings and files."""

from __future__ import annotations

import os

import pytest

from attnviewer.core.errors import UserError
from attnviewer.core.lines import MOST, read_lines, read_rows, split_lines, split_words


def test_empty_lines_are_left_out_and_spaces_made_single():
    assert split_lines("one\n\n  two   three \r\n\t\n") == ("one", "two three")


def test_a_single_line_is_enough_and_too_many_are_refused():
    assert split_lines("one") == ("one",)
    assert len(split_lines("x\n" * MOST)) == MOST
    with pytest.raises(UserError, match="100,001 lines"):
        split_lines("x\n" * (MOST + 1))


def test_words_stay_as_typed():
    assert split_words("The dog's ball — it's well-worn!") == ("The", "dog's", "ball", "it's", "well-worn")


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"plain\n", ("plain",)),
        ("naïve café".encode(), ("naïve café",)),
        ("naïve".encode("cp1252"), ("naïve",)),
        ("dog\nhund".encode("utf-16"), ("dog", "hund")),
        ("dog".encode("utf-8-sig"), ("dog",)),
        (b"a,b\n1,2\n", ("a,b", "1,2")),
    ],
)
def test_text_files_are_read_in_their_encoding(tmp_path, data, lines):
    (tmp_path / "a.txt").write_bytes(data)
    assert read_lines(tmp_path / "a.txt") == lines


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "is not text"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "is not text"),
        (b"", "no lines"),
        (b"\n \n", "no lines"),
    ],
)
def test_what_is_no_text_is_told_in_one_line(tmp_path, data, words):
    (tmp_path / "a.txt").write_bytes(data)
    with pytest.raises(UserError, match=words) as caught:
        read_lines(tmp_path / "a.txt")
    assert "a.txt" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_no_file_is_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for name, words in (("pipe", "no regular file"), (".", "no regular file"), ("none.txt", "can't open")):
        with pytest.raises(UserError, match=words):
            read_lines(tmp_path / name)


def test_rows_keep_empty_lines_and_end_where_an_editor_ends_them(tmp_path):
    (tmp_path / "a.txt").write_bytes("uno\r\n\n  dos \rtres\u2028cuatro\n".encode())
    assert read_rows(tmp_path / "a.txt") == ("uno", "", "  dos ", "tres\u2028cuatro")
