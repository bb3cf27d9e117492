"""English sentences, and texts of other scripts, are told from Spanish ones."""

from __future__ import annotations

import pytest

from attnviewer.core.spanish import read_spanish
from attnviewer.core.spanish.language import seems_foreign

SPANISH = ("la", "el", "es", "no", "casa", "me", "roja", "come")
ENGLISH = ("the", "is", "no", "me", "house", "red", "come", "a")


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("The house is red.", True), ("La casa es roja.", False), ("come", False), ("no", False), ("Tom", False),
        ("¿The house is red?", False), ("", False), ("Das Haus ist rot", False), ("🙂 12", False),
        ("你好世界", True), ("Привет, мир!", True), ("こんにちは", True), ("مرحبا", True),
        ("La palabra 你好 es china.", False),
        ("Él comió ñoquis", False),
    ],
)  # fmt: skip
def test_a_text_is_foreign_by_its_letters_or_where_its_words_are_likelier_in_english(text: str, foreign: bool) -> None:
    assert seems_foreign(read_spanish(text), SPANISH, ENGLISH) is foreign
