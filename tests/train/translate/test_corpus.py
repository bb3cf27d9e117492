"""Sentence pairs: numbered, joined, put into batches, and with words forgotten."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attnviewer.core.text import END, PAD, START, UNKNOWN, Vocabulary
from attnviewer.data.pairs import Links, Pair
from attnviewer.train.translate.corpus import Batch, Corpus, Example, common, forget

BUCKETS = 64
SOURCE = Vocabulary(tuple(f"s{i}" for i in range(40)))
TARGET = Vocabulary(tuple(f"t{i}" for i in range(40)))


def a_pair(number: int) -> Pair:
    """Pair `number` has words that no other pair has: 1 to 3 in the source, 1 to 4 in the target."""
    source = tuple(f"s{number}" for _ in range(number % 3 + 1))
    target = tuple(f"t{number}" for _ in range(number % 4 + 1))
    return Pair(source, target, (" ".join(source), " ".join(target)))


def a_corpus(count: int = 40) -> tuple[Corpus, list[Pair]]:
    """Pairs whose links join every last word of the source to every word of the target."""
    pairs = [a_pair(number) for number in range(count)]
    links: list[Links] = [frozenset((len(p.source) - 1, t) for t in range(len(p.target))) for p in pairs]
    return Corpus(pairs, links, SOURCE, TARGET, BUCKETS), pairs


def words(row: torch.Tensor, vocabulary: Vocabulary) -> list[str]:
    return [vocabulary.word(int(number)) for number in row if number not in (PAD, END)]


def test_a_vocabulary_holds_frequent_words_the_most_frequent_first() -> None:
    assert common([["b", "a", "c"], ["a", "b"], ["a", "d"]], 2).words == ("a", "b")


def test_capitals_count_for_the_word_in_small_letters_too() -> None:
    assert common([["El", "el", "Ana"], ["El", "Ana"]], 2).words == ("el", "Ana", "El", "ana")


@pytest.mark.parametrize("joined", [0.0, 0.15, 0.5, 0.9])
@pytest.mark.parametrize("size", [1, 4, 7, 100])
def test_every_pair_occurs_exactly_once_an_epoch(size: int, joined: float) -> None:
    corpus, pairs = a_corpus()
    batches = list(corpus.batches(size, seed=3, joined=joined))
    for side, vocabulary, rows in (
        ("source", SOURCE, [row for batch in batches for row in batch.ids]),
        ("target", TARGET, [row for batch in batches for row in batch.targets]),
    ):
        found = Counter(word for row in rows for word in words(row, vocabulary))
        assert found == Counter(word for pair in pairs for word in getattr(pair, side))
    assert len(batches) == corpus.steps(size, joined)
    assert all(len(batch.ids) <= size for batch in batches)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 40), st.integers(1, 9), st.floats(0, 1))
def test_the_number_of_batches_is_known_beforehand(count: int, size: int, joined: float) -> None:
    corpus, _ = a_corpus(count)
    assert len(list(corpus.batches(size, 0, joined))) == corpus.steps(size, joined)


def test_a_seed_makes_the_same_batches_and_another_makes_others() -> None:
    corpus, _ = a_corpus()

    def rows(seed: int) -> list[list[int]]:
        return [batch.targets[:, 0].tolist() for batch in corpus.batches(4, seed, 0.15)]

    assert rows(1) == rows(1)
    assert rows(1) != rows(2)


def test_pairs_of_like_length_share_a_batch() -> None:
    corpus, _ = a_corpus()
    lengths = [(batch.targets > 0).sum(dim=1) for batch in corpus.batches(4, 0, 0.0)]
    assert max(int(row.max() - row.min()) for row in lengths) <= 1


@pytest.mark.parametrize("joined", [0.0, 0.5])
def test_links_stay_with_their_words_also_in_joined_pairs(joined: float) -> None:
    corpus, _ = a_corpus()
    longest = 0
    for batch in corpus.batches(4, seed=5, joined=joined):
        for ids, targets, links in zip(batch.ids, batch.targets, batch.links, strict=True):
            said, read = words(targets, TARGET), words(ids, SOURCE)
            longest = max(longest, len(set(said)))
            for t, word in enumerate(said):
                linked = links[t].nonzero().flatten().tolist()
                number = word.removeprefix("t")
                assert linked == [len(read) - 1 - read[::-1].index(f"s{number}")]
            assert (links[len(said) :] == 0).all()
    assert longest == (2 if joined else 1)


def test_joined_pairs_end_once() -> None:
    corpus, _ = a_corpus()
    for batch in corpus.batches(4, 0, 0.5):
        assert ((batch.targets == END).sum(dim=1) == 1).all()
        assert all(row[row > 0][-1] == END for row in batch.targets)


def collated() -> Batch:
    pairs = [Pair(("s1", "new", "s2"), ("t1",), ("", "")), Pair(("s3",), ("t2", "rare", "t3"), ("", ""))]
    links: list[Links] = [frozenset({(0, 0), (2, 0)}), frozenset({(0, 2)})]
    corpus = Corpus(pairs, links, SOURCE, TARGET, BUCKETS)
    return corpus.collate(corpus.examples)


def test_a_batch_is_padded_to_its_longest() -> None:
    batch, (s1, s2, s3) = collated(), SOURCE.encode(["s1", "s2", "s3"])
    assert batch.ids.tolist() == [[s1, UNKNOWN, s2], [s3, PAD, PAD]]
    t1, t2, t3 = TARGET.encode(["t1", "t2", "t3"])
    assert batch.targets.tolist() == [[t1, END, PAD, PAD], [t2, UNKNOWN, t3, END]]
    assert batch.inputs.tolist() == [[START, t1, END, PAD], [START, t2, UNKNOWN, t3]]
    assert (batch.ngrams[1, 1:] == BUCKETS).all()
    assert (batch.ngrams[0, :, 0] < BUCKETS).all()


def test_the_links_of_a_word_share_its_mass_and_words_without_have_none() -> None:
    links = collated().links
    assert links.shape == (2, 4, 3)
    np.testing.assert_allclose(links[0, 0], [0.5, 0, 0.5])
    np.testing.assert_allclose(links[1], [[0, 0, 0], [0, 0, 0], [1, 0, 0], [0, 0, 0]])


def in_words(corpus: Corpus, example: Example) -> tuple[list[str], list[str], set[tuple[str, str]]]:
    """Source words, target words without the end mark, and the linked ones as words."""
    source, target = ({number: word for word, number in side.types.items()} for side in (corpus.source, corpus.target))
    read, said = [source[int(n)] for n in example.source], [target[int(n)] for n in example.target[:-1]]
    assert example.target[-1] == END
    return read, said, {(read[s], said[t]) for s, t in example.links}


PLAIN = Pair(("¿", "Come", "Ana", ",", "pues", "?"), ("Does", "Ana", "eat", "?"), ("", ""))
PLAIN_LINKS: Links = frozenset({(0, 3), (1, 0), (1, 2), (2, 1), (5, 3)})


def test_a_plain_pair_loses_marks_and_capitals_and_its_links_move_along() -> None:
    corpus = Corpus([PLAIN], [PLAIN_LINKS], SOURCE, TARGET, BUCKETS)
    read, said, links = in_words(corpus, corpus.plain(corpus.examples[0], small=True))
    assert (read, said) == (["come", "ana", "pues"], ["does", "ana", "eat"])
    assert links == {("come", "does"), ("come", "eat"), ("ana", "ana")}
    read, said, links = in_words(corpus, corpus.plain(corpus.examples[0], small=False))
    assert (read, said) == (["¿", "Come", "Ana", ",", "pues"], ["Does", "Ana", "eat"])
    assert links == {("Come", "Does"), ("Come", "eat"), ("Ana", "Ana")}


@pytest.mark.parametrize("small", [True, False])
def test_a_pair_of_marks_alone_stays_as_it_is(small: bool) -> None:
    corpus = Corpus([Pair(("!",), ("!",), ("", ""))], [frozenset({(0, 0)})], SOURCE, TARGET, BUCKETS)
    assert corpus.plain(corpus.examples[0], small) is corpus.examples[0]


def test_so_many_pairs_are_made_plain_and_half_of_them_small() -> None:
    pairs = [Pair(("S", "."), ("T", "."), ("", ""))] * 1000
    vocabulary = Vocabulary(("s", "S", "t", "T", "."))
    corpus = Corpus(pairs, [frozenset()] * 1000, vocabulary, vocabulary, BUCKETS)
    rows = [row for batch in corpus.batches(100, 0, 0.0, plain=0.4) for row in batch.targets.tolist()]
    counts = Counter(tuple(vocabulary.word(number) for number in row if number not in (PAD, END)) for row in rows)
    assert set(counts) == {("t",), ("T",), ("T", ".")}
    assert 150 < counts["t",] < 250
    assert 150 < counts["T",] < 250


def test_forgetting_makes_words_unknown_but_leaves_padding_alone() -> None:
    torch.manual_seed(0)
    ids = torch.randint(0, 50, (100, 50))
    assert torch.equal(forget(ids, 0.0), ids)
    every = forget(ids, 1.0)
    assert set(every[ids > UNKNOWN].tolist()) == {UNKNOWN}
    assert torch.equal(every[ids <= UNKNOWN], ids[ids <= UNKNOWN])
    some = forget(ids, 0.2)
    assert torch.equal(some[some != UNKNOWN], ids[some != UNKNOWN])
    assert 0.15 < float((some != ids)[ids > UNKNOWN].float().mean()) < 0.25


def test_one_row_of_five_forgets_much() -> None:
    torch.manual_seed(0)
    forgotten = (forget(torch.full((1000, 50), 9), 0.1, 0.6) == UNKNOWN).float().mean(dim=1)
    assert 150 < int((forgotten > 0.4).sum()) < 250
    assert int((forgotten < 0.3).sum()) == 1000 - int((forgotten > 0.4).sum())


def test_a_name_that_both_sides_spell_alike_gives_way_to_a_strange_one() -> None:
    known = Vocabulary(("Tom", "come", "eats", "."))
    pairs = [
        Pair(("Tom", "come", "."), ("Tom", "eats", "."), ("", "")),
        Pair(("Zsa", "come", "."), ("Zsa", "eats", "."), ("", "")),
        Pair(("come", "."), ("eats", "."), ("", "")),
    ]
    links: list[Links] = [frozenset({(0, 0), (1, 1)}), frozenset({(0, 0)}), frozenset({(0, 0)})]
    corpus = Corpus(pairs, links, known, known, BUCKETS)
    random = np.random.default_rng(0)
    read, said, linked = in_words(corpus, corpus.rename(corpus.examples[0], random))
    assert (read, said) == (["Zsa", "come", "."], ["Zsa", "eats", "."])
    assert linked == {("Zsa", "Zsa"), ("come", "eats")}
    assert corpus.rename(corpus.examples[2], random) is corpus.examples[2]
    batch = corpus.collate([corpus.rename(corpus.examples[0], random)])
    assert batch.ids[0, 0] == batch.targets[0, 0] == UNKNOWN
    assert (batch.spelled[0, 1] < BUCKETS).any()
    every = [row for one in corpus.batches(3, 0, 0.0, renamed=1.0) for row in one.ids[:, 0].tolist()]
    assert sorted(every) == sorted([UNKNOWN, UNKNOWN, known.encode(["come"])[0]])
