"""Decoding: greedy, beam, limits, repeats and what is imposed."""

from __future__ import annotations

import math

import pytest
import torch
from helpers.nets import CELLS, a_captioner, annotations

from attnviewer.core.request import Decoding
from attnviewer.core.text import END, SPECIAL_TOKENS, UNKNOWN, Vocabulary
from attnviewer.runs.decode import DecodingPlan, Hypothesis, beam_search, greedy
from attnviewer.runs.legal import content_words, legal

GENERATOR = torch.Generator()


def beam(width: int, seed: int = 0, photos: int = 1, max_words: int = 8, **plan: object) -> list[Hypothesis]:
    net = a_captioner(seed=seed)
    decoding = Decoding(beam=width, max_words=max_words, length_penalty=0.0)
    with torch.no_grad():
        return beam_search(net, net.encode_source(annotations(photos)), DecodingPlan(decoding, **plan), GENERATOR)


def words(hypothesis: Hypothesis) -> list[int]:
    return [choice.word for choice in hypothesis.choices]


@pytest.mark.parametrize("seed", range(4))
def test_a_beam_of_one_is_greedy(seed: int) -> None:
    net = a_captioner(seed=seed)
    with torch.no_grad():
        choices = list(greedy(net, net.encode_source(annotations()), DecodingPlan(Decoding(max_words=8)), GENERATOR))
    assert [choice.word for choice in choices] == words(beam(1, seed)[0])


def test_a_wide_beam_finds_the_most_probable_caption_of_all() -> None:
    """Of the captions that end within two words, each can be tried."""
    net = a_captioner(vocabulary=8, seed=3)
    decoding = Decoding(beam=30, max_words=2, length_penalty=0.0)
    with torch.no_grad():
        memory = net.encode_source(annotations())
        found = beam_search(net, memory, DecodingPlan(decoding), GENERATOR)[0]
        totals = {word: _probability(net, memory, [word, END]) for word in range(SPECIAL_TOKENS, 8)}
    assert words(found) == [max(totals, key=totals.__getitem__)]
    assert found.logprob == pytest.approx(max(totals.values()), abs=1e-4)


def _probability(net: object, memory: object, ids: list[int]) -> float:
    state, last, total, history = net.start(memory, 1), torch.ones(1, 1, dtype=torch.long), 0.0, []
    for word in ids:
        glance = net(memory, state, last)
        total += float(legal(net.logits(glance.output), history)[0, 0, word])
        state, last = glance.state, torch.tensor([[word]])
        history.append(last)
    return total


@pytest.mark.parametrize("width", [1, 3, 5])
def test_photos_of_a_batch_get_what_they_get_alone(width: int) -> None:
    net, cells = a_captioner(seed=2), annotations(3)
    plan = DecodingPlan(Decoding(beam=width, max_words=8))
    with torch.no_grad():
        together = beam_search(net, net.encode_source(cells), plan, GENERATOR)
        alone = [beam_search(net, net.encode_source(cells[i : i + 1]), plan, GENERATOR)[0] for i in range(3)]
    assert [words(h) for h in together] == [words(h) for h in alone]


def test_a_beam_that_never_ends_returns_the_best_unfinished_caption_with_its_maps() -> None:
    net = a_captioner()
    with torch.no_grad():
        net.bias[END] = -1e9
        found = beam_search(
            net, net.encode_source(annotations()), DecodingPlan(Decoding(beam=3, max_words=5)), GENERATOR
        )[0]
    assert not found.ended
    assert len(found.choices) == 5
    assert all(choice.weights is not None and choice.weights.shape == (1, CELLS) for choice in found.choices)


@pytest.mark.parametrize("seed", range(5))
def test_no_run_of_up_to_four_words_is_said_twice_in_a_row(seed: int) -> None:
    for width in (1, 3):
        said = words(beam(width, seed, max_words=20)[0])
        for run in range(1, 5):
            pieces = [(said[i : i + run], said[i + run : i + 2 * run]) for i in range(len(said) - 2 * run + 1)]
            assert all(first != second for first, second in pieces)
        assert min(said) >= SPECIAL_TOKENS


def test_a_word_that_would_repeat_a_run_is_ruled_out() -> None:
    history = [torch.tensor([[word]]) for word in (5, 6, 7, 8, 6, 7)]
    logprobs = legal(torch.zeros(1, 1, 12), history)[0, 0]
    assert [word for word in range(SPECIAL_TOKENS, 12) if logprobs[word] == float("-inf")] == [7, 8]


def test_an_imposed_word_is_said_with_its_own_probability() -> None:
    for width in (1, 3):
        found = beam(width, words={1: 7})[0]
        assert words(found)[1] == 7
        assert found.choices[1].logprob < 0


@pytest.mark.parametrize("imposed", [{0: UNKNOWN}, {0: 7, 1: 7}, {0: 6, 1: 7, 2: 6, 3: 7}])
def test_an_imposed_word_may_be_unknown_or_said_before(imposed: dict[int, int]) -> None:
    for width in (1, 3):
        found = beam(width, words=imposed)[0]
        assert words(found)[: len(imposed)] == list(imposed.values())
        assert all(math.isfinite(choice.logprob) for choice in found.choices)


def test_uniform_attention_looks_everywhere_alike() -> None:
    for choice in beam(2, attention="uniform")[0].choices:
        assert choice.weights is not None
        torch.testing.assert_close(choice.weights, torch.full((1, CELLS), 1 / CELLS))


def test_alternatives_come_best_first_and_the_chosen_word_has_its_probability() -> None:
    net = a_captioner()
    with torch.no_grad():
        first = next(greedy(net, net.encode_source(annotations()), DecodingPlan(Decoding()), GENERATOR))
    chances = [p for _, p in first.alternatives]
    assert chances == sorted(chances, reverse=True)
    assert dict(first.alternatives)[first.word] == pytest.approx(math.exp(first.logprob), abs=1e-5)


WORDS = Vocabulary(("a", "bed", "on", "dog"))
A, BED, ON, DOG = (WORDS.encode((word,))[0] for word in WORDS.words)


def test_a_content_word_returns_only_after_some_others() -> None:
    plan = DecodingPlan(Decoding(), apart=content_words(WORDS))
    said = [torch.tensor([[word]]) for word in (A, BED, ON, A)]
    logprobs = plan.legal(torch.zeros(1, 1, len(WORDS)), said)[0, 0]
    assert logprobs[BED] == float("-inf")
    assert logprobs[DOG] > float("-inf") < logprobs[ON]
    long_ago = [torch.tensor([[word]]) for word in (BED, *(DOG, ON) * 3)]
    assert plan.legal(torch.zeros(1, 1, len(WORDS)), long_ago)[0, 0, BED] > float("-inf")


def test_articles_and_prepositions_may_return_at_once_and_special_tokens_are_no_words() -> None:
    assert content_words(WORDS).tolist() == [False] * 4 + [False, True, False, True]
