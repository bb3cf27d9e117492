"""Corpus BLEU against counts made by hand."""

import math

import pytest

from attnviewer.measure.bleu import corpus_bleu, plain


def test_a_perfect_caption_scores_one_hundred() -> None:
    found = corpus_bleu(["a dog runs on grass"], [["a dog runs on grass", "some dog"]])
    assert (found.bleu1, found.bleu2, found.bleu3, found.bleu4) == pytest.approx((100, 100, 100, 100))


def test_bleu_follows_the_counts_made_by_hand() -> None:
    # Found in a reference: 4 of 5 words, 2 of 4 pairs (the dog, dog runs), 1 of 3 triples; the nearest length is 5.
    found = corpus_bleu(["the dog runs fast today"], [["the dog runs", "a dog is fast now"]])
    assert found.brevity == pytest.approx(1.0)
    assert found.bleu1 == pytest.approx(80)
    assert found.bleu2 == pytest.approx(100 * math.sqrt(0.8 * 0.5))
    assert found.bleu3 == pytest.approx(100 * (0.8 * 0.5 / 3) ** (1 / 3))
    assert found.bleu4 == 0


def test_a_word_counts_no_more_often_than_in_one_reference() -> None:
    assert corpus_bleu(["the the the the"], [["the cat is on the mat", "the x y z"]]).bleu1 == pytest.approx(50)


def test_short_captions_pay_the_brevity_penalty() -> None:
    found = corpus_bleu(["a dog"], [["a dog runs on", "a dog runs on the grass"]])
    assert found.brevity == pytest.approx(math.exp(1 - 4 / 2))
    assert found.bleu1 == pytest.approx(100 * math.exp(-1))


def test_counts_are_summed_over_the_corpus_before_the_mean() -> None:
    found = corpus_bleu(["a b c d", "x"], [["a b c d"], ["y"]])
    assert found.bleu1 == pytest.approx(80)


def test_case_and_punctuation_make_no_difference() -> None:
    assert plain("A dog, running .") == "a dog running"
    assert corpus_bleu(["A Dog runs on grass ."], [["a dog runs, on grass"]]).bleu4 == pytest.approx(100)


def test_photos_may_have_different_numbers_of_references() -> None:
    found = corpus_bleu(["a b", "c d"], [["a x", "x b", "a b"], ["c d"]])
    assert found.bleu2 == pytest.approx(100)


@pytest.mark.parametrize(("said", "references"), [([], []), (["a"], [[]]), (["a"], [["a"], ["b"]])])
def test_captions_without_references_are_refused(said: list[str], references: list[list[str]]) -> None:
    with pytest.raises(ValueError, match=r"reference|no captions"):
        corpus_bleu(said, references)
