"""A caption knows when it is guessing."""

import pytest

from attnviewer.core.doubt import Doubt, Evidence, evidence


def test_the_least_expected_thing_and_all_words_are_the_evidence() -> None:
    found = evidence(["a", "dog", "and", "a", "cat"], [-0.1, -0.4, -0.5, -0.5, -2.5])
    assert found == Evidence(pytest.approx(0.8), 2.5)


def test_a_caption_that_names_nothing_has_its_words_alone() -> None:
    assert evidence(["green", "hills"], [-1.0, -3.0]) == Evidence(2.0, 0.0)


def test_no_words_are_no_evidence() -> None:
    assert evidence([], []) == Evidence(0.0, 0.0)


def test_the_score_grows_with_either_surprise() -> None:
    doubt = Doubt(3.0, 1.0, -6.0)
    assert doubt.score(Evidence(1.0, 1.0)) == pytest.approx(-2.0)
    assert doubt.score(Evidence(2.0, 1.0)) > 0 < doubt.score(Evidence(1.0, 4.0))


@pytest.mark.parametrize("card", [{}, {"guess_words": 1.0}, {"guess_words": "x", "guess_thing": 1, "guess_offset": 0}])
def test_a_card_that_says_nothing_of_it_gives_no_doubt(card: dict[str, object]) -> None:
    assert Doubt.of(card) is None


def test_a_card_keeps_its_fit() -> None:
    assert Doubt.of({"guess_words": 3, "guess_thing": 1.5, "guess_offset": -6}) == Doubt(3.0, 1.5, -6.0)
