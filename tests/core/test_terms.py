"""The terms that the window explains."""

from pathlib import Path

import pytest

from attnviewer.core import terms as module
from attnviewer.core.terms import explained, terms


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
