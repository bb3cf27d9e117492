"""The Transformers: padding, the cache, positions, what is imposed and switched off, and parts that add up."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
from helpers.nets import CELLS, annotations
from helpers.transformers import a_looker, a_transformer
from helpers.translators import TARGET
from torch import Tensor

from attnviewer.core.ablation import Ablation, Changes
from attnviewer.core.errors import UserError
from attnviewer.core.text import START, UNKNOWN
from attnviewer.nets.layers import Memory
from attnviewer.nets.looker import Looker
from attnviewer.nets.multihead import POSITIONS
from attnviewer.nets.transformer import Glance, Transformer

SENTENCES = (["el", "perro", "come", "."], ["gato"], ["la", "casa", "blanca", "de", "Ana", "duerme", "!"])
WORDS = torch.tensor([[START, 5, 9, 4, 7]]).expand(len(SENTENCES), -1)
CLOSE = {"atol": 1e-5, "rtol": 1e-5}


def encode_source(
    sentences: object = SENTENCES, kind: str = "sinusoidal", order: Tensor | None = None, change: Changes | None = None
) -> tuple[Transformer, Memory]:
    model = a_transformer(kind)
    ids, groups = model.words.speller(sentences)  # type: ignore[arg-type]
    return model.net, model.net.encode_source(ids, groups, order, change)


def follow(net: Transformer | Looker, memory: Memory, words: Tensor, **imposed: Tensor) -> list[Glance]:
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


@pytest.mark.parametrize("kind", POSITIONS)
def test_with_the_cache_all_is_as_without_it(kind: str) -> None:
    net, memory = encode_source(kind=kind)
    glances = follow(net, memory, WORDS)
    output, guided, telling = net.teach(memory, WORDS, net.words.spelled[WORDS])
    torch.testing.assert_close(torch.cat([one.output for one in glances], dim=1), output, **CLOSE)
    torch.testing.assert_close(torch.cat([one.weights[:, :, net.pointer] for one in glances], dim=1), guided, **CLOSE)
    torch.testing.assert_close(torch.cat([one.weights[:, :, 3] for one in glances], dim=1), telling, **CLOSE)


def test_padding_gets_exactly_0_and_a_sentence_gets_what_it_gets_alone() -> None:
    net, memory = encode_source()
    together = follow(net, memory, WORDS)
    for row, sentence in enumerate(SENTENCES):
        alone = follow(*encode_source([sentence]), WORDS[:1])
        for one, many in zip(alone, together, strict=True):
            torch.testing.assert_close(one.output[0], many.output[row], **CLOSE)
            torch.testing.assert_close(one.weights[0], many.weights[row, ..., : len(sentence)], **CLOSE)
            torch.testing.assert_close(many.weights.sum(dim=-1), torch.ones(3, 1, 4))
            assert not many.weights[row, ..., len(sentence) :].any()


def test_no_word_sees_those_behind_it() -> None:
    net, memory = encode_source()
    other = WORDS.clone()
    other[:, 3] = 8
    one, two = (net.teach(memory, words, net.words.spelled[words])[0] for words in (WORDS, other))
    assert torch.equal(one[:, :3], two[:, :3])
    assert not torch.allclose(one[:, 3:], two[:, 3:])


@pytest.mark.parametrize(
    ("kind", "equal"), [("none", True), ("sinusoidal", False), ("learnt", False), ("relative", False)]
)
def test_without_positions_shuffled_words_give_shuffled_vectors(kind: str, equal: bool) -> None:
    words, order = SENTENCES[2], [3, 0, 6, 2, 5, 1, 4]
    plain, mixed = (encode_source([given], kind)[1].keys for given in (words, [words[i] for i in order]))
    assert torch.allclose(plain[:, order], mixed, atol=1e-5) is equal
    off = Changes(encoder=Ablation(positions=False))
    plain, mixed = (encode_source([given], kind, change=off)[1].keys for given in (words, [words[i] for i in order]))
    torch.testing.assert_close(plain[:, order], mixed, **CLOSE)


def test_maps_follow_source_vectors_to_their_new_places() -> None:
    order = torch.tensor([[3, 0, 6, 2, 5, 1, 4]])
    plain, moved = (follow(*encode_source([SENTENCES[2]], order=one), WORDS[:1])[-1] for one in (None, order))
    torch.testing.assert_close(plain.weights[..., order[0]], moved.weights, **CLOSE)
    torch.testing.assert_close(plain.output, moved.output, **CLOSE)


def test_what_is_imposed_on_a_head_is_obeyed_and_the_others_keep_their_own() -> None:
    net, memory = encode_source([SENTENCES[0]])
    given = torch.full((1, 1, 4, 4), torch.nan)
    given[:, :, 2] = torch.tensor([0.0, 1.0, 0.0, 0.0])
    free, held = (net(memory, net.start(memory, 1), WORDS[:1, :1], weights=one) for one in (None, given))
    assert torch.equal(held.weights[:, :, 2], given[:, :, 2])
    torch.testing.assert_close(held.weights[:, :, :2], free.weights[:, :, :2])  # a layer below
    assert not torch.allclose(held.output, free.output)


@pytest.mark.parametrize("part", ["encoder", "decoder", "cross"])
def test_a_head_switched_off_changes_the_outcome_with_and_without_the_cache(part: str) -> None:
    change = Changes(**{part: Ablation(off=((1, 0),), uniform=((0, 1),))})
    net, memory = encode_source(change=change)
    cached = torch.cat([one.output for one in follow(net, memory, WORDS)], dim=1)
    torch.testing.assert_close(cached, net.teach(memory, WORDS, net.words.spelled[WORDS])[0], **CLOSE)
    plain = encode_source()[1]
    assert not torch.allclose(cached, net.teach(plain, WORDS, net.words.spelled[WORDS])[0], atol=1e-3)


def test_a_head_that_there_is_not_is_refused() -> None:
    with pytest.raises(UserError, match=r"no head 2\.0; layers go from 0 to 1"):
        encode_source(change=Changes(decoder=Ablation(off=((2, 0),))))


def test_the_parts_of_a_layer_add_up_to_its_vectors() -> None:
    net, memory = encode_source()
    ids, groups = a_transformer().words.speller(SENTENCES)
    first, seen = net.encode(net.words.source(ids) + net.words.embed_ngrams(groups), ids != 0, Ablation())
    x = first
    for layer in seen:
        torch.testing.assert_close(x + layer.attended.out, layer.middle, atol=1e-4, rtol=0)
        torch.testing.assert_close(layer.middle + layer.fed, layer.out, atol=1e-4, rtol=0)
        x = layer.out
    x, decoded = net.follow(memory, WORDS, net.words.spelled[WORDS])
    for one in decoded:
        torch.testing.assert_close(x + one.own.out + one.cross.out + one.fed, one.out, atol=1e-4, rtol=0)
        x = one.out


@pytest.mark.parametrize(("decoder", "cross"), [(False, True), (True, False), (False, False)])
def test_residuals_of_the_decoder_and_of_its_look_are_switched_off_one_by_one(decoder: bool, cross: bool) -> None:
    change = Changes(decoder=Ablation(residuals=decoder), cross=Ablation(residuals=cross))
    net, memory = encode_source(change=change)
    x, seen = net.follow(memory, WORDS, net.words.spelled[WORDS])
    for one in seen:
        torch.testing.assert_close(decoder * x + one.own.out, one.read, atol=1e-4, rtol=0)
        torch.testing.assert_close(cross * one.read + one.cross.out, one.middle, atol=1e-4, rtol=0)
        torch.testing.assert_close(decoder * one.middle + one.fed, one.out, atol=1e-4, rtol=0)
        x = one.out
    cached = torch.cat([one.output for one in follow(net, memory, WORDS)], dim=1)
    torch.testing.assert_close(cached, net.teach(memory, WORDS, net.words.spelled[WORDS])[0], **CLOSE)
    assert not torch.allclose(cached, net.teach(encode_source()[1], WORDS, net.words.spelled[WORDS])[0], atol=1e-3)


def test_a_decoder_that_reads_all_at_once_may_look_ahead_and_one_that_writes_has_nothing_ahead() -> None:
    ahead = Changes(decoder=Ablation(ahead=True))
    net, free = encode_source(change=ahead)
    memory, spelled = encode_source()[1], net.words.spelled[WORDS]
    assert not torch.allclose(net.teach(free, WORDS, spelled)[0], net.teach(memory, WORDS, spelled)[0], atol=1e-3)
    weights = net.follow(free, WORDS, spelled)[1][0].own.weights
    assert (weights.triu(1).sum(dim=-1)[..., :-1] > 0).all()
    for one, other in zip(follow(net, free, WORDS), follow(net, memory, WORDS), strict=True):
        assert torch.equal(one.output, other.output)


def test_an_unknown_word_is_read_as_the_source_word_that_the_guided_head_looked_at() -> None:
    net, memory = encode_source([["Marta", "Pedro", "Quetzal"]])
    words = torch.tensor([[START, 5, UNKNOWN]])
    *_, before, last = follow(net, memory, words)
    spelled = net.words.spelled[words].clone()
    groups = a_transformer().words.speller([["Marta", "Pedro", "Quetzal"]])[1]
    spelled[0, 2] = groups[0, int(before.weights[0, 0, net.pointer].argmax())]
    torch.testing.assert_close(last.output, net.teach(memory, words, spelled)[0][:, -1:], **CLOSE)


def test_where_a_word_came_from_is_the_telling_heads_map_once_it_is_read() -> None:
    net, memory = encode_source()
    state, words = net.start(memory, 1), WORDS[:, :1]
    assert torch.equal(net.origin(memory, state, words), net(memory, state, words).weights[:, :, 3])


def test_a_long_sentence_is_read_and_the_words_belong_to_no_translator() -> None:
    net, memory = encode_source([["perro", "negro"] * 250], "learnt")
    assert torch.isfinite(follow(net, memory, WORDS[:1])[-1].output).all()
    assert not any("words" in name for name in net.state_dict())


def test_captions_with_the_cache_are_as_without_it() -> None:
    net, cells = a_looker(), annotations(2)
    memory = net.encode_source(cells)
    words = torch.randint(4, 20, (2, 3, 6), generator=torch.Generator().manual_seed(2))
    state, outputs, maps = net.start(memory, 3), [], []
    for t in range(6):
        glance = net(memory, state, words[..., t])
        state = glance.state
        outputs.append(glance.output)
        maps.append(glance.weights[:, :, net.pointer])
    output, guided = net.teach(memory, words)
    torch.testing.assert_close(torch.stack(outputs, dim=2), output, **CLOSE)
    torch.testing.assert_close(torch.stack(maps, dim=2), guided, **CLOSE)
    torch.testing.assert_close(guided.sum(dim=-1), torch.ones(2, 3, 6))


def test_without_2d_positions_shuffled_locations_give_shuffled_vectors() -> None:
    net, cells = a_looker(), annotations()
    order = torch.randperm(CELLS, generator=torch.Generator().manual_seed(5))
    for positions, equal in ((False, True), (True, False)):
        change = Changes(encoder=Ablation(positions=positions))
        plain, mixed = (net.encode_source(given, change).keys for given in (cells, cells[:, order]))
        assert torch.allclose(plain[:, order], mixed, atol=1e-5) is equal


def test_locations_listen_to_each_other_before_words_look_at_them() -> None:
    net, cells = a_looker(), annotations()
    _, seen = net.encode(cells, Ablation())
    assert seen[0].attended.weights.shape == (1, 2, CELLS, CELLS)
    other = cells.clone()
    other[:, 0] += 1
    assert not torch.allclose(net.encode_source(cells).keys[:, 5], net.encode_source(other).keys[:, 5], atol=1e-3)


def test_the_vocabulary_is_scored() -> None:
    net, memory = encode_source()
    assert net.logits(net.teach(memory, WORDS, net.words.spelled[WORDS])[0]).shape == (3, 5, len(TARGET))
