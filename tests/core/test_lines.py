"""Lines of text from strings and files."""

from __future__ import annotations

import os

import pytest

from attnviewer.core.errors import UserError
from attnviewer.core.lines import MOST, excerpt, read_lines, read_rows, split_lines, split_words


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
    assert read_lines(tmp_path / "a.txt").texts == lines


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


def test_lines_keep_the_numbers_they_have_in_the_file(tmp_path):
    (tmp_path / "a.txt").write_text("\n\nalpha beta\n\na  puppy runs\n")
    lines = read_lines(tmp_path / "a.txt")
    assert lines.texts == ("alpha beta", "a puppy runs")
    assert lines.numbers == (3, 5)


def test_a_quoted_cell_of_a_table_is_one_text_whatever_it_holds(tmp_path):
    (tmp_path / "notes.csv").write_bytes(b'id,note\r\n1,"a dog\r\nand a guitar"\r\n2,"he said ""hello"""\r\n')
    lines = read_lines(tmp_path / "notes.csv")
    assert lines.texts == ("1 a dog and a guitar", '2 he said "hello"')
    assert lines.numbers == (2, 4)
    assert lines.notes == ("The first row is taken for the names of the columns: id, note.",)


def test_a_table_whose_quotes_do_not_match_is_read_by_lines(tmp_path):
    (tmp_path / "bad.csv").write_text('a,"b\nc,d\n')
    lines = read_lines(tmp_path / "bad.csv")
    assert lines.texts == ('a,"b', "c,d")
    assert "line by line" in lines.notes[0]


@pytest.mark.parametrize(
    ("passage", "shown"),
    [(None, "abcdefg…"), ((0, 3), "abcdefg…"), ((12, 14), "…klmnop…"), ((23, 26), "…tuvwxyz"), ((4, 20), "…fghijk…")],
)
def test_a_long_line_is_shown_around_its_passage(passage, shown):
    assert excerpt("abcdefghijklmnopqrstuvwxyz", passage, 8) == shown


def test_a_short_line_is_shown_whole():
    assert excerpt("abc", (1, 2), 8) == "abc"
