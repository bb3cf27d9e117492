"""A word in a sentence: where it stands, what it is near to, and the plane in which that is seen."""

from __future__ import annotations

import numpy as np
import pytest

from attnviewer.core.errors import UserError
from attnviewer.core.transformer.context import cosines, nearest, place_of, plane_of

TOKENS, PIECES = ("[CLS]", "the", "un", "##bank", "bank", "[SEP]"), (None, 0, 1, 1, 2, None)


@pytest.mark.parametrize(("word", "places"), [("bank", (4,)), (" UNBANK ", (2, 3)), ("the", (1,))])
def test_a_word_is_all_its_pieces_and_no_part_of_another(word: str, places: tuple[int, ...]) -> None:
    assert place_of(word, TOKENS, PIECES, "the unbank bank") == places


def test_a_word_that_is_not_there_is_told() -> None:
    with pytest.raises(UserError, match="isn't in"):
        place_of("river", TOKENS, PIECES, "the unbank bank")


def test_nearest_words_are_those_of_the_largest_cosine_without_its_own_forms() -> None:
    words, vectors = ("bank", "banks", "river", "money"), np.array([[1, 0], [9, 1], [1, 1], [0, 1]], np.float32)
    found = nearest(np.array([2, 0], np.float32), words, vectors, 2, without="bank")
    assert [word for word, _ in found] == ["river", "money"]
    np.testing.assert_allclose([cosine for _, cosine in found], [2**-0.5, 0], atol=1e-6)


def test_the_plane_is_that_of_the_largest_spread() -> None:
    vectors = np.array([[4, 0, 0], [-4, 0, 0], [0, 2, 0], [0, -2, 0], [0, 0, 1], [0, 0, -1]], np.float32)
    plane = plane_of(vectors)
    np.testing.assert_allclose(plane.axes, [[1, 0, 0], [0, 1, 0]], atol=1e-6)
    assert plane.share == pytest.approx(20 / 21)
    np.testing.assert_allclose(plane(np.array([3, 1, 7], np.float32)), [3, 1], atol=1e-6)


def test_cosines_are_row_by_row() -> None:
    one, other = np.array([[1, 0], [1, 1], [0, 0]], np.float32), np.array([[0, 2], [3, 3], [1, 0]], np.float32)
    np.testing.assert_allclose(cosines(one, other), [0, 1, 0], atol=1e-6)
