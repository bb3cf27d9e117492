"""Complaints about arguments name the argument."""

from typing import Any

import pytest

from attnviewer.core.arguments import checked_name, checked_number, checked_text, checked_texts
from attnviewer.core.errors import UserError


@pytest.mark.parametrize("value", [5, None, b"dog", ["dog"], "caf\udce9", "\ud800"])
def test_a_text_is_a_text(value: Any) -> None:
    with pytest.raises(UserError, match=r"^this "):
        checked_text(value, "this")


@pytest.mark.parametrize("value", ["abc", b"abc", 5, None, {"a": 1}, [], [""], [" ", "\n"], [5], ["a", None]])
def test_a_list_of_texts_is_one(value: Any) -> None:
    with pytest.raises(UserError, match="these"):
        checked_texts(value, "these")


@pytest.mark.parametrize("value", ["1", None, True, 1j, [1]])
def test_a_number_is_a_number(value: Any) -> None:
    with pytest.raises(UserError, match="this must be a number"):
        checked_number(value, "this")


def test_what_is_right_comes_back() -> None:
    assert checked_text("año 👋", "x") == "año 👋"
    assert checked_texts(["a", ""], "x") == ("a", "")
    assert checked_number(1, "x") == 1.0
    assert checked_name(None, "x") is None
