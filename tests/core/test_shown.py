"""Text from strangers is shown without commanding the terminal."""

import json

import pytest

from attnviewer.core.shown import harmless, one_line


@pytest.mark.parametrize("letter", ["\x1b", "\x07", "\x9b", "\x7f", "\x00", "\x0c"])
def test_control_characters_are_written_out(letter: str) -> None:
    assert letter not in harmless(f"a{letter}[31mb")
    assert harmless(f"a{letter}b").startswith("a\\")


def test_words_of_every_language_and_emoji_stay_as_they_are() -> None:
    for text in ("می‌خواهم", "👨‍👩‍👧", "año", "line\nline\tcell", "ﷺ"):
        assert harmless(text) == text


@pytest.mark.parametrize("name", ["a\nb.jpg", "a\r\tb.jpg", "a\u2028b.jpg", "a\udce9b.jpg"])
def test_a_name_stays_on_its_line(name: str) -> None:
    assert len(one_line(name).splitlines()) == 1
    one_line(name).encode()


def test_json_stays_json() -> None:
    for letter in map(chr, [*range(32), *range(127, 160), 0xDC80]):
        assert json.loads(harmless(json.dumps(letter, ensure_ascii=False))) == letter
