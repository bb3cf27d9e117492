"""Translation runs: traces, decoding, copying, batches and what becomes of a run that is closed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import torch
from helpers.translators import ATTENTIONS, BUCKETS, SENTENCE, SOURCE, TARGET, a_translator, assert_equal, saying, whole

from attnviewer.core.events import Progress
from attnviewer.core.glossary import Glossary
from attnviewer.core.interventions import Intervention
from attnviewer.core.places import order_of
from attnviewer.core.request import Decoding, TranslateRequest
from attnviewer.core.sentence import tokenize
from attnviewer.core.spanish import read_spanish
from attnviewer.core.text import END, UNKNOWN, UNKNOWN_SHOWN
from attnviewer.core.trace import Trace
from attnviewer.measure.translated import given
from attnviewer.runs.decode import Hypothesis, beam_search
from attnviewer.runs.reading import longest, plan_of, read, translate_batch
from attnviewer.runs.translate import translate
from attnviewer.zoo.translators import LoadedTranslator

WORDS = tokenize(SENTENCE)
NEVER = -1e9  # an ending that never comes
SOON = 10.0
BEAM = Decoding(beam=4)


def searched(model: LoadedTranslator, beam: int) -> Hypothesis:
    plan = plan_of([WORDS], model.card.attention, Decoding(beam=beam, length_penalty=1.0))
    with torch.no_grad():
        return beam_search(model.net, read(model.net, model.words.speller, [WORDS]), plan, torch.Generator())[0]


@pytest.mark.parametrize("decoding", [Decoding(), BEAM])
@pytest.mark.parametrize("attention", ATTENTIONS)
def test_every_word_has_a_map_over_the_cut(attention: str, decoding: Decoding) -> None:
    trace = whole(attention, decoding=decoding)
    heads = 0 if attention == "none" else 1
    assert (trace.task, trace.source.text, trace.locations.tokens) == ("translate", SENTENCE, tuple(WORDS))
    assert trace.weights.shape == (len(trace.words), heads, len(WORDS))
    assert len(trace.heads) == heads
    for step in trace.steps:
        said = UNKNOWN_SHOWN if step.unknown else step.word
        assert dict(step.alternatives)[said] == pytest.approx(math.exp(step.logprob), abs=1e-5)
        assert not step.forced


def test_the_map_of_a_word_is_the_softmax_of_its_scores() -> None:
    trace = whole()
    assert trace.scores is not None
    chances = np.exp(trace.scores - trace.scores.max(axis=-1, keepdims=True))
    np.testing.assert_allclose(trace.weights, chances / chances.sum(axis=-1, keepdims=True), atol=1e-6)


def test_the_trace_grows_by_a_word_a_yield() -> None:
    seen = list(translate(TranslateRequest(SENTENCE), a_translator()))
    assert [len(trace.steps) for trace in seen] == list(range(1, len(whole().words) + 1))
    assert seen[-1].text == whole().text


def test_a_beam_tells_its_progress_before_its_words() -> None:
    seen = list(translate(TranslateRequest(SENTENCE, decoding=BEAM), a_translator()))
    kinds = [isinstance(one, Progress) for one in seen]
    assert kinds == sorted(kinds, reverse=True)
    assert kinds[0]
    assert not kinds[-1]


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_greedy_is_a_beam_of_one(attention: str) -> None:
    for seed in range(5):
        model = a_translator(attention, seed, ending=4.0)
        found = [model.words.target.word(choice.word) for choice in searched(model, 1).choices]
        said = [step.word for step in whole(attention, model).steps if not step.unknown]
        assert said == [word for word in found if word != UNKNOWN_SHOWN]


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_a_beam_of_four_scores_better_than_greedy_on_the_whole(attention: str) -> None:
    """Not always: what a beam keeps can crowd out what greedy finds."""
    found = [[searched(a_translator(attention, seed, 4.0), beam) for beam in (1, 4)] for seed in range(24)]
    gains = [four.logprob / len(four.choices) - one.logprob / len(one.choices) for one, four in found if one.ended]
    assert len(gains) >= 15
    assert np.mean(gains) > 0.1


@pytest.mark.parametrize("decoding", [Decoding(), BEAM])
@pytest.mark.parametrize("attention", ATTENTIONS)
def test_a_translation_that_does_not_end_is_cut_off_and_says_no_word_twice_in_a_row(
    attention: str, decoding: Decoding
) -> None:
    trace = whole(attention, a_translator(attention, ending=NEVER), decoding=decoding)
    assert len(trace.words) == longest(len(WORDS)) == 28
    assert all(a.word != b.word or b.unknown for a, b in pairwise(trace.steps))


@pytest.mark.parametrize("attention", ["soft", "location"])
def test_an_unknown_word_is_looked_up_where_the_glossary_has_it(attention: str) -> None:
    copying = saying(attention, UNKNOWN)
    copied = whole(attention, copying, SENTENCE.lower())
    known = {word: f"{word}-in-english" for word in sorted({step.word for step in copied.steps if step.unknown})[::2]}
    assert known
    looking = replace(copying, words=replace(copying.words, glossary=Glossary(known)))
    found = whole(attention, looking, SENTENCE.lower())
    wanted = [known.get(step.word, step.word) if step.unknown else step.word for step in copied.steps]
    assert list(found.words) == wanted != list(copied.words)
    assert [step.unknown for step in found.steps] == [step.unknown for step in copied.steps]
    np.testing.assert_array_equal(found.weights, copied.weights)


@pytest.mark.parametrize("shuffle", [None, 3])
def test_the_word_that_opens_a_sentence_is_looked_up_in_small_letters(shuffle: int | None) -> None:
    text = "¿Gato ve Gato?"
    model = saying("soft", UNKNOWN)
    model = replace(model, words=replace(model.words, glossary=Glossary({"gato": "cat"})))
    order = list(range(5)) if shuffle is None else order_of(5, shuffle).tolist()
    for source, said in ((1, "cat"), (3, "Gato")):  # the second is a name
        weights = tuple(float(place == source) for place in order)
        trace = whole(
            "soft",
            model,
            text=text,
            shuffle=shuffle,
            interventions=(Intervention(0, weights=weights), Intervention(1, weights=weights)),
        )
        assert trace.words[:2] == (said.capitalize(), said)


def test_at_least_one_word_is_said() -> None:
    assert len(whole(model=a_translator(ending=1e9)).words) == 1


def test_500_words_can_be_translated() -> None:
    trace = whole(model=a_translator(ending=SOON), text="perro negro " * 250)
    assert trace.weights.shape == (len(trace.words), 1, 500)


@pytest.mark.parametrize("text", ["¿?", "🙂", "<end> <b>x</b>", "שלום עולם", "7", "a\r\nb"])
@pytest.mark.parametrize("attention", ATTENTIONS)
def test_any_text_can_be_translated(attention: str, text: str) -> None:
    trace = whole(attention, a_translator(attention, ending=SOON), text)
    assert trace.locations.tokens == read_spanish(text).tokens
    assert trace.words


def test_a_text_without_a_mark_is_read_as_it_is() -> None:
    trace = whole(text="El perro")
    assert trace.locations.tokens == ("El", "perro")
    assert (trace.notes, trace.source.text) == ((), "El perro")


@pytest.mark.parametrize("decoding", [Decoding(), BEAM])
@pytest.mark.parametrize("shuffle", [None, 3])
def test_each_word_tells_where_it_came_from(decoding: Decoding, shuffle: int | None) -> None:
    model = a_translator()
    trace = whole(model=model, decoding=decoding, shuffle=shuffle)
    order = None if shuffle is None else torch.from_numpy(order_of(len(WORDS), shuffle)).unsqueeze(0)
    memory = read(model.net, model.words.speller, [WORDS], order)
    inputs, groups = given(TARGET, BUCKETS, [trace.words])
    with torch.no_grad():
        origins = model.net.teach(memory, inputs, groups)[2][0, 1:]
    known = [t for t in range(len(trace.words)) if UNKNOWN not in inputs[0, 1 : t + 2]]
    assert known
    for t in known:
        np.testing.assert_allclose(trace.steps[t].origin, origins[t], atol=1e-5)


@pytest.mark.parametrize("attention", ["location", "none"])
def test_only_attention_by_content_tells_where_words_came_from(attention: str) -> None:
    assert all(step.origin is None for step in whole(attention).steps)


@pytest.mark.parametrize("beam", [1, 3])
@pytest.mark.parametrize("attention", ATTENTIONS)
def test_sentences_of_a_batch_are_translated_as_they_are_alone(attention: str, beam: int) -> None:
    texts = [SENTENCE, "gato", "¿ Come Marta en casa ?"]
    for seed in range(3):
        model = a_translator(attention, seed, ending=SOON)
        together = _batch(model, [tokenize(text) for text in texts], beam)
        alone = [whole(attention, model, text, decoding=Decoding(beam=beam)).words for text in texts]
        assert together == [list(words) for words in alone]


def _batch(model: LoadedTranslator, sentences: Sequence[Sequence[str]], beam: int = 1) -> list[list[str]]:
    with torch.no_grad():
        return translate_batch(model.net, model.words.speller, model.words.target, sentences, beam, 1.0)


@pytest.mark.parametrize("attention", ["soft", "location"])
def test_an_unknown_word_is_copied_from_the_source_word_with_the_largest_weight(attention: str) -> None:
    model = saying(attention, UNKNOWN)
    trace = whole(attention, model, interventions=(Intervention(1, weights=(0, 0, 0, 0, 0, 0, 1, 0, 0)),))
    for step in trace.steps[:4]:
        assert step.unknown
        assert step.word == WORDS[int(step.weights[0].argmax())]
        assert step.alternatives[0][0] == UNKNOWN_SHOWN
    assert trace.words[1] == "casa"
    assert _batch(model, [WORDS, ["Marta"]])[1][:4] == ["Marta"] * 4


def test_no_more_than_four_unknown_words_are_copied_in_a_row() -> None:
    unknown = [step.unknown for step in whole(model=saying("soft", UNKNOWN)).steps]
    assert unknown[:10] == [True] * 4 + [False] + [True] * 4 + [False]


def test_an_unknown_word_stays_unknown_without_attention() -> None:
    step = whole("none", saying("none", UNKNOWN)).steps[0]
    assert (step.word, step.unknown) == (UNKNOWN_SHOWN, True)


@pytest.mark.parametrize("decoding", [Decoding(), BEAM])
def test_a_run_that_is_closed_leaves_no_inference_mode_on(decoding: Decoding) -> None:
    run = translate(TranslateRequest(SENTENCE, decoding=decoding), a_translator())
    next(run)
    assert not torch.is_inference_mode_enabled()
    run.close()
    assert not torch.is_inference_mode_enabled()
    assert torch.is_grad_enabled()
    with pytest.raises(StopIteration):
        next(run)


def test_the_length_penalty_is_the_cards_unless_asked_for() -> None:
    model = a_translator(penalty=0.25)
    assert whole(model=model).request["decoding"]["length_penalty"] == 0.25
    asked = Decoding(length_penalty=0.5)
    assert whole(model=model, decoding=asked).request["decoding"]["length_penalty"] == 0.5


def test_a_trace_tells_how_to_make_it_again() -> None:
    asked = whole(decoding=BEAM, interventions=(Intervention(0, "cat"),), shuffle=2).request
    assert (asked["sentence"], asked["shuffle"], asked["attention"]) == (SENTENCE, 2, "soft")
    assert asked["interventions"][0]["word"] == "cat"


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_a_trace_comes_back_from_json(attention: str, tmp_path: object) -> None:
    trace = whole(attention, model=saying(attention, UNKNOWN))
    trace.save(f"{tmp_path}/trace.json")
    back = Trace.load(f"{tmp_path}/trace.json")
    assert_equal(trace, back)
    assert [step.unknown for step in back.steps] == [step.unknown for step in trace.steps]
    assert back.text == trace.text


def test_the_source_vocabulary_is_not_the_target_vocabulary() -> None:
    model = a_translator()
    ids, _ = model.words.speller([["perro", "qwerty"]])
    assert ids.tolist() == [[SOURCE.encode(["perro"])[0], UNKNOWN]]
    assert END not in ids
