"""Text as it comes, with the translator that ships: stand-ins, marks put back, several sentences, lone words."""

from __future__ import annotations

import numpy as np
import pytest

from attnviewer.core.interventions import Intervention
from attnviewer.core.jobs import outcome
from attnviewer.core.paths import models_dir
from attnviewer.core.request import Decoding, TranslateRequest
from attnviewer.core.trace import Trace
from attnviewer.runs.texts import translate_texts
from attnviewer.runs.translate import translate
from attnviewer.zoo.store import Zoo
from attnviewer.zoo.translators import LoadedTranslator

TWO = "Compré un coche viejo. No me gusta el café."


@pytest.fixture(scope="module")
def model() -> LoadedTranslator:
    return Zoo(models_dir(), "cpu").translator(None, "soft")


def said(model: LoadedTranslator, text: str, **more: object) -> Trace:
    """The trace of a text, searched with a beam."""
    asked = {"decoding": Decoding(beam=4)} | more
    return outcome(translate(TranslateRequest(text, "soft", **asked), model))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("<i>No lo sé.</i>", "<i>I don't know.</i>"),
        ("**No lo sé.**", "**I don't know.**"),
        ("“No lo sé.”", "“I don't know.”"),
        ("No lo sé…", "I don't know."),
        ("🙂 Me gusta 👍🏽", "🙂 I like it 👍🏽"),
        ("Me llamo Ana.", "My name is Ana."),
        ("cuarenta y dos", "forty-two"),
        ("Mi abuela tiene ochenta y tres años.", "My grandmother is eighty-three years old."),
        ("Son las tres y media.", "It's 3:30."),
        ("gato", "cat"),
        ("Ensalada.", "Salad."),
        ("🙂", "🙂"),
    ],
)
def test_everyday_text_comes_out_right(model: LoadedTranslator, text: str, english: str) -> None:
    assert said(model, text).text == english


def test_an_address_is_copied_and_marked_and_its_map_lies_on_it(model: LoadedTranslator) -> None:
    trace = said(model, "Escribe a ana@ejemplo.org antes del lunes.")
    (step,) = [step for step in trace.steps if step.word == "ana@ejemplo.org"]
    assert (step.found, step.unknown) == ("copied", True)
    assert trace.locations.tokens[int(step.weights[0].argmax())] == "ana@ejemplo.org"  # type: ignore[union-attr]


def test_a_number_by_rule_has_its_weights_on_its_words(model: LoadedTranslator) -> None:
    trace = said(model, "Tengo cuarenta y dos libros.")
    (step,) = [step for step in trace.steps if step.found == "rule"]
    assert step.word == "forty-two"
    assert step.weights[0][1:4].sum() > 0.5
    np.testing.assert_allclose(trace.weights.sum(axis=2), 1, atol=1e-4)


@pytest.mark.parametrize("beam", [1, 4])
def test_the_matrix_of_several_sentences_is_block_diagonal(model: LoadedTranslator, beam: int) -> None:
    trace = said(model, TWO, decoding=Decoding(beam=beam))
    first = trace.words.index(".") + 1
    assert trace.text.count(".") == 2
    assert not trace.weights[:first, :, 5:].any()
    assert not trace.weights[first:, :, :5].any()
    origins = np.stack([step.origin for step in trace.steps if step.origin is not None])
    np.testing.assert_allclose(origins.sum(axis=1), 1, atol=1e-4)
    assert not origins[:first, 5:].any()


def test_a_sentence_is_translated_in_a_text_as_it_is_alone(model: LoadedTranslator) -> None:
    whole = said(model, TWO).text
    alone = " ".join(said(model, part).text for part in ("Compré un coche viejo.", "No me gusta el café."))
    assert whole == alone
    assert translate_texts(model, [TWO], Decoding(beam=4, length_penalty=1.0)) == [whole]


def test_a_word_imposed_in_the_second_sentence_is_said_there(model: LoadedTranslator) -> None:
    plain = said(model, TWO, decoding=Decoding())
    at = plain.words.index(".") + 1
    trace = said(model, TWO, decoding=Decoding(), interventions=(Intervention(at, word="We"),))
    assert trace.words[:at] == plain.words[:at]
    assert (trace.words[at], trace.forced[at]) == ("We", True)


def test_english_is_told_and_translated_all_the_same(model: LoadedTranslator) -> None:
    trace = said(model, "The house is red.")
    assert trace.words
    assert "doesn't look like Spanish" in trace.notes[0]
    assert said(model, "La casa es roja.").notes == ()


def test_a_shuffled_text_stays_in_its_sentences_and_comes_back_in_order(model: LoadedTranslator) -> None:
    trace = said(model, f"<b>{TWO}</b>", shuffle=3)
    assert sorted(trace.locations.tokens[:6]) == sorted(["<b>", *["Compré", "un", "coche", "viejo", "."]])  # type: ignore[union-attr]
    assert trace.words[0] == "<b>"
    np.testing.assert_allclose(trace.weights.sum(axis=2), 1, atol=1e-4)
