"""Numbers, times and dates in Spanish, and how English says them."""

from __future__ import annotations

import pytest

from attnviewer.core.sentence import tokenize
from attnviewer.core.spanish.numbers import cardinal, english_digits, number_spans, ordinal, spelled

SAID = {
    "cuarenta y dos": ["forty-two"],
    "son las tres y media": ["3:30"],
    "las seis menos cuarto": ["5:45"],
    "a la una menos diez": ["12:50"],
    "a las dos cuarenta": ["2:40"],
    "es la una .": ["one o'clock"],
    "la una de ellas": [],
    "un perro": [],
    "mil novecientos ochenta y cinco": ["one thousand nine hundred eighty-five"],
    "en mil novecientos ochenta y cinco": ["1985"],
    "dos millones de personas": ["two million"],
    "ciento veinte": ["one hundred twenty"],
    "entre treinta y cuarenta": ["thirty", "forty"],
    "el quince de mayo de 2019": ["May 15 , 2019"],
    "14 de febrero": ["February 14th"],
    "primero de enero": ["January 1st"],
    "10.000 euros y 3,5 kilos": ["10,000", "3.5"],
    "el 2º piso": ["2nd"],
}  # fmt: skip


@pytest.mark.parametrize("text", SAID)
def test_a_rule_says_it_in_english(text: str) -> None:
    assert [" ".join(span.said) for span in number_spans(tokenize(text))] == SAID[text]


@pytest.mark.parametrize("value", [0, 7, 13, 20, 21, 99, 100, 101, 342, 1000, 2024, 999_999, 10**6, 3_000_042])
def test_numbers_are_spelled_so_that_all_are_different(value: int) -> None:
    assert spelled(value) != spelled(value + 1)
    assert "  " not in spelled(value)


@pytest.mark.parametrize(
    ("words", "found"),
    [("treinta y uno de", (31, 3)), ("dos mil veinte", (2020, 3)), ("cien", (100, 1)), ("perro", None), ("", None)],
)
def test_the_longest_number_is_read(words: str, found: tuple[int, int] | None) -> None:
    assert cardinal(words.split()) == found


def test_digits_are_written_as_english_writes_them() -> None:
    assert [english_digits(word) for word in ("1.234.567,8", "3:30", "65", "2,000", "perro")] == [
        "1,234,567.8", "3:30", "65", None, None,
    ]  # fmt: skip
    assert [ordinal(value) for value in (1, 2, 3, 4, 11, 12, 21, 112)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "21st", "112th",
    ]  # fmt: skip
