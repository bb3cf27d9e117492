"""Classes are folded into everyday words."""

import numpy as np
import pytest

from attnviewer.core.labels import beliefs, everyday, labels
from attnviewer.core.things import things


def test_there_is_a_label_for_each_of_the_thousand_classes() -> None:
    assert len(labels()) == 1000
    assert all(label.words and all(label.words) for label in labels())


def test_every_thing_that_a_label_names_is_one_of_the_eighty() -> None:
    assert {label.thing for label in labels()} - {None} <= set(things())


def test_all_breeds_of_dogs_add_up_to_dog() -> None:
    scores = np.full(1000, -50.0)
    dogs = [index for index, label in enumerate(labels()) if label.words[0] == "dog"]
    assert len(dogs) > 100
    scores[dogs] = 3.0
    word, share = everyday(scores, 1)[0]
    assert (word, share) == ("dog", pytest.approx(1.0))


def test_beliefs_of_large_scores_stay_finite_and_sum_to_one() -> None:
    assert beliefs(np.array([1e4, -1e4, 0.0])).sum() == pytest.approx(1.0)
