"""English sentences are told from Spanish ones."""

from __future__ import annotations

import pytest

from attnviewer.core.spanish import read_spanish
from attnviewer.core.spanish.language import seems_english

SPANISH = ("la", "el", "es", "no", "casa", "me", "roja", "come")
ENGLISH = ("the", "is", "no", "me", "house", "red", "come", "a")


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("The house is red.", True), ("La casa es roja.", False), ("come", False), ("no", False), ("Tom", False),
        ("¿The house is red?", False), ("", False), ("Das Haus ist rot", False), ("🙂 12", False),
    ],
)  # fmt: skip
def test_a_text_is_english_where_its_words_are_likelier_there(text: str, english: bool) -> None:
    assert seems_english(read_spanish(text), SPANISH, ENGLISH) is english
