"""The translator: padding, batches, teacher forcing, the order of the source states, and imposed weights."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
from helpers.translators import ATTENTIONS, SIZES, TARGET, a_translator
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from attnviewer.core.text import START, UNKNOWN
from attnviewer.nets.translator import Glance, Memory, Translator
from attnviewer.runs.reading import read
from attnviewer.zoo.translators import ngrams_of

LOOKING = ("soft", "location")
SENTENCES = (["el", "perro", "come", "."], ["gato"], ["la", "casa", "blanca", "de", "Ana", "duerme", "!"], ["¿", "?"])
WORDS = torch.tensor([[START, 5, 9, 4, 7, 3]])


def encode_source(
    attention: str, sentences: object, seed: int = 7, order: Tensor | None = None
) -> tuple[Translator, Memory]:
    model = a_translator(attention, seed)
    return model.net, read(model.net, model.words.speller, sentences, order)


def follow(net: Translator, memory: Memory, words: Tensor = WORDS, **imposed: Tensor) -> list[Glance]:
    """The glances of a net that is given words [B, T] one by one."""
    state, glances = net.start(memory, 1), []
    for t in range(words.shape[1]):
        glances.append(net(memory, state, words[:, t : t + 1], **imposed))
        state = glances[-1].state
    return glances


@pytest.fixture(autouse=True)
def _no_gradients() -> Iterator[None]:
    with torch.no_grad():
        yield


@pytest.mark.parametrize("attention", LOOKING)
def test_padding_gets_exactly_0_and_rows_sum_to_1(attention: str) -> None:
    net, memory = encode_source(attention, SENTENCES)
    for glance in follow(net, memory, WORDS.expand(len(SENTENCES), -1)):
        for row, sentence in enumerate(SENTENCES):
            assert (glance.weights[row, 0, 0, len(sentence) :] == 0).all()
            assert (glance.weights[row, 0, 0, : len(sentence)] > 0).all()
        torch.testing.assert_close(glance.weights.sum(dim=-1), torch.ones(len(SENTENCES), 1, 1))


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_a_sentence_of_a_batch_gets_what_it_gets_alone(attention: str) -> None:
    net, memory = encode_source(attention, SENTENCES)
    together = follow(net, memory, WORDS.expand(len(SENTENCES), -1))
    for row, sentence in enumerate(SENTENCES):
        alone = follow(*encode_source(attention, [sentence]))
        for one, many in zip(alone, together, strict=True):
            close = {"atol": 1e-5, "rtol": 0}
            torch.testing.assert_close(net.logits(one.output)[0], net.logits(many.output)[row], **close)
            if one.weights is not None:
                torch.testing.assert_close(one.weights[0], many.weights[row, :, :, : len(sentence)], **close)


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(LOOKING), st.integers(0, 50), st.lists(st.integers(1, 14), min_size=1, max_size=4))
def test_weights_of_any_net_and_any_lengths_are_distributions(attention: str, seed: int, lengths: list[int]) -> None:
    with torch.no_grad():
        net, memory = encode_source(attention, [["perro"] * length for length in lengths], seed)
        for glance in follow(net, memory, WORDS.expand(len(lengths), -1)):
            assert torch.isfinite(glance.weights).all()
            torch.testing.assert_close(glance.weights.sum(dim=-1), torch.ones(len(lengths), 1, 1))
            assert all((glance.weights[row, 0, 0, length:] == 0).all() for row, length in enumerate(lengths))


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_teaching_gives_what_single_steps_give(attention: str) -> None:
    net, memory = encode_source(attention, SENTENCES)
    words = torch.randint(UNKNOWN + 1, len(TARGET), (len(SENTENCES), 5), generator=torch.Generator().manual_seed(1))
    output, weights, _ = net.teach(memory, words, net.words.spelled[words])
    glances = follow(net, memory, words)
    torch.testing.assert_close(output, torch.cat([glance.output for glance in glances], dim=1))
    if attention == "none":
        assert weights is None
    else:
        torch.testing.assert_close(weights, torch.cat([glance.weights[:, :, 0] for glance in glances], dim=1))


def read_as(groups: Tensor, memory: Memory, net: Translator) -> Tensor:
    """What the net would say behind an unknown word with letter `groups` [G] that comes second."""
    words = torch.tensor([[START, 5, UNKNOWN]])
    spelled = net.words.spelled[words].clone()
    spelled[0, 2] = groups
    return net.teach(memory, words, spelled)[0][0, -1]


@pytest.mark.parametrize("attention", LOOKING)
def test_an_unknown_word_is_read_as_the_source_word_that_was_copied(attention: str) -> None:
    sentence = ["Marta", "Pedro", "Quetzal"]
    net, memory = encode_source(attention, [sentence])
    words = torch.tensor([[START, 5, UNKNOWN]])
    *_, before, last = follow(net, memory, words)
    copied = a_translator().words.speller([sentence])[1][0, int(before.weights.argmax())]
    torch.testing.assert_close(last.output[0, 0], read_as(copied, memory, net))


def test_an_imposed_unknown_word_is_read_as_it_was_typed() -> None:
    net, memory = encode_source("soft", [SENTENCES[0]])
    groups = ngrams_of(["Quetzal"], net.words.letters.num_embeddings - 1)
    letters = torch.zeros(1, 3, memory.letters.shape[-1])
    letters[0, 1] = net.words.embed_ngrams(groups.unsqueeze(0))[0, 0]
    words = torch.tensor([[START, 5, UNKNOWN]])
    typed = follow(net, memory._replace(typed=letters), words)[-1].output[0, 0]
    torch.testing.assert_close(typed, read_as(groups[0], memory, net))
    assert not torch.allclose(typed, follow(net, memory, words)[-1].output[0, 0])


def test_where_a_word_came_from_is_asked_once_it_is_known() -> None:
    net, memory = encode_source("soft", SENTENCES)
    words = torch.randint(UNKNOWN + 1, len(TARGET), (len(SENTENCES), 5), generator=torch.Generator().manual_seed(1))
    _, _, origins = net.teach(memory, words, net.words.spelled[words])
    state = net.start(memory, 1)
    for t in range(words.shape[1]):
        found = net.origin(memory, state, words[:, t : t + 1])
        torch.testing.assert_close(found[:, 0], origins[:, t])
        torch.testing.assert_close(found.sum(dim=-1), torch.ones(len(SENTENCES), 1))
        assert all((found[row, 0, len(sentence) :] == 0).all() for row, sentence in enumerate(SENTENCES))
        other = net.origin(memory, state, (words[:, t : t + 1] + 1) % 7 + UNKNOWN + 1)
        assert not torch.allclose(found, other)
        state = net(memory, state, words[:, t : t + 1]).state


@pytest.mark.parametrize("attention", ["location", "none"])
def test_only_attention_by_content_tells_where_words_came_from(attention: str) -> None:
    net, memory = encode_source(attention, SENTENCES)
    words = WORDS.expand(len(SENTENCES), -1)
    assert net.origin(memory, net.start(memory, 1), words[:, :1]) is None
    assert net.teach(memory, words, net.words.spelled[words])[2] is None


def test_content_based_weights_follow_the_source_states_to_their_new_places() -> None:
    order = torch.tensor([[3, 0, 6, 2, 5, 1, 4]])
    before = follow(*encode_source("soft", [SENTENCES[2]]))
    after = follow(*encode_source("soft", [SENTENCES[2]], order=order))
    for one, other in zip(before, after, strict=True):
        torch.testing.assert_close(one.weights[..., order[0]], other.weights)
        torch.testing.assert_close(one.output, other.output)
    assert (before[0].weights - after[0].weights).abs().max() > 0.01


def test_location_based_weights_stay_at_the_places_whatever_states_are_put_there() -> None:
    order = torch.tensor([[3, 0, 6, 2, 5, 1, 4]])
    before = follow(*encode_source("location", [SENTENCES[2]]))
    after = follow(*encode_source("location", [SENTENCES[2]], order=order))
    assert torch.equal(before[0].weights, after[0].weights)
    assert not torch.allclose(before[0].output, after[0].output)


def test_location_based_weights_depend_on_the_writers_state_alone() -> None:
    net, memory = encode_source("location", [SENTENCES[2]])
    other = memory._replace(values=torch.randn_like(memory.values), keys=torch.randn_like(memory.keys))
    assert torch.equal(follow(net, memory)[0].weights, follow(net, other)[0].weights)


@pytest.mark.parametrize("attention", LOOKING)
def test_imposed_weights_are_obeyed(attention: str) -> None:
    net, memory = encode_source(attention, [SENTENCES[0]])
    imposed = torch.tensor([[[[0.0, 1.0, 0.0, 0.0]]]])
    glance = follow(net, memory, weights=imposed)[0]
    assert torch.equal(glance.weights, imposed)
    only = memory._replace(values=memory.values * imposed[0, 0, 0].unsqueeze(-1))
    torch.testing.assert_close(glance.output, follow(net, only, weights=imposed)[0].output)
    assert not torch.allclose(glance.output, follow(net, memory)[0].output)


def test_without_attention_there_are_no_weights_and_the_summary_is_all_that_counts() -> None:
    net, memory = encode_source("none", [SENTENCES[0]])
    assert memory.keys.shape == memory.values.shape == (1, 0, 1)
    assert all(glance.weights is None and glance.scores is None for glance in follow(net, memory))
    assert not hasattr(net, "attention")
    assert not hasattr(net, "place")


def test_the_summary_is_the_end_of_each_direction_whatever_the_padding() -> None:
    memory, size = encode_source("soft", SENTENCES)[1], SIZES["reader"]
    for row, sentence in enumerate(SENTENCES):
        last = torch.cat((memory.values[row, len(sentence) - 1, :size], memory.values[row, 0, size : 2 * size]))
        torch.testing.assert_close(memory.mean[row], last)


def test_places_beyond_the_last_that_is_told_apart_share_its_score() -> None:
    net, memory = encode_source("location", [["perro"] * 20])
    glance = follow(net, memory)[0]
    known = SIZES["positions"]
    assert (glance.scores[0, 0, 0, known:] == glance.scores[0, 0, 0, known - 1]).all()
    assert len(glance.scores[0, 0, 0, :known].unique()) == known
    torch.testing.assert_close(glance.weights.sum(), torch.tensor(1.0))


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_500_words_can_be_read(attention: str) -> None:
    net, memory = encode_source(attention, [["perro", "negro"] * 250])
    for glance in follow(net, memory):
        assert torch.isfinite(net.logits(glance.output)).all()
        assert glance.weights is None or glance.weights.shape == (1, 1, 1, 500)


@pytest.mark.parametrize("attention", LOOKING)
def test_hypotheses_look_each_for_itself(attention: str) -> None:
    net, memory = encode_source(attention, SENTENCES)
    words = torch.tensor([[4, 5, 6]]).expand(len(SENTENCES), -1)
    together = net(memory, net.start(memory, 3), words)
    for k in range(3):
        alone = net(memory, net.start(memory, 1), words[:, k : k + 1])
        torch.testing.assert_close(together.weights[:, k], alone.weights[:, 0])
        torch.testing.assert_close(together.output[:, k], alone.output[:, 0])


def test_the_words_belong_to_no_translator_and_padding_has_no_vector() -> None:
    model = a_translator()
    assert not any("source" in name or "target" in name for name in model.net.state_dict())
    assert (model.net.words.source.weight[0] == 0).all()
    assert (model.net.words.letters.weight[-1] == 0).all()


def test_an_unknown_word_is_told_from_another_by_its_spelling() -> None:
    model = a_translator()
    ids, groups = model.words.speller([["Marta", "Pedro"]])
    assert ids[0, 0] == ids[0, 1]
    vectors = model.net.words.embed_ngrams(groups)[0]
    assert not torch.allclose(vectors[0], vectors[1])
