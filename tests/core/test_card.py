"""Model cards: read, written, and every fault named in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from attnviewer.core.card import ModelCard, card_from_dict, find_cards, load_card, save_card
from attnviewer.core.errors import UserError

WHOLE: dict[str, Any] = {
    "id": "caption-soft",
    "name": 'Show, "Attend" and Tell',
    "task": "caption",
    "attention": "soft",
    "licence": "research use",
    "data": {"name": "Flickr8k", "terms": "research\nand education"},
    "training": {"command": "attnviewer train caption --data C:\\x", "seed": 7, "hours": 1.5},
    "architecture": {"encoder": "lite0", "hidden": 512, "grid": [14, 14], "tied": True, "extra": {"a b": 1}},
    "figures": {"bleu4": 22.4, "ms per caption": 80},
    "preprocessing": {"size": 224, "mean": [0.5, 0.5, 0.5], "std": [0.5, 0.5, 0.5]},
    "parameters": 12_345_678,
    "sha256": "0" * 64,
    "capabilities": ["beam"],
    "notes": ["One cell sees 32 pixels – no less.", "\x7f\x00"],
}
NEEDED = ("id", "name", "task", "attention", "licence", "data", "training")


def test_a_card_survives_its_file(tmp_path: Path) -> None:
    card = card_from_dict(WHOLE)
    save_card(card, tmp_path / "card.toml")
    assert load_card(tmp_path / "card.toml") == card


def test_a_card_without_its_optional_fields_survives_too(tmp_path: Path) -> None:
    card = card_from_dict({name: WHOLE[name] for name in NEEDED})
    save_card(card, tmp_path / "card.toml")
    assert load_card(tmp_path / "card.toml") == card
    assert (card.parameters, card.preprocessing, card.notes) == (None, None, ())


@pytest.mark.parametrize("name", NEEDED)
def test_a_missing_field_is_named(name: str) -> None:
    with pytest.raises(UserError, match=f"the card has no {name}; add it"):
        card_from_dict({key: value for key, value in WHOLE.items() if key != name})


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("id", "Two Words", "id must be lower-case"),
        ("id", "../x", "id must be lower-case"),
        ("name", " ", "name must be a text"),
        ("task", "sing", "task must be one of encode, caption"),
        ("attention", 1, "attention must be one of soft"),
        ("data", "Flickr8k", "data must be a table"),
        ("data", {"name": "x"}, "no data.terms"),
        ("training", {"command": "x", "seed": 1.5, "hours": 1}, "training.seed must be a whole"),
        ("figures", {"bleu4": "good"}, "figures must be a finite number"),
        ("figures", {"bleu4": float("nan")}, "figures must be a finite number"),
        ("parameters", True, "parameters must be a whole"),
        ("sha256", "abc", "sha256 must be 64"),
        ("capabilities", "beam", "capabilities must be a list"),
        ("preprocessing", {"size": 0, "mean": [0, 0, 0], "std": [1, 1, 1]}, "above 0"),
        ("preprocessing", {"size": 9, "mean": [0], "std": [1, 1, 1]}, "preprocessing.mean must be three"),
    ],
)
def test_a_wrong_field_is_named_with_what_it_must_be(name: str, value: object, message: str) -> None:
    with pytest.raises(UserError, match=message):
        card_from_dict(WHOLE | {name: value})


@pytest.mark.parametrize("content", [b"id = ", b"\xff", b"<html>"])
def test_a_file_that_is_no_toml_gives_one_line(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "card.toml").write_bytes(content)
    with pytest.raises(UserError, match="is no valid TOML") as caught:
        load_card(tmp_path / "card.toml")
    assert "\n" not in str(caught.value)


def test_cards_are_found_by_folder_in_order(tmp_path: Path) -> None:
    for name in ("words", "caption-soft"):
        (tmp_path / name).mkdir()
        save_card(card_from_dict(WHOLE | {"id": name}), tmp_path / name / "card.toml")
    assert [card.id for card in find_cards(tmp_path)] == ["caption-soft", "words"]
    assert find_cards(tmp_path / "none") == []


def test_a_missing_card_gives_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="can't read the card"):
        load_card(tmp_path / "card.toml")


def test_cards_are_frozen() -> None:
    card = card_from_dict(WHOLE)
    assert isinstance(card, ModelCard)
    with pytest.raises(AttributeError):
        card.id = "other"  # type: ignore[misc]
