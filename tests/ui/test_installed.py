"""What there is to translate with: models by the way they attend, curves on their cards, sample sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from attnviewer.core.card import Data, ModelCard, Training, save_card
from attnviewer.core.request import LONGEST
from attnviewer.core.sentence import tokenize
from attnviewer.ui import installed
from attnviewer.ui.installed import LENGTHS, look_around, sentences

FIGURES = dict(zip(LENGTHS, (60.0, 50.0, 40.0, 30.0), strict=True))


def put(folder: Path, name: str, attention: str, **figures: float) -> None:
    card = ModelCard(
        name, name, "translate", attention, "MIT", Data("none", "none"), Training("none", 0, 0.0), figures=figures
    )
    (folder / name).mkdir()
    save_card(card, folder / name / "card.toml")


def test_translators_are_offered_by_the_way_they_attend(tmp_path: Path) -> None:
    put(tmp_path, "b-none", "none")
    put(tmp_path, "a-soft", "soft")
    put(tmp_path, "c-soft", "soft")
    found = look_around(tmp_path)
    assert found.ways == ("soft", "none")
    assert found.translators["soft"] == ("a-soft", "c-soft")


def test_a_curve_is_there_only_where_a_card_tells_it_whole(tmp_path: Path) -> None:
    put(tmp_path, "a", "soft", **FIGURES)
    put(tmp_path, "b", "none", **{name: value for name, value in FIGURES.items() if name != "bleu_16"})
    assert look_around(tmp_path).curves == {"soft": (60.0, 50.0, 40.0, 30.0)}


def test_the_curve_is_that_of_the_model_that_is_used(tmp_path: Path) -> None:
    put(tmp_path, "a", "soft", **FIGURES)
    put(tmp_path, "z", "soft", **dict.fromkeys(LENGTHS, 1.0))
    assert look_around(tmp_path).curves["soft"][0] == 60.0


def test_sample_sentences_run_from_short_to_long_and_say_what_they_show() -> None:
    found = sentences()
    lengths = [len(tokenize(one.text)) for one in found]
    assert len(found) >= 12
    assert min(lengths) <= 3
    assert lengths[-1] == max(lengths) > 30
    assert max(lengths) < LONGEST
    assert all(one.shows for one in found)
    assert len({one.text for one in found}) == len(found)


@pytest.mark.parametrize("text", ["", "sentence = 3", "[[sentence]]\nshows = 'no text'", "\x00"])
def test_a_damaged_list_costs_the_samples_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    (tmp_path / "sentences.toml").write_text(text)
    monkeypatch.setattr(installed, "resources_dir", lambda: tmp_path)
    assert sentences() == ()
