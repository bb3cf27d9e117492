"""Words counted into sparse rows."""

from __future__ import annotations

import time

import numpy as np
import pytest

from attnviewer.runs.counts import count, words_of

TEXTS = ("the dog runs, the dog naps", "The Dog's bone", "…", "it's o'clock")


def test_words_are_lower_case_without_owners_marks() -> None:
    assert words_of("The dog’s well-worn ball — it's 3 o'clock") == (
        "the",
        "dog",
        "well-worn",
        "ball",
        "it",
        "3",
        "o'clock",
    )


def test_each_text_is_a_row_and_each_word_a_column() -> None:
    counts = count(TEXTS)
    dense = counts.matrix.toarray()
    assert dense.shape == (4, len(counts.column))
    assert dense[0, counts.column["dog"]] == dense[0, counts.column["the"]] == 2
    assert dense[2].sum() == 0
    assert np.array_equal(counts.row(TEXTS[0]), dense[0])


def test_a_word_weighs_the_logarithm_of_its_rarity() -> None:
    counts = count(("a b", "a c", "a"))
    assert counts.idf()[[counts.column[word] for word in "abc"]] == pytest.approx([0, np.log(3), np.log(3)])
    assert counts.weighted(counts.idf()).toarray()[1] == pytest.approx([0, 0, np.log(3)])


def test_with_given_columns_other_words_are_left_out() -> None:
    counts = count(("dog cat dog",), {"dog": 1, "bird": 0})
    assert counts.matrix.toarray().tolist() == [[0, 2]]


@pytest.mark.parametrize("texts", [("",), ("...", "!")])
def test_texts_without_words_are_rows_of_zeros(texts: tuple[str, ...]) -> None:
    assert count(texts).matrix.shape == (len(texts), 1)
    assert not count(texts).matrix.toarray().any()


def test_a_hundred_thousand_lines_are_counted_in_seconds() -> None:
    lines = [f"2026-01-01 worker[{i % 7}] INFO request id={i} took {i % 97} ms" for i in range(100_000)]
    began = time.process_time()
    assert count(lines).matrix.shape[0] == 100_000
    assert time.process_time() - began < 10
