"""Training a grounder: phrases as arrays, batches, and the loss by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from attnviewer.data.photos import Caption, Photo, Phrase
from attnviewer.data.phrases import collect
from attnviewer.train.grounding.batches import batches, cells, wordings
from attnviewer.train.grounding.losses import Weights, also_there, phrase_loss

LEFT, RIGHT = (0.0, 0.0, 0.5, 1.0), (0.5, 0.0, 1.0, 1.0)


def photo(file: str, *phrases: tuple[str, tuple[float, ...]]) -> Photo:
    captions = [Caption(tuple(text.split()), (Phrase(0, len(text.split()), (box,)),)) for text, box in phrases]
    return Photo(file, "train", tuple(captions))


@pytest.fixture
def phrases():
    return collect(
        [photo("a.jpg", ("a dog", LEFT), ("the grass", RIGHT)), photo("b.jpg"), photo("c.jpg", ("a dog", RIGHT))], 2
    )


def test_phrases_know_their_photo_wording_and_place(phrases):
    assert phrases.paths == ("images/a.jpg", "images/b.jpg", "images/c.jpg")
    assert phrases.owner.tolist() == [0, 0, 2]
    assert [phrases.texts[i] for i in phrases.said] == ["a dog", "the grass", "a dog"]
    assert [phrases.texts[i] for i in phrases.bare] == ["dog", "grass", "dog"]
    assert phrases.inside.tolist() == [[255, 0, 255, 0], [0, 255, 0, 255], [0, 255, 0, 255]]
    assert phrases.hits.tolist() == [[True, False, True, False], [False, True, False, True], [False, True, False, True]]
    assert phrases.centre.all()


def test_an_epoch_shows_every_phrase_once_with_its_photo(phrases):
    seen = []
    for photos, rows, _ in batches(phrases, 2, seed=3):
        assert set(phrases.owner[rows]) <= set(photos)
        assert (np.diff(photos) > 0).all()
        seen.extend(rows.tolist())
    assert sorted(seen) == [0, 1, 2]


def test_a_mirrored_photo_has_mirrored_boxes(phrases):
    assert cells(phrases, np.array([0]), mirrored=True).tolist() == [[0, 1, 0, 1]]
    assert cells(phrases, np.array([0]), mirrored=False).tolist() == [[1, 0, 1, 0]]


def test_some_phrases_lose_their_article(phrases):
    rows = np.zeros(1000, np.int64)
    chosen = wordings(phrases, rows, seed=0)
    assert set(chosen) == {phrases.said[0], phrases.bare[0]}
    assert (chosen == phrases.bare[0]).mean() == pytest.approx(0.3, abs=0.05)


def test_the_loss_of_uniform_scores_by_hand():
    scores, owner = torch.zeros(2, 2, 4), torch.tensor([0, 1])
    inside, vectors = torch.tensor([[1.0, 0, 1, 0], [1, 1, 1, 0]]), torch.eye(2)
    spread, sharp = math.log(4), -(math.log(0.5) + math.log(0.75)) / 2
    for mix, expected in (
        (Weights(sharpen=0, contrast=0), spread),
        (Weights(sharpen=1, contrast=0), sharp),
        (Weights(sharpen=0, contrast=1), spread + math.log(2)),
    ):
        loss, mass = phrase_loss(scores, owner, inside, vectors, mix)
        assert float(loss) == pytest.approx(expected, abs=1e-5)
        assert mass == pytest.approx(0.625)


def test_another_photo_of_the_same_thing_is_no_negative():
    vectors = torch.tensor([[1.0, 0.0], [0.99, 0.1], [0.0, 1.0]])
    found = also_there(vectors, torch.tensor([0, 1, 2]), 3)
    assert found.tolist() == [[False, True, False], [True, False, False], [False, False, False]]
