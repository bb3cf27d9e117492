"""A stranger translates with the translators that ship: words cross over, rare ones are copied, places shuffled."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

import attnviewer
from attnviewer.core.card import find_cards
from attnviewer.core.paths import models_dir
from attnviewer.core.places import agreement, order_of
from attnviewer.zoo.store import Zoo

CROSSED = "Compré un coche viejo y una bicicleta nueva."
CARDS = [card for card in find_cards(models_dir()) if card.task == "translate"]


def looked_at(trace: attnviewer.Trace, word: str) -> str:
    """The source word with the largest weight when `word` was chosen."""
    return trace.locations.tokens[int(trace.weights[trace.words.index(word), 0].argmax())]


def test_adjectives_and_nouns_cross_over() -> None:
    trace = attnviewer.translate(CROSSED, device="cpu")
    for english, spanish in {"old": "viejo", "car": "coche", "new": "nueva", "bicycle": "bicicleta"}.items():
        assert looked_at(trace, english) == spanish
    assert np.allclose(trace.weights.sum(axis=-1), 1, atol=1e-4)


def test_words_tell_where_they_came_from_once_they_are_known() -> None:
    trace = attnviewer.translate("Es una casa blanca.", words="The white house", device="cpu")
    chosen = trace.locations.tokens
    came = [chosen[int(step.origin.argmax())] for step in trace.steps]
    assert came[1:] == ["blanca", "casa"]
    assert all(abs(float(step.origin.sum()) - 1) < 1e-4 for step in trace.steps)


def test_a_sentence_may_lack_its_mark_and_its_capitals() -> None:
    for text in ("El perro negro duerme", "el perro negro duerme"):
        assert attnviewer.translate(text, device="cpu").text.lower() == "the black dog sleeps"


def test_a_word_outside_the_vocabulary_is_copied_from_where_it_looked() -> None:
    trace = attnviewer.translate("Anoche vimos un quetzalillo en el jardín.", device="cpu")
    (copied,) = [step.word for step in trace.steps if step.unknown]
    assert copied == looked_at(trace, copied) == "quetzalillo"


def test_without_attention_there_is_a_translation_and_no_map() -> None:
    trace = attnviewer.translate("Me gusta la música.", attention="none", device="cpu")
    assert trace.weights.shape == (len(trace.words), 0, 5)
    assert "music" in trace.words


@pytest.mark.parametrize(("attention", "verdict"), [("soft", "followed"), ("location", "stayed")])
def test_shuffled_weights_follow_the_words_by_content_and_stay_by_location(attention: str, verdict: str) -> None:
    sentence = "Mi hermana compró una casa grande cerca del mar."
    plain, shuffled = (
        attnviewer.translate(sentence, attention=attention, device="cpu", shuffle=seed) for seed in (None, 3)
    )
    order = order_of(len(plain.locations), 3)
    assert shuffled.locations.tokens == tuple(plain.locations.tokens[place] for place in order)
    assert agreement(plain, shuffled, order).verdict == verdict


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_a_card_tells_how_good_its_translator_is(card) -> None:
    if card.architecture.get("lesson"):
        shuffled = {"test_bleu_500", "test_bleu_500_shuffled"}
        assert set(card.figures) == {"dev_bleu", "dev_error", "dev_origin_error"} | shuffled
    else:
        assert {"bleu", "bleu_1_5", "bleu_16", "sentences"} <= set(card.figures)
        assert ("error" in card.figures) == (card.attention != "none")
    model = Zoo().translator(card.id, card.attention)
    assert card.parameters == sum(value.numel() for value in model.net.parameters())
    assert card.sha256 == hashlib.sha256((models_dir() / card.id / "weights.safetensors").read_bytes()).hexdigest()
