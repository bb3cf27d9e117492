"""Tables as text: separators, records, and headers."""

from __future__ import annotations

import pytest

from attnviewer.core.records import separator, split_records


@pytest.mark.parametrize(
    ("text", "mark"),
    [("a,b\n1,2", ","), ("a;b;c\n1,5;2;3", ";"), ("a\tb", "\t"), ("text\nno mark", ","), ('"a, b, c";d;e', ";")],
)
def test_the_separator_is_the_mark_outside_quotes(text: str, mark: str) -> None:
    assert separator(text) == mark


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("id,note\n1,x\n2,y\n", ("id", "note")),
        ("text\na dog runs on the grass\nthe puppy sleeps\n", ("text",)),
        ("a dog runs,the puppy sleeps\na cat sits,a bird sings\n", ()),
        ("1,2\n3,4\n", ()),
        ("name,name\n1,2\n", ()),
        ("dog\ncat\nbird\n", ()),
        ("id,note\n", ()),
    ],
)
def test_a_header_is_told_from_a_record(text: str, header: tuple[str, ...]) -> None:
    rows, found = split_records(text)
    assert found == header
    assert len(rows) == text.count("\n") - bool(header)


def test_empty_cells_and_rows_leave_nothing_behind() -> None:
    rows, _ = split_records("x y z, ,b\n,,\n\nc,,\n")
    assert rows == [(1, ["x y z", "b"]), (4, ["c"])]
