"""Tables for a terminal."""

from attnviewer.measure.table import table


def test_numbers_stand_to_the_right_and_texts_to_the_left() -> None:
    assert table(["name", "bleu"], [["soft", 24.5], ["hard attention", 5.25]], 2).splitlines() == [
        "name             bleu",
        "--------------  -----",
        "soft            24.50",
        "hard attention   5.25",
    ]


def test_what_is_missing_is_a_dash() -> None:
    assert table(["a", "b"], [["x", None]]).splitlines()[-1] == "x  -"


def test_a_table_without_rows_is_its_headers() -> None:
    assert table(["a", "bb"], []).splitlines() == ["a  bb", "-  --"]
