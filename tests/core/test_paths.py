"""Where models are looked for, and which of one id wins."""

from pathlib import Path

import pytest

from attnviewer.core import paths
from attnviewer.core.card import sound_cards
from attnviewer.core.errors import UserError
from attnviewer.core.paths import VARIABLE, looking_first, models_dir, shelf

CARD = (models_dir() / "caption-soft" / "card.toml").read_text(encoding="utf-8")


@pytest.fixture
def three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path, Path]:
    """A folder of one's own, one that the environment names, and the user's."""
    named, variable, users = (tmp_path / name for name in ("named", "variable", "users"))
    for folder in (named, variable, users):
        folder.mkdir()
    monkeypatch.setenv(VARIABLE, str(variable))
    monkeypatch.setattr(paths, "user_models_dir", lambda: users)
    return named, variable, users


def put(folder: Path, name: str, text: str = CARD) -> Path:
    (folder / name).mkdir()
    (folder / name / "card.toml").write_text(text.replace('"caption-soft"', f'"{name}"', 1), encoding="utf-8")
    return folder / name


def test_folders_are_searched_in_order(three: tuple[Path, Path, Path]) -> None:
    named, variable, users = three
    assert shelf(named).folders == (named, variable, users, models_dir())
    assert shelf().folders == (variable, users, models_dir())
    with looking_first(named):
        assert shelf().folders[0] == named
    assert shelf().folders[0] == variable


def test_the_first_of_an_id_wins(three: tuple[Path, Path, Path]) -> None:
    named, variable, users = three
    for folder in (users, variable):
        put(folder, "caption-soft")
    assert shelf() / "caption-soft" == variable / "caption-soft"
    assert shelf().places("caption-soft") == [folder / "caption-soft" for folder in (variable, users, models_dir())]
    assert shelf(named) / "encoder" == models_dir() / "encoder"


def test_a_broken_card_hides_what_stands_behind_it_and_is_told(three: tuple[Path, Path, Path]) -> None:
    put(three[1], "caption-soft", "broken")
    cards, faults = sound_cards(shelf())
    assert "caption-soft" not in {card.id for card in cards}
    assert list(faults) == ["caption-soft"]


def test_a_card_that_bears_another_name_than_its_folder_is_a_fault(three: tuple[Path, Path, Path]) -> None:
    put(three[1], "mine").rename(three[1] / "other")
    with pytest.raises(UserError, match="the card in the folder other is that of mine"):
        raise UserError(sound_cards(shelf())[1]["other"])


@pytest.mark.parametrize("source", ["--models", VARIABLE])
def test_a_folder_that_is_named_and_not_there_is_told(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "none") if source == VARIABLE else "")
    with pytest.raises(UserError, match=f"{source} names .*none, which is no folder"):
        shelf(tmp_path / "none" if source == "--models" else None)


def test_the_folder_of_one_model_is_told_from_a_folder_of_models() -> None:
    with pytest.raises(UserError, match="is one model; name the folder around it"):
        shelf(models_dir() / "encoder")
