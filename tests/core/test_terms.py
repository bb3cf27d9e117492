"""The terms that the window explains."""

from pathlib import Path

import pytest

from attnviewer.core import terms as module
from attnviewer.core.lessons.titles import stop_title
from attnviewer.core.terms import explained, found_in, lines, terms


def test_every_term_is_explained_in_a_sentence_or_two() -> None:
    for key, term in terms().items():
        assert term.term, key
        assert term.says.endswith("."), key
        assert 20 < len(term.says) < 220, key


@pytest.mark.parametrize("key", ["entropy", "gate", "uniform", "bits", "seed", "temperature", "contribution"])
def test_what_the_window_speaks_of_is_there(key: str) -> None:
    assert explained(key).startswith(f"{terms()[key].term}: ")


def test_a_damaged_file_costs_the_explanations_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "terms.toml").write_text("[broken")
    monkeypatch.setattr(module, "resources_dir", lambda: tmp_path)
    terms.cache_clear()
    assert explained("gate") == ""
    terms.cache_clear()


def test_every_term_has_a_formula_and_a_paper_and_names_a_stop_that_there_is() -> None:
    shown = [term for term in terms().values() if term.stop]
    assert len(shown) >= 20
    for key, term in terms().items():
        assert term.formula, key
        assert any(part.strip(":").isdecimal() for part in term.paper.split()), key
        assert not term.stop or stop_title(term.stop), key


def test_a_term_is_told_with_its_formula_paper_and_stop() -> None:
    told = lines("softmax")
    assert told[1] == "p_i = exp(s_i) / Σ_j exp(s_j)"
    assert told[2].startswith("From: Bridle 1990")
    assert told[3] == "Learn, stop 9: Query, key, softmax"
    assert lines("nothing") == ()


@pytest.mark.parametrize(
    ("text", "key"),
    [("Logit lens", "logit_lens"), ("Rollout", "rollout"), ("Attention and the feed-forward network", "feed_forward")],
)
def test_terms_of_the_transformer_panel_are_found_in_what_it_says(text: str, key: str) -> None:
    assert key in found_in(text)
