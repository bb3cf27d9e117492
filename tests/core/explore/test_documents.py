"""Bags of words and TF-IDF: as scikit-learn counts them, blind to order, and exact to the last cell."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.metrics.pairwise import cosine_similarity

from attnviewer.core.errors import UserError
from attnviewer.core.explore.documents import cosines, read, shuffled, words_of
from attnviewer.runs.keys import words_of as words_of_queries

TEXTS = (
    "The dog runs on the grass. The dog's ball is red.",
    "A puppy sleeps; the grass isn't wet.",
    "The guitar player’s well-known song: the guitar, the drum.",
)
LETTERS = st.text(alphabet="abc de'-\n", max_size=40)


def test_counts_are_those_of_scikit_learn() -> None:
    ours = read(TEXTS)
    counter = CountVectorizer(analyzer=words_of).fit(TEXTS)
    assert ours.words == tuple(counter.get_feature_names_out())
    np.testing.assert_array_equal(ours.counts, counter.transform(TEXTS).toarray())


def test_tfidf_is_that_of_scikit_learn_without_the_1_that_it_adds() -> None:
    theirs = TfidfVectorizer(analyzer=words_of, norm=None, smooth_idf=False).fit(TEXTS)
    np.testing.assert_allclose(read(TEXTS).idf, theirs.idf_ - 1, atol=1e-12)
    theirs.idf_ = theirs.idf_ - 1
    np.testing.assert_allclose(read(TEXTS).matrix("tfidf"), theirs.transform(TEXTS).toarray(), atol=1e-12)


def test_cosines_are_those_of_scikit_learn() -> None:
    matrix = read(TEXTS).matrix("bow")
    np.testing.assert_allclose(cosines(matrix), cosine_similarity(matrix), atol=1e-12)


@given(st.lists(LETTERS, min_size=1, max_size=4))
def test_words_are_cut_as_for_queries(texts: list[str]) -> None:
    assert [words_of(text) for text in texts] == [list(words_of_queries(text)) for text in texts]


def test_the_leads_by_count_and_weighs_nothing_by_tfidf() -> None:
    found = read(TEXTS)
    assert found.words[found.leading("bow", 1)[0]] == "the"
    assert found.matrix("tfidf")[:, found.place["the"]].tolist() == [0, 0, 0]
    assert found.words[found.leading("tfidf", 1, 2)[0]] == "guitar"


def test_a_cell_tells_what_it_is_made_of() -> None:
    found = read(TEXTS)
    cell = found.cell(2, found.place["guitar"], "tfidf")
    assert (cell.count, cell.holding, cell.documents) == (2, 1, 3)
    assert cell.weight == pytest.approx(2 * math.log(3 / 1))


def test_shuffled_words_give_the_same_vector() -> None:
    other = shuffled(TEXTS[0], seed=4)
    assert other != TEXTS[0]
    assert sorted(other.split()) == sorted(TEXTS[0].split())
    counts = read((TEXTS[0], other)).counts
    np.testing.assert_array_equal(counts[0], counts[1])


def test_the_words_that_make_two_documents_alike_share_their_product() -> None:
    found = read(("red red dog", "red dog dog", "cat"))
    assert found.shared(0, 1, "bow") == [("dog", 0.5), ("red", 0.5)]
    assert found.shared(0, 2, "bow") == []


def test_a_document_without_words_is_like_nothing() -> None:
    assert cosines(read(("dog", "...")).matrix("bow")).tolist() == [[1, 0], [0, 0]]


def test_one_document_is_enough_though_every_word_then_weighs_nothing() -> None:
    assert read(("a dog",)).matrix("tfidf").tolist() == [[0, 0]]


def test_a_document_of_100_000_words_is_counted() -> None:
    assert read(("word other " * 50_000,)).counts.tolist() == [[50_000, 50_000]]


def test_a_finding_is_written_down_as_json() -> None:
    written = json.loads(read(("dog", "cat"), ("a", "b")).to_json())
    assert written["task"] == "documents"
    assert written["words"] == ["cat", "dog"]
    assert written["counts"] == [[0, 1], [1, 0]]


@pytest.mark.parametrize(("texts", "told"), [((), "no documents"), (("...", ""), "no words"), (("a",) * 1001, "1,001")])
def test_what_cannot_be_counted_is_told_in_a_sentence(texts: tuple[str, ...], told: str) -> None:
    with pytest.raises(UserError, match=told):
        read(texts)


def test_unknown_keys_are_told() -> None:
    with pytest.raises(UserError, match="bow or tfidf"):
        read(TEXTS).matrix("words")
